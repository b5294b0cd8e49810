import type { LeaveReason, RunPosition } from '../../../domain/automation/run.ts';
import { counterNames } from '../../../domain/automation/tally.ts';
import { addSeconds, now as currentTime, stopwatch } from '../../../platform/clock.ts';
import { inParallel } from '../../../platform/parallel.ts';
import {
  type AutomationHead,
  dropDue,
  finishJob,
  getAutomation,
  getDeletedAutomation,
  putOffJobs,
} from '../../../store/automation/automations.ts';
import { openRunsOf } from '../../../store/automation/enrolments.ts';
import { pagesOfRunning } from '../../../store/automation/runLists.ts';
import { getRun, getRuns, wakeTimeOf } from '../../../store/automation/runs.ts';
import { tallyShardOf } from '../../../store/automation/tallies.ts';
import type { RunCounters } from '../runCounters.ts';
import { lookAtAudience } from './lookAtAudience.ts';
import { queueOrLeave, wakeEntry } from './queueRuns.ts';
import { endOpenRun } from './wakeRun.ts';

/** Ends the runs of people who leave and of automations that are stopped or deleted, and does the jobs of automations. */

const runsAtOnce = 10;

interface Leaving {
  readonly reason: LeaveReason;
  /** Only runs that began before this time end. */
  readonly begunBefore?: Date;
}

/** Ends the open runs of a person who may no longer be written to, or could not be for a while. */
export async function endRunsOfPerson(
  workspaceId: string,
  email: string,
  { reason, begunBefore }: Leaving,
  counters: RunCounters,
): Promise<void> {
  await inParallel(runsAtOnce, await openRunsOf(workspaceId, email), async (position) => {
    const known = begunBefore && (await getRun(position));
    if (known && new Date(known.createdAt) >= begunBefore) return;
    const run = await endOpenRun(position, 'cancelled', reason, counters);
    if (reason !== 'unsubscribed' || run?.status === undefined) return;
    // The message that came last is taken for what they left after.
    const last = run.story.findLast(({ outcome }) => outcome !== undefined);
    if (last)
      counters.add({ ...run, shard: tallyShardOf(run.id) }, { [counterNames.feedback(last.step, 'unsubscribed')]: 1 });
  });
}

/** A worker has so long for a part of a job; the next message continues. */
const partMilliseconds = 40_000;
const leaseSeconds = 120;

interface OpenJobs {
  readonly workspaceId: string;
  readonly automationId: string;
  /** The last run that the job `wake` has queued, and the request that it serves. */
  readonly woken?: { readonly after: string; readonly asked: number } | undefined;
}

/** Continues what is to be done for an automation. Each job is idempotent, and asked for until it is done. */
export async function doJobs({ workspaceId, automationId, woken }: OpenJobs, counters: RunCounters): Promise<void> {
  const head =
    (await getAutomation(workspaceId, automationId)) ?? (await getDeletedAutomation(workspaceId, automationId));
  if (!head) return;
  if (Object.keys(head.jobs).length === 0) return dropDue(head);
  await putOffJobs(head, addSeconds(currentTime(), leaseSeconds));
  const elapsed = stopwatch();
  const isOutOfTime = () => elapsed() > partMilliseconds;
  // A later request begins with the first run: it may have come for those that were woken already.
  const after = woken?.asked === head.jobs.wake ? woken?.after : undefined;
  let reached: string | null = null;
  const isDone = {
    end: () => endEarlierRuns(head, counters, isOutOfTime),
    wake: async () => {
      reached = await wakeRestingRuns(head, after, isOutOfTime);
      return reached === null;
    },
    prepare: () => lookAtAudience(head, counters, isOutOfTime),
  };
  let isOpen = false;
  for (const job of ['end', 'wake', 'prepare'] as const) {
    if (head.jobs[job] === undefined) continue;
    if (await isDone[job]()) await finishJob(head, job);
    else isOpen = true;
  }
  if (!isOpen) return;
  const names = { workspace_id: workspaceId, automation_id: automationId };
  await queueOrLeave([{ entry: { kind: 'jobs', ...names, ...wokenTo(head, reached) } }]);
}

const wokenTo = ({ jobs }: AutomationHead, after: string | null) =>
  after !== null && jobs.wake !== undefined ? { woken: { after, asked: jobs.wake } } : {};

/** Ends the runs that began before the automation was stopped or deleted. False when time was over first. */
async function endEarlierRuns(
  head: AutomationHead,
  counters: RunCounters,
  isOutOfTime: () => boolean,
): Promise<boolean> {
  const reason = head.deletedAt === null ? 'stopped' : 'deleted';
  for await (const page of pagesOfRunning(head.workspaceId, head.id)) {
    const runs = await getRuns(page);
    const earlier = runs.filter(({ status, epoch }) => status === 'running' && epoch < head.epoch);
    await inParallel(runsAtOnce, earlier, (run: RunPosition) => endOpenRun(run, 'cancelled', reason, counters));
    if (isOutOfTime()) return false;
  }
  return true;
}

/**
 * Wakes the runs whose time came while the automation was disabled or held, and those that wait for events. Returns the
 * last run that it woke when time was over; null when all are done.
 */
async function wakeRestingRuns(
  head: AutomationHead,
  after: string | undefined,
  isOutOfTime: () => boolean,
): Promise<string | null> {
  for await (const page of pagesOfRunning(head.workspaceId, head.id, after)) {
    const now = currentTime();
    const runs = (await getRuns(page, 'strong')).filter(({ status }) => status === 'running');
    const messages = runs.flatMap((run) => {
      const at = wakeTimeOf(run);
      if (at === null || at <= now || run.phase === 'send') return [{ entry: wakeEntry(run) }];
      // With the earlier `seq`, the message only checks for events.
      return run.phase === 'wait' ? [{ entry: { ...wakeEntry(run), seq: run.seq - 1 } }] : [];
    });
    await queueOrLeave(messages);
    if (isOutOfTime()) return page.at(-1)?.id ?? null;
  }
  return null;
}
