import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { ScanPosition, SegmentPosition } from '../domain/job.ts';
import { config } from '../platform/config.ts';
import { inParallel, merged } from '../platform/parallel.ts';
import { type BlockRecord, erasedName } from './suppression/platformSuppression.ts';
import { deleteItems } from './table/batches.ts';
import {
  type Key,
  keysOfWorkspace,
  termPartitions,
  workspaceKey,
  workspacePartition,
  workspacePrefix,
} from './table/keys.ts';
import { documents, type Item, keyOfItem, tableName } from './table/table.ts';
import { upsertItem } from './table/write.ts';

/** The items of a workspace, from a scan of the whole table: for rare requests that must miss nothing. */
export interface ScannedPage {
  readonly items: readonly Item[];
  /** Scanned items, those of others included. */
  readonly scanned: number;
  /** The position after this page and all before it. */
  readonly position: ScanPosition;
}

/** With many workspaces, a page full of others' items would take a local engine longer than a call may take. */
const itemsOfPage = 2000;

/**
 * All items of a workspace except search terms: a person is written together with their terms. Half a read unit for 4
 * KB of the table, other workspaces included. `from` is the position of an earlier scan; one with another number of
 * segments is ignored.
 */
export async function* scanWorkspace(
  workspaceId: string,
  from: ScanPosition | null = null,
): AsyncGenerator<ScannedPage> {
  const segments = config('TABLE_SCAN_SEGMENTS');
  const fresh = Array.from({ length: segments }, () => 'start' as const);
  const places = from?.length === segments ? [...from] : fresh;
  const streams = places.flatMap((place, segment) =>
    place === 'end' ? [] : scanSegment(workspaceId, { segment, segments }, place),
  );
  for await (const { segment, next, items, scanned } of merged(streams)) {
    places[segment] = next;
    yield { items, scanned, position: [...places] };
  }
}

interface Part {
  readonly segment: number;
  /** The number of segments. */
  readonly segments: number;
}

async function* scanSegment(workspaceId: string, { segment, segments }: Part, from: SegmentPosition) {
  let start: ScanCommandInput['ExclusiveStartKey'] = typeof from === 'string' ? undefined : from;
  do {
    const { Items, ScannedCount, LastEvaluatedKey } = await documents.send(
      new ScanCommand({
        TableName: tableName(),
        // Without segments in the request, a local engine is three times as fast.
        ...(segments > 1 && { Segment: segment, TotalSegments: segments }),
        Limit: itemsOfPage,
        FilterExpression: '(begins_with(pk, :prefix) AND NOT begins_with(pk, :terms)) OR pk = :own',
        ExpressionAttributeValues: {
          ':prefix': workspacePrefix(workspaceId),
          ':terms': termPartitions(workspaceId),
          ':own': workspacePartition(workspaceId),
        },
        ExclusiveStartKey: start,
      }),
    );
    start = LastEvaluatedKey;
    const next: SegmentPosition = start ? { pk: String(start.pk), sk: String(start.sk) } : 'end';
    yield { segment, next, items: Items ?? [], scanned: ScannedCount ?? 0 };
  } while (start);
}

export interface DeletedPage {
  readonly scanned: number;
  readonly deleted: number;
  /** Where the next page begins; null at the end of the table. */
  readonly next: Key | null;
}

const callsAtOnce = 8;

/**
 * Deletes the items of a workspace in one page of the table, except the workspace's own item: its partitions, API keys,
 * held domains, and its entries in the blocks of addresses.
 */
export async function deletePage(workspaceId: string, start: Key | null): Promise<DeletedPage> {
  const { keys, blocks, domains } = keysOfWorkspace;
  const {
    Items = [],
    ScannedCount,
    LastEvaluatedKey,
  } = await documents.send(
    new ScanCommand({
      TableName: tableName(),
      Limit: itemsOfPage,
      ConsistentRead: true,
      FilterExpression:
        'begins_with(pk, :prefix) OR (pk = :own AND sk <> :itself) OR ' +
        '((begins_with(pk, :keys) OR pk = :domains) AND workspace_id = :id) OR (begins_with(pk, :blocks) AND attribute_exists(#erased))',
      ProjectionExpression: 'pk, sk',
      ExpressionAttributeNames: { '#erased': erasedName(workspaceId) },
      ExpressionAttributeValues: {
        ':prefix': workspacePrefix(workspaceId),
        ':own': workspacePartition(workspaceId),
        ':itself': workspaceKey(workspaceId).sk,
        ':keys': keys,
        ':blocks': blocks,
        ':domains': domains,
        ':id': workspaceId,
      },
      ...(start && { ExclusiveStartKey: start }),
    }),
  );
  const found = Items.map(keyOfItem);
  const isBlock = ({ pk }: Key) => pk.startsWith(blocks);
  await deleteItems(found.filter((key) => !isBlock(key)));
  await inParallel(callsAtOnce, found.filter(isBlock), (key) => leaveBlock(key, workspaceId));
  const next = LastEvaluatedKey ? keyOfItem(LastEvaluatedKey) : null;
  return { scanned: ScannedCount ?? 0, deleted: found.length, next };
}

/** Removes the workspace's entry from a block, which other workspaces and the platform may share. */
async function leaveBlock(key: Key, workspaceId: string): Promise<void> {
  await upsertItem<BlockRecord>(key, { remove: [erasedName(workspaceId)] });
}
