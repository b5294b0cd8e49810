import type { AutomationRun } from '../../../domain/automation/run.ts';
import { logger } from '../../../platform/logger.ts';
import { type DelayedAutomationMessage, sendAutomationMessages } from '../../../queue/automation.ts';
import { isNear, wakeTimeOf } from '../../../store/automation/runs.ts';

/** Queues messages. It never throws: the sweeper queues what is missing. */
export async function queueOrLeave(messages: readonly DelayedAutomationMessage[]): Promise<void> {
  if (messages.length === 0) return;
  try {
    await sendAutomationMessages(messages);
  } catch (error) {
    logger.error('Messages for automations could not be queued; the sweeper will.', error as Error);
  }
}

/** The message that wakes a run. */
export const wakeEntry = ({ workspaceId, automationId, id, seq }: AutomationRun) =>
  ({ kind: 'wake', workspace_id: workspaceId, automation_id: automationId, run_id: id, seq }) as const;

/** Queues the wake of a run whose time is near; the sweeper queues the others later. */
export async function queueWake(run: AutomationRun, now: Date): Promise<void> {
  const at = wakeTimeOf(run) ?? now;
  if (!isNear(at, now)) return;
  await queueOrLeave([{ entry: wakeEntry(run), delaySeconds: (at.getTime() - now.getTime()) / 1000 }]);
}
