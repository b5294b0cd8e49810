import type { AutomationRun } from '../../domain/automation/run.ts';
import { addSeconds, now as currentTime, stopwatch } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { type DelayedAutomationMessage, sendAutomationMessages, type WakeMessage } from '../../queue/automation.ts';
import { listAutomations, listDueAutomations, putOffJobs } from '../../store/automation/automations.ts';
import {
  type DueAutomationEntry,
  listDueEntries,
  positionOfDueRun,
  takeDueEntry,
  takeDueRun,
} from '../../store/automation/runLists.ts';
import { getRun, openSince, runLateSeconds } from '../../store/automation/runs.ts';
import { tallyShards } from '../../store/automation/tallies.ts';
import { listWorkspaces } from '../../store/workspace/workspaces.ts';
import { SweepRun } from './internal/sweepRun.ts';

/*
 * What automations have to do and has no message: it lies further ahead than a queue can delay, was never queued, its
 * message was lost, or its worker crashed. A second message does no harm.
 */

/** Longer than the time to the sweeper's next runs, and within the longest delay of the queue. */
const aheadSeconds = 600;
const entriesPerShard = 250;
const entriesAtOnce = 25;
/** The part of a sweep's five minutes for each stage. */
const stageMilliseconds = 40_000;
/** From so late on, messages are in a group of their own. */
const bulkSeconds = 600;
const workPauseSeconds = 300;
const jobPauseSeconds = 120;
const jobsPerRun = 100;

export async function sweepAutomations(now: Date): Promise<void> {
  const run = new SweepRun();
  await eachBatch(run, 'queuedRun', () => currentTime(), lateRun);
  await eachBatch(run, 'run', () => addSeconds(currentTime(), aheadSeconds), farRun);
  await eachBatch(run, 'change', () => currentTime(), lateWork);
  const due = await listDueAutomations(now, jobsPerRun);
  const jobs = await run.each(entriesAtOnce, due, async (head) => {
    const isOpen = await putOffJobs(head, addSeconds(currentTime(), jobPauseSeconds));
    return isOpen ? [{ entry: { kind: 'jobs', workspace_id: head.workspaceId, automation_id: head.id } as const }] : [];
  });
  await sendAutomationMessages(jobs.flat());
  if (now.getUTCHours() === recountHour && now.getUTCMinutes() === recountMinute) await recountAll(run);
  run.end();
}

/** Once a night, counters are counted anew from the runs, which a crash does not lose; with a local clock's daily stop. */
const recountHour = 0;
const recountMinute = 7;
const workspacesAtOnce = 4;

async function recountAll(run: SweepRun): Promise<void> {
  const workspaces = (await listWorkspaces()).filter(({ endedAt }) => !endedAt);
  const due = workspaces.map(({ id }) => ({ workspaceId: id }));
  await run.each(workspacesAtOnce, due, async ({ workspaceId }) => {
    const heads = await listAutomations(workspaceId);
    const messages = heads.flatMap(({ id }) =>
      tallyShards.map((shard) => ({
        entry: { kind: 'recount', workspace_id: workspaceId, automation_id: id, shard } as const,
      })),
    );
    await sendAutomationMessages(messages);
  });
}

type Take = (entry: DueAutomationEntry) => Promise<DelayedAutomationMessage | null>;

/** Tries each entry once: what fails, or what the index shows in its old state, is left to the next run. */
async function eachBatch(
  run: SweepRun,
  stage: Parameters<typeof listDueEntries>[0],
  by: () => Date,
  take: Take,
): Promise<void> {
  const elapsed = stopwatch();
  const tried = new Set<string>();
  let queued = 0;
  while (elapsed() < stageMilliseconds) {
    const listed = await listDueEntries(stage, by(), entriesPerShard);
    const due = listed.filter(({ key }) => !tried.has(`${key.pk}\n${key.sk}`));
    if (due.length === 0) break;
    for (const { key } of due) tried.add(`${key.pk}\n${key.sk}`);
    const messages = (await run.each(entriesAtOnce, due, take)).filter((message) => message !== null);
    await sendAutomationMessages(messages);
    queued += messages.length;
  }
  if (queued > 0 && stage !== 'run')
    logger.warn('Late work of automations was queued again.', { stage, count: queued });
}

/** A run whose time comes soon. */
async function farRun(entry: DueAutomationEntry): Promise<DelayedAutomationMessage | null> {
  const now = currentTime();
  const run = await takeDueRun(entry, addSeconds(entry.dueAt, runLateSeconds));
  if (!run) return null;
  return { entry: wakeOf(run), delaySeconds: Math.max(0, (entry.dueAt.getTime() - now.getTime()) / 1000) };
}

const longestPauseMinutes = 60;

/**
 * A run whose message has not come: again, after pauses that grow with the time since it was due, since the message may
 * wait in a backlog. The worker counts the attempt, so that one which waits in a queue is none.
 */
async function lateRun(entry: DueAutomationEntry): Promise<DelayedAutomationMessage | null> {
  const known = await getRun(positionOfDueRun(entry));
  if (known?.status !== 'running') return null;
  const now = currentTime();
  const lateSeconds = (now.getTime() - openSince(known).getTime()) / 1000;
  const pauseMinutes = Math.min(longestPauseMinutes, Math.max(5, lateSeconds / 60));
  const run = await takeDueRun(entry, addSeconds(now, pauseMinutes * 60));
  return run && { entry: { ...wakeOf(run), again: true }, isLate: lateSeconds > bulkSeconds };
}

const wakeOf = (run: AutomationRun): WakeMessage => ({
  ...{ kind: 'wake', workspace_id: run.workspaceId, automation_id: run.automationId, run_id: run.id, seq: run.seq },
});

/** An event or a change that was not acted on. */
async function lateWork(entry: DueAutomationEntry): Promise<DelayedAutomationMessage | null> {
  const { workspaceId, key } = entry;
  if (!(await takeDueEntry(entry, 'change', addSeconds(currentTime(), workPauseSeconds)))) return null;
  const email = key.pk.split('#').slice(3).join('#');
  const [kind, id = ''] = key.sk.split('#');
  return kind === 'CHANGE'
    ? { entry: { kind: 'change', workspace_id: workspaceId, email, version: Number(id) } }
    : { entry: { kind: 'event', workspace_id: workspaceId, email, event_id: id } };
}
