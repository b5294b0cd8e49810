import { logger } from '../../../platform/logger.ts';
import { sendAutomationMessages } from '../../../queue/automation.ts';
import type { AutomationHead } from '../../../store/automation/automations.ts';

/**
 * Begins what the head of an automation asks for: to end or wake runs, to evaluate everybody. The head is due, so
 * the message only makes the jobs begin at once. It never throws, since the call has done what it answers.
 */
export async function beginJobs({ workspaceId, id }: Pick<AutomationHead, 'workspaceId' | 'id'>): Promise<void> {
  try {
    await sendAutomationMessages([{ entry: { kind: 'jobs', workspace_id: workspaceId, automation_id: id } }]);
  } catch (error) {
    logger.error('The jobs of an automation could not be queued; the sweeper will.', error as Error);
  }
}
