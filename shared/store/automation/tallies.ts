import { isOutsideRuns, type RunTally, summed } from '../../domain/automation/tally.ts';
import { shardOf } from '../../domain/encoding.ts';
import { batchGet } from '../table/batches.ts';
import { automationShards, runTallyKey } from '../table/keys.ts';
import { getItem, type Item, type TransactionPart } from '../table/table.ts';
import { changeItem, changeOnce, changePart } from '../table/write.ts';

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

/** What a recount begins with. */
export interface TallyAsRead {
  readonly tally: RunTally;
  readonly moves: number;
}

export async function readShard(position: RunTallyPosition): Promise<TallyAsRead> {
  const item = await getItem(keyOf(position));
  return { tally: tallyOf(item ?? {}), moves: Number(item?.moves ?? 0) };
}

/** Sets what the runs of a shard tell; false when runs moved meanwhile. */
export async function setRunTally(
  position: RunTallyPosition,
  before: TallyAsRead,
  counted: RunTally,
): Promise<boolean> {
  const known = Object.keys(before.tally).filter((name) => !isOutsideRuns(name));
  const names = new Set([...known, ...Object.keys(counted)]);
  const set = [...names].map((name) => [`${prefix}${name}`, counted[name] ?? 0] as const);
  if (set.length === 0) return true;
  const changed = await changeItem<RunTallyRecord>(keyOf(position), {
    set: [...set, ['moves', before.moves + 1] as const],
    expect: { moves: before.moves || undefined },
  });
  return changed !== null;
}

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
