import type { ScanPlace, ScanPosition } from '../../domain/job/scanPosition.ts';
import { config } from '../../platform/config.ts';
import { merged } from '../../platform/parallel.ts';
import { ScanCommand, type ScanCommandInput } from '../dynamodb/commands.ts';
import { termPartitions, workspacePartition, workspacePrefix } from '../table/keys.ts';
import { documents, type Item, tableName } from '../table/table.ts';

/** What a workspace holds, read by a scan of the whole table: for what is asked for rarely, and must miss nothing. */
export interface ScannedPage {
  readonly items: readonly Item[];
  /** Items of the table that were looked at for it, those of others too. */
  readonly scanned: number;
  /** Where the scan stands when this page has been dealt with, as have all before it. */
  readonly position: ScanPosition;
}

/** A page that is full of others' items takes an engine of a laptop longer than a call may take, where there are many. */
const itemsOfPage = 2000;

/**
 * Everything of a workspace, whatever it is, but the terms that its people are found by: a person is one item with theirs,
 * and written with them. Half a read unit for 4 KB of the table, of other workspaces too. `from` is where an earlier scan
 * stood; a position of another number of parts counts for none.
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
  /** How many there are. */
  readonly segments: number;
}

async function* scanSegment(workspaceId: string, { segment, segments }: Part, from: ScanPlace) {
  let start: ScanCommandInput['ExclusiveStartKey'] = typeof from === 'string' ? undefined : from;
  do {
    const { Items, ScannedCount, LastEvaluatedKey } = await documents.send(
      new ScanCommand({
        TableName: tableName(),
        // The whole is asked for without a word of parts: a laptop's engine is three times as quick then.
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
    const next: ScanPlace = start ? { pk: String(start.pk), sk: String(start.sk) } : 'end';
    yield { segment, next, items: Items ?? [], scanned: ScannedCount ?? 0 };
  } while (start);
}
