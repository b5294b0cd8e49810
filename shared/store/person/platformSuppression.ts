import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { platformAddressKey } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';
import { type Suppression, suppressionOf } from './suppression.ts';

/** Takes an address (canonical form) off the platform's list; answers what stood there, null when nothing did. */
export async function deletePlatformSuppression(email: string): Promise<Suppression | null> {
  const { Attributes } = await documents.send(
    new DeleteCommand({ TableName: tableName(), Key: platformAddressKey(email), ReturnValues: 'ALL_OLD' }),
  );
  return Attributes ? suppressionOf(Attributes) : null;
}
