import { segmentCause } from '../../domain/automation/cause.ts';
import type { Segment } from '../../domain/segment/segment.ts';
import { overtaken, untilSettled } from '../../platform/deadline.ts';
import {
  type AutomationHead,
  askToPrepare,
  changeWatchedSegment,
  getAutomation,
  headsAtOnce,
} from '../../store/automation/automations.ts';
import { watchingAutomations } from '../../store/automation/listeners.ts';
import { beginJobs } from './internal/beginJobs.ts';

/** The enabled automations that start with a segment. */
async function automationsWatching(workspaceId: string, segmentId: string): Promise<readonly AutomationHead[]> {
  const listeners = await watchingAutomations(workspaceId, segmentCause);
  const watching = listeners.filter(({ trigger }) => 'segment_id' in trigger && trigger.segment_id === segmentId);
  const heads = await Promise.all(watching.map(({ automationId }) => getAutomation(workspaceId, automationId)));
  return heads.filter((head) => head !== null);
}

/**
 * Writes a segment with another rule. The same transaction asks the automations that start with it to evaluate everybody
 * again, as when they are enabled: a person who is in it only by the edit is present, and has not entered. False when the
 * segment is gone or an automation changed meanwhile: the caller reads and decides again.
 */
export async function editWatchedSegment(workspaceId: string, segment: Segment, now: Date): Promise<boolean> {
  const heads = (await automationsWatching(workspaceId, segment.id)).slice(0, headsAtOnce);
  if (!(await changeWatchedSegment(workspaceId, segment, heads, now))) return false;
  const asked = new Set(heads.map(({ id }) => id));
  // Those that do not fit, and any that was enabled meanwhile, which may have evaluated everybody with the earlier rule.
  const others = (await automationsWatching(workspaceId, segment.id)).filter(({ id }) => !asked.has(id));
  for (const { id } of others) await untilSettled(() => ask(workspaceId, id, now));
  await Promise.all([...heads, ...others].map(beginJobs));
  return true;
}

async function ask(workspaceId: string, id: string, now: Date): Promise<true | typeof overtaken> {
  const head = await getAutomation(workspaceId, id);
  return head?.status !== 'enabled' || (await askToPrepare(head, now)) ? true : overtaken;
}
