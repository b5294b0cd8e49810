import { isOutsideRuns, type RunTally, summed } from '../../domain/automation/tally.ts';
import { shardOf } from '../../domain/encoding.ts';
import { batchGet } from '../table/batches.ts';
import type { Condition } from '../table/expression.ts';
import {
  automationShardPartition,
  automationShards,
  runTallyBaseKey,
  runTallyBaseSuffix,
  runTallyKey,
  runTallyPrefix,
} from '../table/keys.ts';
import { type Item, queryPages, type TransactionPart } from '../table/table.ts';
import { changeItem, changeOnce, changePart, putItem } from '../table/write.ts';

/** Names of counters contain a letter and `#`, so they cannot clash with the record's own attributes. */
interface RunTallyRecord {
  /** Marker of the last change. */
  readonly last_change?: string;
  /** Rises with each change of what the runs tell. */
  readonly moves?: number;
  readonly [counter: `n#${string}`]: number;
}

const prefix = 'n#' as const;

export interface RunTallyPosition {
  readonly workspaceId: string;
  readonly automationId: string;
  readonly version: number;
  readonly shard: number;
}

/** The shards of an automation's counters. */
export const tallyShards: readonly number[] = Array.from({ length: automationShards }, (_, shard) => shard);

export const tallyShardOf = (id: string): number => shardOf(id, automationShards);

const keyOf = ({ workspaceId, automationId, version, shard }: RunTallyPosition) =>
  runTallyKey(workspaceId, automationId, shard, version);

const countersOf = (change: RunTally) =>
  Object.entries(change).map(([name, count]) => [`${prefix}${name}`, count] as const);

/** Changes the counters of a shard, once even if the answer is lost: one write unit, however many counters. */
export async function addToRunTally(position: RunTallyPosition, change: RunTally): Promise<void> {
  const add = [...countersOf(change), ['moves', 1] as const];
  await changeOnce<RunTallyRecord>(keyOf(position), { add }, { marker: 'last_change' });
}

/** Counts what is known once only: a part of the transaction that decides it. */
export const tallyPart = (position: RunTallyPosition, change: RunTally): TransactionPart =>
  changePart<RunTallyRecord>(keyOf(position), { add: countersOf(change) });

interface RunTallyBaseRecord {
  /** Runs that ended before this time are in these counters. */
  readonly until: string;
  readonly [counter: `n#${string}`]: number;
}

/** The counters of a version in a shard, with what a recount needs. */
export interface ShardTally {
  readonly version: number;
  readonly tally: RunTally;
  readonly moves: number;
  /** What runs contributed that ended before `until`: their records expire. */
  readonly base: RunTally;
  readonly until: Date;
}

export const noShardTally = { tally: {}, moves: 0, base: {}, until: new Date(0) } as const;

/** The counters of all versions in a shard, strongly consistent. */
export async function readShardTallies(
  workspaceId: string,
  automationId: string,
  shard: number,
): Promise<readonly ShardTally[]> {
  const partition = automationShardPartition(workspaceId, automationId, shard);
  const found = new Map<number, ShardTally>();
  for await (const { items } of queryPages({ partition, sort: { prefix: runTallyPrefix }, consistency: 'strong' })) {
    for (const item of items) {
      const [, digits] = String(item.sk).split('#');
      const version = Number(digits);
      const known = found.get(version) ?? { ...noShardTally, version };
      const own = String(item.sk).endsWith(runTallyBaseSuffix)
        ? { base: tallyOf(item), until: new Date(String(item.until)) }
        : { tally: tallyOf(item), moves: Number(item.moves ?? 0) };
      found.set(version, { ...known, ...own });
    }
  }
  return [...found.values()];
}

type ShardPosition = Omit<RunTallyPosition, 'version'>;

/** Keeps what runs contributed that ended before a time, and change no more; false when another recount did. */
export async function foldRunTally(
  { workspaceId, automationId, shard }: ShardPosition,
  { version, base, until: before }: ShardTally,
  folded: RunTally,
  until: Date,
): Promise<boolean> {
  if (isEmpty(folded)) return true;
  const key = runTallyBaseKey([workspaceId, automationId, shard, version]);
  const all = Object.fromEntries(countersOf(summed([base, folded])));
  const record: RunTallyBaseRecord = { until: until.toISOString(), ...all };
  const isAsRead =
    before.getTime() === 0
      ? { if: [['pk', 'absent'] as Condition<RunTallyBaseRecord>] }
      : { expect: { until: before.toISOString() } };
  return putItem<RunTallyBaseRecord>(key, record, isAsRead);
}

/** Sets what the runs of a shard tell; false when runs moved meanwhile. */
export async function setRunTally(
  { workspaceId, automationId, shard }: ShardPosition,
  { version, tally, moves }: ShardTally,
  counted: RunTally,
): Promise<boolean> {
  const known = Object.keys(tally).filter((name) => !isOutsideRuns(name));
  const names = [...new Set([...known, ...Object.keys(counted)])];
  if (names.every((name) => tally[name] === (counted[name] ?? 0))) return true;
  const set = names.map((name) => [`${prefix}${name}`, counted[name] ?? 0] as const);
  const changed = await changeItem<RunTallyRecord>(runTallyKey(workspaceId, automationId, shard, version), {
    set: [...set, ['moves', moves + 1] as const],
    expect: { moves: moves || undefined },
  });
  return changed !== null;
}

const isEmpty = (tally: RunTally): boolean => Object.keys(tally).length === 0;

/** The counters of a version: 16 items, mostly half a read unit each. */
export async function readRunTally(workspaceId: string, automationId: string, version: number): Promise<RunTally> {
  const keys = Array.from({ length: automationShards }, (_, shard) =>
    runTallyKey(workspaceId, automationId, shard, version),
  );
  return summed((await batchGet(keys, { consistent: false })).map(tallyOf));
}

function tallyOf(item: Item): RunTally {
  const counters = Object.entries(item).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(counters.map(([name, count]) => [name.slice(prefix.length), Number(count)]));
}
