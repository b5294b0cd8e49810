import type { Sender } from '../../domain/workspace/workspace.ts';
import { senderKey } from '../table/keys.ts';
import { tableName } from '../table/table.ts';
import { transact } from '../table/transaction.ts';

/** Writes senders in one transaction, so that the default never stands on two of them or on none. */
export async function putSenders(workspaceId: string, senders: readonly Sender[], now: Date): Promise<void> {
  await transact(
    senders.map((sender) => ({
      Update: {
        TableName: tableName(),
        Key: senderKey(workspaceId, sender.email),
        UpdateExpression:
          'SET email = :email, #name = :name, #default = :default, created_at = if_not_exists(created_at, :now)',
        ExpressionAttributeNames: { '#name': 'name', '#default': 'default' },
        ExpressionAttributeValues: {
          ':email': sender.email,
          ':name': sender.name,
          ':default': sender.default,
          ':now': now.toISOString(),
        },
      },
    })),
  );
}
