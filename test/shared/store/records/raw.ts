import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { documents, type Item, tableName } from '../../../../shared/store/table/table.ts';

/** Writes an item as it stands. */
export const putRaw = (Item: Item) => documents.send(new PutCommand({ TableName: tableName(), Item }));
