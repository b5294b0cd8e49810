import { logger } from '../../../platform/logger.ts';
import { sendAutomationMessages } from '../../../queue/automation.ts';
import type { AutomationHead } from '../../../store/automation/automations.ts';

/*
 * The head that a call wrote names the jobs, and is due: a message only makes them begin at once. It never throws, since
 * the call has done what it answers.
 */

async function queueJobs({ workspaceId, id }: AutomationHead): Promise<void> {
  try {
    await sendAutomationMessages([{ entry: { kind: 'jobs', workspace_id: workspaceId, automation_id: id } }]);
  } catch (error) {
    logger.error('The jobs of an automation could not be queued; the sweeper will.', error as Error);
  }
}

/** Begins to end the runs of earlier epochs; what it does not finish stays due. */
export const endRunsOf = queueJobs;

/** Begins to wake the runs that rested while the automation was disabled. */
export const wakeRunsOf = queueJobs;
