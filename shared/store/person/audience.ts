import { type SubscriberStatus, subscriberStatuses } from '../../domain/person/subscriber.ts';
import type { RuleSubjects } from '../../domain/segment/ruleSubjects.ts';
import type { SegmentPerson } from '../../domain/segment/segment.ts';
import { QueryCommand, type QueryCommandInput } from '../dynamodb/commands.ts';
import { addressItemKey, audiencePartition, audienceShards } from '../table/keys.ts';
import { batchGet, documents, type Item, projectionOf, tableName } from '../table/table.ts';
import { attributesOf, segmentPersonOf, textOf } from './audienceRow.ts';
import { preferencesOf } from './preferencesItem.ts';

/** Somebody who is subscribed and whom nothing in the workspace stands against writing to; of a rule's subjects only. */
export interface AudienceMember {
  readonly email: string;
  readonly person: SegmentPerson;
}

/** A subscriber of any status; of a rule's subjects only. */
export interface FoundSubscriber extends AudienceMember {
  readonly status: SubscriberStatus;
  /** Whether the workspace has suppressed the address. */
  readonly isSuppressed: boolean;
  /** Kinds of mail that they have left. */
  readonly leftTags: readonly string[];
}

/** The subscribers among these addresses (canonical form, each once), by address: half a read unit an address. */
export async function findSubscribers(
  workspaceId: string,
  emails: readonly string[],
  subjects: RuleSubjects,
): Promise<Map<string, FoundSubscriber>> {
  const items = await batchGet(
    emails.map((email) => addressItemKey(workspaceId, email)),
    {
      consistent: false,
      attributes: [['email'], ['status'], ['suppression_reason'], ['preferences'], ...attributesOf(subjects)],
    },
  );
  const found = new Map<string, FoundSubscriber>();
  for (const item of items) {
    if (item.status === undefined) continue;
    const status = statusOf(item);
    const isSuppressed = item.suppression_reason !== undefined;
    const { leftTags } = preferencesOf(item);
    found.set(textOf(item, 'email'), { ...memberOf(item, subjects), status, isSuppressed, leftTags });
  }
  return found;
}

function statusOf(item: Item): SubscriberStatus {
  const status = subscriberStatuses.find((known) => known === item.status);
  if (!status) throw new Error('An address item has a status that nobody knows.');
  return status;
}

/** How many are subscribed and not suppressed in the workspace: all shards side by side, nobody is transferred. */
export async function countMembers(workspaceId: string): Promise<number> {
  const counts = shards.map(async (shard) => {
    let count = 0;
    for await (const page of shardPages(workspaceId, shard, { Select: 'COUNT' })) count += page.count;
    return count;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** The members of each shard, in order of their address, in pages of 1 MB of index: to be read side by side. */
export function memberPages(workspaceId: string, subjects: RuleSubjects): AsyncGenerator<AudienceMember[]>[] {
  return shards.map((shard) => membersOfShard(workspaceId, shard, subjects));
}

async function* membersOfShard(workspaceId: string, shard: number, subjects: RuleSubjects) {
  const projection = projectionOf([['email'], ...attributesOf(subjects)]);
  for await (const { items } of shardPages(workspaceId, shard, projection)) {
    yield items.map((item) => memberOf(item, subjects));
  }
}

const memberOf = (item: Item, subjects: RuleSubjects): AudienceMember => ({
  email: textOf(item, 'email'),
  person: segmentPersonOf(item, subjects),
});

const shards = Array.from({ length: audienceShards }, (_, shard) => shard);

async function* shardPages(
  workspaceId: string,
  shard: number,
  wanted: Pick<QueryCommandInput, 'Select' | 'ProjectionExpression' | 'ExpressionAttributeNames'>,
) {
  let start: QueryCommandInput['ExclusiveStartKey'];
  do {
    const { Items, Count, LastEvaluatedKey } = await documents.send(
      new QueryCommand({
        TableName: tableName(),
        IndexName: 'audience',
        KeyConditionExpression: 'audience_pk = :pk',
        ExpressionAttributeValues: { ':pk': audiencePartition(workspaceId, shard) },
        ExclusiveStartKey: start,
        ...wanted,
      }),
    );
    yield { items: Items ?? [], count: Count ?? 0 };
    start = LastEvaluatedKey;
  } while (start);
}
