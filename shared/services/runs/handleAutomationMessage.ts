import { now } from '../../platform/clock.ts';
import { addLogFields } from '../../platform/logger.ts';
import { type AutomationMessage, type RecountMessage, sendAutomationMessages } from '../../queue/automation.ts';
import { getAutomation } from '../../store/automation/automations.ts';
import { actOnChange, actOnEvent } from './internal/actOnChanges.ts';
import { doJobs } from './internal/endRuns.ts';
import { recountShard } from './internal/recountRuns.ts';
import { giveMail, wakeRun } from './internal/wakeRun.ts';
import { lookAtDue } from './internal/watchPeople.ts';
import type { RunCounters } from './runCounters.ts';

/** Handles one message of the queue `automation`. Late and double ones have no effect. */
export async function handleAutomationMessage(message: AutomationMessage, counters: RunCounters): Promise<void> {
  const { workspace_id: workspaceId } = message;
  addLogFields({ workspace_id: workspaceId });
  switch (message.kind) {
    case 'event':
      return actOnEvent({ workspaceId, email: message.email, eventId: message.event_id }, counters);
    case 'change':
      return actOnChange({ workspaceId, email: message.email, version: message.version }, counters);
    case 'look':
      return lookAtDue({ workspaceId, email: message.email, automationId: message.automation_id }, counters);
    case 'wake':
      return wakeRun(message, counters);
    case 'mail':
      return giveMail(message, counters);
    case 'jobs':
      return doJobs({ workspaceId, automationId: message.automation_id, woken: message.woken }, counters);
    case 'recount':
      return recount(message);
  }
}

const mostRecounts = 5;
const recountPauseSeconds = 300;

/** A shard whose runs move is tried again some times; the next night comes in any case. */
async function recount(message: RecountMessage): Promise<void> {
  const { workspace_id: workspaceId, automation_id: automationId, shard, tries = 1 } = message;
  if (!(await getAutomation(workspaceId, automationId))) return;
  if ((await recountShard(workspaceId, automationId, shard, now())) || tries >= mostRecounts) return;
  await sendAutomationMessages([{ entry: { ...message, tries: tries + 1 }, delaySeconds: recountPauseSeconds }]);
}
