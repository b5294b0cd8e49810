import {
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { connection, supervised } from '../../platform/aws/clients.ts';

/** For calls about tables; `documents` is for items. */
const tables = () => supervised(new DynamoDBClient(connection()));

export type TableState = 'missing' | 'being made' | 'ready';

export async function stateOfTable(name: string): Promise<TableState> {
  try {
    const { Table } = await tables().send(new DescribeTableCommand({ TableName: name }));
    return Table?.TableStatus === 'ACTIVE' ? 'ready' : 'being made';
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return 'missing';
    throw error;
  }
}

/** Begins to make a new table with the items that another one had at a time. DynamoDB needs minutes to hours. */
export async function beginRestore(source: string, target: string, point: Date): Promise<void> {
  const names = { SourceTableName: source, TargetTableName: target };
  await tables().send(new RestoreTableToPointInTimeCommand({ ...names, RestoreDateTime: point }));
}

/**
 * Gives a restored table what DynamoDB does not restore (DynamoDB Developer Guide, "Point-in-time recovery"): expiry of
 * items, its own backups, and protection against deletion. May be repeated.
 */
export async function protectTable(TableName: string): Promise<void> {
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await tables().send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  await tables().send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  const TimeToLiveSpecification = { AttributeName: 'expires_at', Enabled: true };
  await tables()
    .send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
    .catch((error: Error) => {
      // The answer to a repetition.
      if (!error.message.includes('already enabled')) throw error;
    });
}
