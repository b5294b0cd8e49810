import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type SubscriberStatus, subscriberStatuses } from '../../domain/person/subscriber.ts';
import { suppressionReasons } from '../../domain/person/suppression.ts';
import type { SegmentPerson } from '../../domain/segment/segment.ts';
import {
  addressItemKey,
  audiencePartition,
  audienceShards,
  platformAddressKey,
  platformSuppressedPartition,
} from '../table/keys.ts';
import { addressOfPosition, newestPositions } from '../table/newestPage.ts';
import { batchGet, documents, type Item, tableName } from '../table/table.ts';

/** Somebody who is subscribed and whom nothing in the workspace stands against writing to. */
export interface AudienceMember extends SegmentPerson {
  readonly email: string;
}

/** A subscriber, and whether the workspace has suppressed the address. */
export interface MemberStanding {
  readonly status: SubscriberStatus;
  readonly isSuppressed: boolean;
}

const standing = z.object({
  email: z.string(),
  status: z.enum(subscriberStatuses).optional(),
  suppression_reason: z.enum(suppressionReasons).optional(),
});

/** The subscribers among these addresses (canonical form, each once): half a read unit an address. */
export async function findStandings(
  workspaceId: string,
  emails: readonly string[],
): Promise<Map<string, MemberStanding>> {
  const items = await batchGet(
    emails.map((email) => addressItemKey(workspaceId, email)),
    { consistent: false, attributes: Object.keys(standing.shape) },
  );
  const found = new Map<string, MemberStanding>();
  for (const item of items) {
    const { email, status, suppression_reason } = standing.parse(item);
    if (status) found.set(email, { status, isSuppressed: suppression_reason !== undefined });
  }
  return found;
}

/** Those of these addresses that are on the platform's list: half a read unit an address. */
export async function findPlatformSuppressed(emails: readonly string[]): Promise<Set<string>> {
  const items = await batchGet(emails.map(platformAddressKey), { consistent: false, attributes: ['email'] });
  return new Set(items.map((item) => String(item.email)));
}

/** The platform's whole list, in pages. */
export async function* platformSuppressedPages(): AsyncGenerator<string[]> {
  let after: string | undefined;
  do {
    const { positions, next } = await newestPositions('suppressed', platformSuppressedPartition, {
      limit: 1000,
      after,
    });
    yield positions.map(addressOfPosition);
    after = next ?? undefined;
  } while (after !== undefined);
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

/** The members of each shard, in pages, to be read side by side. */
export function memberPages(workspaceId: string): AsyncGenerator<AudienceMember[]>[] {
  return shards.map((shard) => membersOfShard(workspaceId, shard));
}

async function* membersOfShard(workspaceId: string, shard: number): AsyncGenerator<AudienceMember[]> {
  for await (const { items } of shardPages(workspaceId, shard, {})) yield items.map(memberOf);
}

const shards = Array.from({ length: audienceShards }, (_, shard) => shard);

async function* shardPages(workspaceId: string, shard: number, options: Pick<QueryCommandInput, 'Select'>) {
  let start: QueryCommandInput['ExclusiveStartKey'];
  do {
    const { Items, Count, LastEvaluatedKey } = await documents.send(
      new QueryCommand({
        TableName: tableName(),
        IndexName: 'audience',
        KeyConditionExpression: 'audience_pk = :pk',
        ExpressionAttributeValues: { ':pk': audiencePartition(workspaceId, shard) },
        ExclusiveStartKey: start,
        ...options,
      }),
    );
    yield { items: Items ?? [], count: Count ?? 0 };
    start = LastEvaluatedKey;
  } while (start);
}

const member = z
  .object({
    email: z.string(),
    first_name: z.string().nullish(),
    last_name: z.string().nullish(),
    tags: z.array(z.string()).default([]),
    fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
    created_at: z.string(),
    confirmed_at: z.string().nullish(),
  })
  .transform(
    (item): AudienceMember => ({
      email: item.email,
      firstName: item.first_name ?? null,
      lastName: item.last_name ?? null,
      tags: item.tags,
      fields: item.fields,
      createdAt: item.created_at,
      confirmedAt: item.confirmed_at ?? null,
    }),
  );

const memberOf = (item: Item): AudienceMember => member.parse(item);
