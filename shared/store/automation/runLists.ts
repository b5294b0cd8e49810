import { type AutomationRun, type RunPosition, type RunStatus, runStatuses } from '../../domain/automation/run.ts';
import {
  automationShardPartition,
  dueAutomationPartition,
  dueAutomationShards,
  type Key,
  runPrefix,
  runsOfStatusPartition,
} from '../table/keys.ts';
import { keyOfItem, newestPositions, queryEach, queryPages } from '../table/table.ts';
import { changeItem } from '../table/write.ts';
import { getRuns, type RunRecord, runOf } from './runs.ts';

/** Runs that are found by something else than their id. */

interface RunPage {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly statuses?: readonly RunStatus[] | undefined;
}

/** The runs of an automation, newest first: a query for each status, merged. */
export async function pageOfRuns(
  workspaceId: string,
  automationId: string,
  { limit, after, statuses = runStatuses }: RunPage,
): Promise<{ readonly runs: readonly AutomationRun[]; readonly next: string | null }> {
  const lists = await Promise.all(
    statuses.map((status) =>
      newestPositions('status', runsOfStatusPartition(workspaceId, automationId, status), { limit: limit + 1, after }),
    ),
  );
  // One that ends meanwhile may be in two of them.
  const found = [...new Set(lists.flatMap(({ positions }) => positions))].sort().reverse();
  const page = found.slice(0, limit);
  const positions = page.map((id) => ({ workspaceId, automationId, id }));
  return { runs: await getRuns(positions), next: found.length > limit ? (page.at(-1) ?? null) : null };
}

/** The running runs of an automation, oldest first, from a run on; eventually consistent. */
export async function* pagesOfRunning(
  workspaceId: string,
  automationId: string,
  after?: string,
): AsyncGenerator<readonly RunPosition[]> {
  const partition = runsOfStatusPartition(workspaceId, automationId, 'running');
  for await (const { items } of queryPages({
    ...{ index: 'status', partition, limit: 250 },
    ...(after !== undefined && { sort: { above: after } }),
  })) {
    yield items.map((item) => ({ workspaceId, automationId, id: String(item.status_sk) }));
  }
}

/** Every run in a shard of an automation, strongly consistent: for a recount, and for a stop that must miss none. */
export async function* runsOfShard(
  workspaceId: string,
  automationId: string,
  shard: number,
): AsyncGenerator<readonly AutomationRun[]> {
  const partition = automationShardPartition(workspaceId, automationId, shard);
  for await (const { items } of queryPages({ partition, sort: { prefix: runPrefix }, consistency: 'strong' })) {
    yield items.map((item) => runOf(item));
  }
}

type DueStage = Parameters<typeof dueAutomationPartition>[0];

/** Something of an automation that is due, as the index has it. */
export interface DueAutomationEntry {
  readonly workspaceId: string;
  readonly key: Key;
  readonly shard: number;
  readonly dueAt: Date;
}

/** The run that is due. */
export const positionOfDueRun = ({ workspaceId, key }: DueAutomationEntry): RunPosition => ({
  workspaceId,
  automationId: key.pk.split('#')[3] ?? '',
  id: key.sk.slice(runPrefix.length),
});

/** What is due by a time, the oldest first, at most `limit` of each shard. */
export async function listDueEntries(stage: DueStage, by: Date, limit: number): Promise<DueAutomationEntry[]> {
  const partitions = Array.from({ length: dueAutomationShards }, (_, shard) => dueAutomationPartition(stage, shard));
  const items = await queryEach(partitions, { index: 'due', sort: { upTo: by.toISOString() }, limit });
  return items.map((item) => ({
    workspaceId: String(item.pk).split('#')[1] ?? '',
    key: keyOfItem(item),
    shard: Number(String(item.due_pk).split('#').at(-1)),
    dueAt: new Date(String(item.due_sk)),
  }));
}

/** Marks a run as queued; it is looked for again at `lateAt`. Null when it changed meanwhile. */
export async function takeDueRun(
  { key, shard, dueAt }: DueAutomationEntry,
  lateAt: Date,
): Promise<AutomationRun | null> {
  const item = await changeItem<RunRecord>(key, {
    set: { due_pk: dueAutomationPartition('queuedRun', shard), due_sk: lateAt.toISOString() },
    expect: { due_sk: dueAt.toISOString() },
  });
  return item && runOf(item);
}

/** Puts an event, a change or an enrolment off that is queued now; false when it was acted on. */
export async function takeDueEntry(
  { key, shard, dueAt }: DueAutomationEntry,
  stage: DueStage,
  until: Date,
): Promise<boolean> {
  const item = await changeItem<{ readonly due_pk: string; readonly due_sk: string }>(key, {
    set: { due_pk: dueAutomationPartition(stage, shard), due_sk: until.toISOString() },
    expect: { due_sk: dueAt.toISOString() },
  });
  return item !== null;
}
