import { GetCommand, QueryCommand, UpdateCommand } from '../dynamodb/commands.ts';
import { ConditionalCheckFailedException } from '../dynamodb/errors.ts';
import { dueCampaignPartition, dueCampaignShards, runnerKey } from '../table/keys.ts';
import { batchGet, documents, type Item, type TransactionPart, tableName } from '../table/table.ts';
import { dueAttributes } from './campaignItem.ts';

/** One of the few that send a campaign: it does every n-th chunk, one after the other. */
export interface Runner {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly runner: number;
  /** Rises with each message: one that comes twice, or late, is known by it. */
  readonly turn: number;
  readonly chunk: number;
  /** Nobody looks after it until it is woken. */
  readonly isResting: boolean;
}

type RunnerPosition = Pick<Runner, 'workspaceId' | 'campaignId' | 'runner'>;

/**
 * Every runner and, as the last of them, the closer, each at its start: parts of the transaction that starts the
 * campaign, and due from then on, so that the sweeper wakes them when nobody else does.
 */
export function runnerParts(
  { workspaceId, id: campaignId }: { readonly workspaceId: string; readonly id: string },
  { runners }: { readonly runners: number },
  dueAt: Date,
  expiresAt: number,
): TransactionPart[] {
  return Array.from({ length: runners + 1 }, (_, runner) => ({
    Put: {
      TableName: tableName(),
      Item: {
        ...runnerKey(workspaceId, campaignId, runner),
        workspace_id: workspaceId,
        campaign_id: campaignId,
        runner,
        turn: 0,
        chunk: runner === runners ? 0 : runner,
        ...dueAttributes(nameOf({ workspaceId, campaignId, runner }), dueAt),
        expires_at: expiresAt,
      },
    },
  }));
}

/** Begins the turn of a message; null when it is not its turn: a twin, or one that was given up for lost. */
export async function beginTurn(position: RunnerPosition, turn: number, dueAt: Date): Promise<Runner | null> {
  return change(position, {
    UpdateExpression: 'SET turn = :next, due_pk = :due_pk, due_sk = :due_sk',
    ConditionExpression: 'turn = :turn',
    ExpressionAttributeValues: { ':turn': turn, ':next': turn + 1, ...dueValues(position, dueAt) },
  });
}

/** Notes where the next turn goes on; null when another began it meanwhile. */
export async function endTurn(runner: Runner, chunk: number, dueAt: Date): Promise<Runner | null> {
  return change(runner, {
    UpdateExpression: 'SET chunk = :chunk, due_pk = :due_pk, due_sk = :due_sk',
    ConditionExpression: 'turn = :turn',
    ExpressionAttributeValues: { ':turn': runner.turn, ':chunk': chunk, ...dueValues(runner, dueAt) },
  });
}

/** A runner that has nothing to do for now: nobody looks after it until it is woken. */
export async function restRunner(runner: Runner, chunk: number): Promise<Runner | null> {
  return change(runner, {
    UpdateExpression: 'SET chunk = :chunk REMOVE due_pk, due_sk',
    ConditionExpression: 'turn = :turn',
    ExpressionAttributeValues: { ':turn': runner.turn, ':chunk': chunk },
  });
}

export async function getRunner({ workspaceId, campaignId, runner }: RunnerPosition): Promise<Runner | null> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: runnerKey(workspaceId, campaignId, runner), ConsistentRead: true }),
  );
  return Item ? runnerOf(Item) : null;
}

/** Those of the first `count` runners of a campaign that there are, strongly consistent, in one call. */
export async function getRunners(
  { workspaceId, campaignId }: Omit<RunnerPosition, 'runner'>,
  count: number,
): Promise<Runner[]> {
  const keys = Array.from({ length: count }, (_, runner) => runnerKey(workspaceId, campaignId, runner));
  return (await batchGet(keys, { consistent: true })).map(runnerOf);
}

/** Where runners are whose message should have come by `before`: a few empty queries when all is well. */
export async function listLateRunners(before: Date, limitOfShard: number): Promise<RunnerPosition[]> {
  const shards = Array.from({ length: dueCampaignShards }, (_, shard) => dueCampaignPartition(shard));
  const pages = await Promise.all(
    shards.map((partition) =>
      documents.send(
        new QueryCommand({
          TableName: tableName(),
          IndexName: 'due',
          KeyConditionExpression: 'due_pk = :pk AND due_sk < :before',
          ExpressionAttributeValues: { ':pk': partition, ':before': before.toISOString() },
          Limit: limitOfShard,
        }),
      ),
    ),
  );
  return pages.flatMap(({ Items = [] }) => Items).map(({ due_sk }) => positionOf(String(due_sk)));
}

const nameOf = ({ workspaceId, campaignId, runner }: RunnerPosition): string =>
  `${workspaceId}#${campaignId}#${runner}`;

/** `<time>#<workspace>#<campaign>#<runner>` */
function positionOf(due: string): RunnerPosition {
  const [, workspaceId = '', campaignId = '', runner = ''] = due.split('#');
  return { workspaceId, campaignId, runner: Number(runner) };
}

function dueValues(position: RunnerPosition, at: Date) {
  const { due_pk, due_sk } = dueAttributes(nameOf(position), at);
  return { ':due_pk': due_pk, ':due_sk': due_sk };
}

async function change(
  { workspaceId, campaignId, runner }: RunnerPosition,
  input: { UpdateExpression: string; ConditionExpression: string; ExpressionAttributeValues: Record<string, unknown> },
): Promise<Runner | null> {
  try {
    const { Attributes } = await documents.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: runnerKey(workspaceId, campaignId, runner),
        ...input,
        ReturnValues: 'ALL_NEW',
      }),
    );
    return runnerOf(Attributes ?? {});
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return null;
    throw error;
  }
}

const runnerOf = (item: Item): Runner => ({
  workspaceId: String(item.workspace_id),
  campaignId: String(item.campaign_id),
  runner: Number(item.runner),
  turn: Number(item.turn),
  chunk: Number(item.chunk),
  isResting: item.due_pk === undefined,
});
