import { merged } from '../../platform/parallel.ts';
import { ScanCommand, type ScanCommandInput } from '../dynamodb/commands.ts';
import { workspacePartition, workspacePrefix } from '../table/keys.ts';
import { documents, type Item, tableName } from '../table/table.ts';

/** What a workspace holds, read by a scan of the whole table: for what is asked for rarely, and must miss nothing. */
export interface ScannedPage {
  readonly items: readonly Item[];
  /** Items of the table that were looked at for it, those of others too. */
  readonly scanned: number;
}

/** Parts of the table that are read side by side. */
const segments = 4;
/** A page that is full of others' items takes an engine of a laptop longer than a call may take, where there are many. */
const itemsOfPage = 2000;

/** Everything of a workspace, whatever it is: half a read unit for 4 KB of the table, of other workspaces too. */
export function scanWorkspace(workspaceId: string): AsyncGenerator<ScannedPage> {
  return merged(Array.from({ length: segments }, (_, segment) => scanSegment(workspaceId, segment)));
}

async function* scanSegment(workspaceId: string, Segment: number): AsyncGenerator<ScannedPage> {
  let start: ScanCommandInput['ExclusiveStartKey'];
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
    yield { items: Items ?? [], scanned: ScannedCount ?? 0 };
    start = LastEvaluatedKey;
  } while (start);
}
