import { batchGet } from '../table/batches.ts';
import type { Change } from '../table/expression.ts';
import { dueCampaignPartition, dueCampaignShards, type Indexed, runnerKey } from '../table/keys.ts';
import { getItem, type Item, queryEach, type TransactionPart } from '../table/table.ts';
import { changeItem, changeItemOnce, putPart } from '../table/write.ts';
import { dueAttributes } from './internal/campaignRecord.ts';

interface RunnerRecord extends Indexed<'due'> {
  readonly workspace_id: string;
  readonly campaign_id: string;
  readonly runner: number;
  readonly turn: number;
  /** Marker of the last start of a run. */
  readonly last_begin?: string;
  readonly chunk: number;
  readonly expires_at: number;
}

/** One of the few workers that send a campaign: it sends every n-th chunk, one after the other. */
export interface Runner {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly runner: number;
  /** Rises with each queue message, so that duplicate and late messages are recognised. */
  readonly turn: number;
  readonly chunk: number;
  /** True while it waits to be woken and the sweeper ignores it. */
  readonly isResting: boolean;
}

type RunnerPosition = Pick<Runner, 'workspaceId' | 'campaignId' | 'runner'>;

const keyOf = ({ workspaceId, campaignId, runner }: RunnerPosition) => runnerKey(workspaceId, campaignId, runner);

/**
 * Every runner and, as the last one, the closer, each at its start: parts of the transaction that starts the campaign.
 * They are due at once, so that the sweeper wakes those whose message was lost.
 */
export function runnerParts(
  { workspaceId, id: campaignId }: { readonly workspaceId: string; readonly id: string },
  { runners }: { readonly runners: number },
  dueAt: Date,
  expiresAt: number,
): TransactionPart[] {
  return Array.from({ length: runners + 1 }, (_, runner) => {
    const position = { workspaceId, campaignId, runner };
    return putPart<RunnerRecord>(keyOf(position), {
      ...{ workspace_id: workspaceId, campaign_id: campaignId, runner, turn: 0, expires_at: expiresAt },
      chunk: runner === runners ? 0 : runner,
      ...dueAttributes(nameOf(position), dueAt),
    });
  });
}

/**
 * Starts the run of a message; null when the stored turn is another one: the message is a duplicate, or was taken for
 * lost.
 */
export async function beginTurn(position: RunnerPosition, turn: number, dueAt: Date): Promise<Runner | null> {
  const begin = { set: { turn: turn + 1, ...dueAttributes(nameOf(position), dueAt) }, expect: { turn } };
  const item = await changeItemOnce<RunnerRecord>(keyOf(position), begin, 'last_begin');
  return item && runnerOf(item);
}

/** Stores where the next run continues; null when another run was started meanwhile. */
export async function endTurn(runner: Runner, chunk: number, dueAt: Date): Promise<Runner | null> {
  const { turn } = runner;
  return change(runner, { set: { chunk, ...dueAttributes(nameOf(runner), dueAt) }, expect: { turn } });
}

/** For a runner that has nothing to do for now: the sweeper ignores it until it is woken. */
export async function restRunner(runner: Runner, chunk: number): Promise<Runner | null> {
  return change(runner, { set: { chunk }, remove: ['due_pk', 'due_sk'], expect: { turn: runner.turn } });
}

export async function getRunner(position: RunnerPosition): Promise<Runner | null> {
  const item = await getItem(keyOf(position));
  return item && runnerOf(item);
}

/** The existing ones of the first `count` runners of a campaign, strongly consistent, in one call. */
export async function getRunners(
  { workspaceId, campaignId }: Omit<RunnerPosition, 'runner'>,
  count: number,
): Promise<Runner[]> {
  const keys = Array.from({ length: count }, (_, runner) => runnerKey(workspaceId, campaignId, runner));
  return (await batchGet(keys, { consistent: true })).map(runnerOf);
}

/** Runners whose message should have arrived by `before`: a few empty queries in the normal case. */
export async function listLateRunners(before: Date, limitOfShard: number): Promise<RunnerPosition[]> {
  const partitions = Array.from({ length: dueCampaignShards }, (_, shard) => dueCampaignPartition(shard));
  const query = { index: 'due', sort: { below: before.toISOString() }, limit: limitOfShard } as const;
  return (await queryEach(partitions, query)).map(({ due_sk }) => positionOf(String(due_sk)));
}

const nameOf = ({ workspaceId, campaignId, runner }: RunnerPosition): string =>
  `${workspaceId}#${campaignId}#${runner}`;

/** `<time>#<workspace>#<campaign>#<runner>` */
function positionOf(due: string): RunnerPosition {
  const [, workspaceId = '', campaignId = '', runner = ''] = due.split('#');
  return { workspaceId, campaignId, runner: Number(runner) };
}

async function change(position: RunnerPosition, changes: Change<RunnerRecord>): Promise<Runner | null> {
  const item = await changeItem<RunnerRecord>(keyOf(position), changes);
  return item && runnerOf(item);
}

const runnerOf = (item: Item): Runner => ({
  workspaceId: String(item.workspace_id),
  campaignId: String(item.campaign_id),
  runner: Number(item.runner),
  turn: Number(item.turn),
  chunk: Number(item.chunk),
  isResting: item.due_pk === undefined,
});
