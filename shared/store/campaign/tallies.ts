import { sum, type Tally } from '../../domain/campaign/tally.ts';
import { UpdateCommand } from '../dynamodb/commands.ts';
import { campaignShards, tallyKey } from '../table/keys.ts';
import { batchGet, documents, type Item, tableName } from '../table/table.ts';
import { contended, transact } from '../table/transaction.ts';

interface TallyPosition {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly shard: number;
}

/** Moves the counters of a shard; one write unit for whatever they hold. */
export async function addToTally(position: TallyPosition, change: Tally): Promise<void> {
  if (isNothing(change)) return;
  await contended(() => documents.send(new UpdateCommand(moveOf(position, change))));
}

/**
 * Moves the counters of a shard to what a recount found, unless another recount did since they were read: two at once
 * would both add what is missing. False when another was first.
 */
export async function correctTally(
  position: TallyPosition,
  change: Tally,
  { seen }: { readonly seen: number },
): Promise<boolean> {
  if (isNothing(change)) return true;
  const move = moveOf(position, change);
  const failed = await transact([
    {
      Update: {
        ...move,
        UpdateExpression: `SET recounts = :next ${move.UpdateExpression}`,
        ConditionExpression: seen === 0 ? 'attribute_not_exists(recounts)' : 'recounts = :seen',
        ExpressionAttributeValues: {
          ...move.ExpressionAttributeValues,
          ':next': seen + 1,
          ...(seen === 0 ? {} : { ':seen': seen }),
        },
      },
    },
  ]);
  return failed === null;
}

const isNothing = (change: Tally): boolean => Object.values(change).every((count) => count === 0);

/** The counters of a report stay for good: 16 small items, and without them a campaign would seem to be waiting again. */
function moveOf({ workspaceId, campaignId, shard }: TallyPosition, change: Tally) {
  const entries = Object.entries(change).filter(([, count]) => count !== 0);
  return {
    TableName: tableName(),
    Key: tallyKey(workspaceId, campaignId, shard),
    UpdateExpression: `ADD ${entries.map((_, index) => `#n${index} :v${index}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(entries.map(([name], index) => [`#n${index}`, prefix + name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(entries.map(([, count], index) => [`:v${index}`, count])),
    },
  };
}

export interface Tallies {
  readonly shards: readonly Tally[];
  /** By shard: how often a recount has corrected it. */
  readonly recounts: readonly number[];
  readonly total: Tally;
}

/** The counters of every shard, and of all together: 16 items, half a read unit each for most. */
export async function readTallies(
  workspaceId: string,
  campaignId: string,
  options: { consistent: boolean } = { consistent: false },
): Promise<Tallies> {
  const keys = Array.from({ length: campaignShards }, (_, shard) => tallyKey(workspaceId, campaignId, shard));
  const items = new Map((await batchGet(keys, options)).map((item) => [String(item.pk), item]));
  const shards = keys.map(({ pk }) => tallyOf(items.get(pk) ?? {}));
  const recounts = keys.map(({ pk }) => Number(items.get(pk)?.recounts ?? 0));
  return { shards, recounts, total: sum(shards) };
}

/** Names hold dots and labels: apart from what the item says of itself. */
const prefix = 'n#';

function tallyOf(item: Item): Tally {
  const counters = Object.entries(item).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(counters.map(([name, count]) => [name.slice(prefix.length), Number(count)]));
}
