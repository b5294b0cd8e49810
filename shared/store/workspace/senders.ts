import type { Sender } from '../../domain/workspace/workspace.ts';
import { senderKey } from '../table/keys.ts';
import { deleteExisting, tableName } from '../table/table.ts';
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

/** Takes a sender from a workspace; false when it has none of this address. */
export const deleteSender = (workspaceId: string, email: string): Promise<boolean> =>
  deleteExisting(senderKey(workspaceId, email));
