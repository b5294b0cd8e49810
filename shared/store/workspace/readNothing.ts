import { GetCommand } from '../dynamodb/commands.ts';
import { healthKey } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';

/** Reads an item that is never there: throws when the table does not answer. Half a read unit. */
export async function readNothing(): Promise<void> {
  await documents.send(new GetCommand({ TableName: tableName(), Key: healthKey }));
}
