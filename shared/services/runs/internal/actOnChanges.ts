import { eventCause } from '../../../domain/automation/cause.ts';
import { leaveReasonOf, type RunStart } from '../../../domain/automation/run.ts';
import {
  causesOf,
  isTooOld,
  type NotStartedReason,
  runIdOf,
  startByChange,
} from '../../../domain/automation/starting.ts';
import { counterNames } from '../../../domain/automation/tally.ts';
import { passesStartFilter } from '../../../domain/automation/whoStarts.ts';
import { timeOfId } from '../../../domain/identifier.ts';
import type { KnownAddress } from '../../../domain/person/person.ts';
import type { PersonEvent } from '../../../domain/personEvents/personEvent.ts';
import { now as currentTime } from '../../../platform/clock.ts';
import { inParallel } from '../../../platform/parallel.ts';
import { type ChangePosition, getChange, settleChange } from '../../../store/automation/changes.ts';
import { type EventPosition, getDueEvent, settleEvent } from '../../../store/automation/eventWork.ts';
import { automationsStartedBy, type Listener } from '../../../store/automation/listeners.ts';
import { tallyPart, tallyShardOf } from '../../../store/automation/tallies.ts';
import { runsWaitingFor } from '../../../store/automation/waiters.ts';
import { getAddress } from '../../../store/person/people.ts';
import { isWorkspaceEnded } from '../../../store/workspace/workspaces.ts';
import type { RunCounters } from '../runCounters.ts';
import { endRunsOfPerson } from './endRuns.ts';
import { activitiesFor } from './runFacts.ts';
import { startRun } from './startRun.ts';
import { giveEvent } from './wakeRun.ts';
import { lookAfterChange, lookAfterEvent } from './watchPeople.ts';

/**
 * What automations make of an event or a change: two strong queries find the automations that it starts and the runs that
 * wait for it, however many there are of both. It stays due until this is done; done twice, it starts the same runs.
 */

const runsAtOnce = 5;

/** A start that was none, for the counters of its automation. */
interface Refusal {
  readonly listener: Listener;
  readonly reason: NotStartedReason;
}

/** Acts on what a person did. */
export async function actOnEvent(position: EventPosition, counters: RunCounters): Promise<void> {
  const { workspaceId, email } = position;
  if (await isWorkspaceEnded(workspaceId)) return;
  const event = await getDueEvent(position);
  if (!event) return;
  const [listeners, waiting] = await Promise.all([
    automationsStartedBy(workspaceId, eventCause(event.name)),
    runsWaitingFor(workspaceId, email, event.name),
  ]);
  const isLate = isTooOld(new Date(event.timestamp), timeOfId(event.id));
  if (!isLate) await inParallel(runsAtOnce, waiting, (run) => giveEvent(run, event, counters));
  const address = listeners.length > 0 ? await getAddress(workspaceId, email) : null;
  const refusals = await inParallel(runsAtOnce, listeners, async (listener): Promise<Refusal | null> => {
    if (isLate || !address) return { listener, reason: 'too_old' };
    if (!(await passesFilter(listener, event, address))) return { listener, reason: 'filtered' };
    const start: RunStart = { event: event.id, data: event.data };
    const runId = runIdOf(listener.automationId, event.id, timeOfId(event.id));
    const outcome = await startRun({ workspaceId, automation: listener, address, runId, start, depth: 0 }, counters);
    return outcome.kind === 'refused' ? { listener, reason: outcome.reason } : null;
  });
  await lookAfterEvent(event, isLate, counters);
  await settleEvent(position, countsOf(workspaceId, event.id, refusals));
}

async function passesFilter({ trigger }: Listener, event: PersonEvent, { person }: KnownAddress): Promise<boolean> {
  const rule = 'event_name' in trigger ? trigger.filter_rule : undefined;
  const activities = rule ? await activitiesFor(rule, event) : new Map();
  return passesStartFilter(trigger, { person, activities }, event.data, currentTime());
}

/** Written with the mark that the cause was acted on, so that each start that was none counts once. */
const countsOf = (
  workspaceId: string,
  cause: string,
  refusals: readonly (Refusal | null)[],
): ReturnType<typeof tallyPart>[] =>
  refusals.flatMap((refusal) => {
    if (!refusal) return [];
    const { automationId, version } = refusal.listener;
    const position = { workspaceId, automationId, version, shard: tallyShardOf(cause) };
    return [tallyPart(position, { [counterNames.notStarted(refusal.reason)]: 1 })];
  });

/** Acts on a change of a person: who leaves ends their runs, and other changes may start some. */
export async function actOnChange(position: ChangePosition, counters: RunCounters): Promise<void> {
  const { workspaceId, email, version } = position;
  if (await isWorkspaceEnded(workspaceId)) return;
  const change = await getChange(position);
  if (!change) return;
  const address = await getAddress(workspaceId, email);
  if (change.left !== null) {
    // A person who came back meanwhile may have new runs, which go on.
    const reason = leaveReasonOf(address.person, address.platform);
    const end = reason === null ? { reason: change.left, begunBefore: change.at } : { reason };
    await endRunsOfPerson(workspaceId, email, end, counters);
  }
  const cause = `${email}#${version}`;
  const found = await Promise.all(causesOf(change).map(async (one) => automationsStartedBy(workspaceId, one)));
  const starts = found.flat().flatMap((listener) => {
    const data = startByChange(listener.trigger, change);
    return data ? [{ listener, data }] : [];
  });
  const refusals = await inParallel(runsAtOnce, starts, async ({ listener, data }): Promise<Refusal | null> => {
    const runId = runIdOf(listener.automationId, cause, change.at);
    const start: RunStart = { event: null, data };
    const requested = { workspaceId, automation: listener, address, runId, start, depth: change.depth };
    const outcome = await startRun(requested, counters);
    return outcome.kind === 'refused' ? { listener, reason: outcome.reason } : null;
  });
  await lookAfterChange(change, counters);
  await settleChange(position, countsOf(workspaceId, cause, refusals));
}
