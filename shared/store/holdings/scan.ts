import type { ScanPlace, ScanPosition } from '../../domain/job/scanPosition.ts';
import { merged } from '../../platform/parallel.ts';
import { ScanCommand, type ScanCommandInput } from '../dynamodb/commands.ts';
import { workspacePartition, workspacePrefix } from '../table/keys.ts';
import { documents, type Item, tableName } from '../table/table.ts';

/** What a workspace holds, read by a scan of the whole table: for what is asked for rarely, and must miss nothing. */
export interface ScannedPage {
  readonly items: readonly Item[];
  /** Items of the table that were looked at for it, those of others too. */
  readonly scanned: number;
  /** Where the scan stands when this page has been dealt with, as have all before it. */
  readonly position: ScanPosition;
}

/** Parts of the table that are read side by side. */
const segments = 4;
/** A page that is full of others' items takes an engine of a laptop longer than a call may take, where there are many. */
const itemsOfPage = 2000;

/**
 * Everything of a workspace, whatever it is: half a read unit for 4 KB of the table, of other workspaces too. `from` is
 * where an earlier scan stood; a position of another number of parts counts for none.
 */
export async function* scanWorkspace(
  workspaceId: string,
  from: ScanPosition | null = null,
): AsyncGenerator<ScannedPage> {
  const fresh = Array.from({ length: segments }, () => 'start' as const);
  const places = from?.length === segments ? [...from] : fresh;
  const streams = places.flatMap((place, segment) => (place === 'end' ? [] : scanSegment(workspaceId, segment, place)));
  for await (const { segment, next, items, scanned } of merged(streams)) {
    places[segment] = next;
    yield { items, scanned, position: [...places] };
  }
}

async function* scanSegment(workspaceId: string, Segment: number, from: ScanPlace) {
  let start: ScanCommandInput['ExclusiveStartKey'] = typeof from === 'string' ? undefined : from;
  do {
    const { Items, ScannedCount, LastEvaluatedKey } = await documents.send(
      new ScanCommand({
        TableName: tableName(),
        Segment,
        TotalSegments: segments,
        Limit: itemsOfPage,
        FilterExpression: 'begins_with(pk, :prefix) OR pk = :own',
        ExpressionAttributeValues: { ':prefix': workspacePrefix(workspaceId), ':own': workspacePartition(workspaceId) },
        ExclusiveStartKey: start,
      }),
    );
    start = LastEvaluatedKey;
    const next: ScanPlace = start ? { pk: String(start.pk), sk: String(start.sk) } : 'end';
    yield { segment: Segment, next, items: Items ?? [], scanned: ScannedCount ?? 0 };
  } while (start);
}
