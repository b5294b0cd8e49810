import {
  type AttributeDefinition,
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  type GlobalSecondaryIndexDescription,
  type KeySchemaElement,
  ResourceInUseException,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { type IndexDefinition, table } from '../../resources.ts';

const indexes: readonly IndexDefinition[] = table.indexes;

/**
 * Creates the table of infra/resources.ts, or adds missing indexes and the time to live to an existing one.
 *
 * Throws when an index exists with other keys or attributes, which DynamoDB cannot change.
 */
export async function ensureTable(dynamodb: DynamoDBClient, tableName: string): Promise<void> {
  const existing = await describeTable(dynamodb, tableName);
  if (existing) await addIndexes(dynamodb, tableName, existing.GlobalSecondaryIndexes ?? []);
  else await createTable(dynamodb, tableName);
  await ensureTimeToLive(dynamodb, tableName);
}

async function describeTable(dynamodb: DynamoDBClient, tableName: string): Promise<TableDescription | undefined> {
  try {
    return (await dynamodb.send(new DescribeTableCommand({ TableName: tableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function createTable(dynamodb: DynamoDBClient, tableName: string): Promise<void> {
  const keys = [table, ...indexes].flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);
  try {
    await dynamodb.send(
      new CreateTableCommand({
        TableName: tableName,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: keySchema(table),
        AttributeDefinitions: attributeDefinitions(keys),
        GlobalSecondaryIndexes: indexes.map(indexInput),
      }),
    );
  } catch (error) {
    // Another process on the same engine was faster.
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client: dynamodb, maxWaitTime: 30, minDelay: 1 }, { TableName: tableName });
}

/** DynamoDB adds one index at a time and fills it from the existing items. */
async function addIndexes(dynamodb: DynamoDBClient, tableName: string, existing: GlobalSecondaryIndexDescription[]) {
  for (const index of indexes) {
    const found = existing.find(({ IndexName }) => IndexName === index.name);
    if (found) {
      requireSame(found, index);
      continue;
    }
    await dynamodb.send(
      new UpdateTableCommand({
        TableName: tableName,
        AttributeDefinitions: attributeDefinitions([index.partitionKey, index.sortKey]),
        GlobalSecondaryIndexUpdates: [{ Create: indexInput(index) }],
      }),
    );
    await waitUntilIndexIsActive(dynamodb, tableName, index.name);
  }
}

function requireSame(found: GlobalSecondaryIndexDescription, index: IndexDefinition): void {
  const shape = (input: GlobalSecondaryIndexDescription | GlobalSecondaryIndex) =>
    JSON.stringify([
      input.KeySchema?.map(({ AttributeName }) => AttributeName),
      [...(input.Projection?.NonKeyAttributes ?? [])].sort(),
    ]);
  if (shape(found) === shape(indexInput(index))) return;
  throw new Error(
    `The index ${index.name} of the existing table differs from infra/resources.ts, and DynamoDB cannot change an ` +
      'index: give the new one another name there, or start with an empty data folder.',
  );
}

async function waitUntilIndexIsActive(dynamodb: DynamoDBClient, tableName: string, name: string): Promise<void> {
  for (;;) {
    const description = await describeTable(dynamodb, tableName);
    const index = description?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === name);
    if (index?.IndexStatus === undefined || index.IndexStatus === 'ACTIVE') return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function ensureTimeToLive(dynamodb: DynamoDBClient, tableName: string): Promise<void> {
  const { TimeToLiveDescription } = await dynamodb.send(new DescribeTimeToLiveCommand({ TableName: tableName }));
  if (TimeToLiveDescription?.TimeToLiveStatus?.startsWith('ENABL')) return;
  await dynamodb.send(
    new UpdateTimeToLiveCommand({
      TableName: tableName,
      TimeToLiveSpecification: { AttributeName: table.timeToLive, Enabled: true },
    }),
  );
}

function indexInput(index: IndexDefinition): GlobalSecondaryIndex {
  return {
    IndexName: index.name,
    KeySchema: keySchema(index),
    Projection:
      index.projected.length === 0
        ? { ProjectionType: 'KEYS_ONLY' }
        : { ProjectionType: 'INCLUDE', NonKeyAttributes: [...index.projected] },
  };
}

function keySchema(keys: { partitionKey: string; sortKey: string }): KeySchemaElement[] {
  return [
    { AttributeName: keys.partitionKey, KeyType: 'HASH' },
    { AttributeName: keys.sortKey, KeyType: 'RANGE' },
  ];
}

/** All keys are strings. */
function attributeDefinitions(names: readonly string[]): AttributeDefinition[] {
  return [...new Set(names)].map((name) => ({ AttributeName: name, AttributeType: 'S' }));
}
