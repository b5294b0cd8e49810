import { createHash } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { addressItemKey, claimKey, emailWatermarkKey, type Key, scheduledKey } from '../../shared/store/table/keys.ts';
import type { TestService } from './service.ts';

function documentsOf(service: TestService) {
  const client = new DynamoDBClient({
    endpoint: service.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return DynamoDBDocumentClient.from(client);
}

/** Moves confirmation claims of workers that crashed before `before` five minutes into the past. */
export async function ageConfirmationClaims(
  service: TestService,
  emails: readonly string[],
  before: Date,
): Promise<void> {
  const documents = documentsOf(service);
  for (const email of emails) {
    await documents
      .send(
        new UpdateCommand({
          TableName: service.environment.TABLE_NAME,
          Key: addressItemKey(service.workspaceId, email),
          UpdateExpression: 'SET confirmation.claimed_at = :old',
          ConditionExpression: 'confirmation.claimed_at < :before',
          ExpressionAttributeValues: {
            ':before': before.toISOString(),
            ':old': new Date(before.getTime() - 301_000).toISOString(),
          },
        }),
      )
      .catch((error: Error) => {
        if (error.name !== 'ConditionalCheckFailedException') throw error;
      });
  }
  documents.destroy();
}

/** Moves claims of Idempotency-Keys into the past, as if their calls had begun earlier; free ones are unchanged. */
export async function ageClaims(
  service: TestService,
  workspaceId: string,
  keys: readonly string[],
  seconds = 301,
): Promise<void> {
  const names = keys.map((key) => claimKey(workspaceId, createHash('sha256').update(key).digest('hex')));
  await goBack(service, names, 'claimed_at', seconds);
}

/** Moves claims of scheduled emails, by workers that crashed before `before`, five minutes into the past. */
export async function ageScheduled(
  service: TestService,
  workspaceId: string,
  ids: readonly string[],
  before: Date,
): Promise<void> {
  const documents = documentsOf(service);
  const changes = ids.map((id) =>
    documents
      .send(
        new UpdateCommand({
          TableName: service.environment.TABLE_NAME,
          Key: scheduledKey(workspaceId, id),
          UpdateExpression: 'SET claimed_at = :old',
          ConditionExpression: 'claimed_at BETWEEN :first AND :before',
          ExpressionAttributeValues: { ':first': 1, ':before': before.getTime(), ':old': before.getTime() - 301_000 },
        }),
      )
      .catch((error: Error) => {
        if (error.name !== 'ConditionalCheckFailedException') throw error;
      }),
  );
  await Promise.all(changes);
  documents.destroy();
}

/** Makes scheduled emails late for the sweeper, as if their time had passed without a message. */
export async function makeDue(service: TestService, workspaceId: string, ids: readonly string[]): Promise<void> {
  const documents = documentsOf(service);
  const changes = ids.map((id) =>
    documents
      .send(
        new UpdateCommand({
          TableName: service.environment.TABLE_NAME,
          Key: scheduledKey(workspaceId, id),
          UpdateExpression: 'SET due_sk = :old',
          ConditionExpression: 'due_sk > :old',
          ExpressionAttributeValues: { ':old': new Date(Date.now() - 1000).toISOString() },
        }),
      )
      .catch((error: Error) => {
        if (error.name !== 'ConditionalCheckFailedException') throw error;
      }),
  );
  await Promise.all(changes);
  documents.destroy();
}

/** The email of an Idempotency-Key, the first of a batch; null when no call holds the key. */
export async function emailOfClaim(service: TestService, workspaceId: string, key: string): Promise<string | null> {
  const documents = documentsOf(service);
  const Key = claimKey(workspaceId, createHash('sha256').update(key).digest('hex'));
  const { Item } = await documents.send(new GetCommand({ TableName: service.environment.TABLE_NAME, Key }));
  documents.destroy();
  return Item?.email_id ?? null;
}

/** Moves the feedback watermark back, as if no event of the last `seconds` had arrived. */
export const ageFeedback = (service: TestService, seconds: number): Promise<void> =>
  goBack(service, [emailWatermarkKey], 'heard_up_to', seconds);

async function goBack(service: TestService, keys: readonly Key[], attribute: string, seconds: number): Promise<void> {
  const documents = documentsOf(service);
  const changes = keys.map((Key) =>
    documents
      .send(
        new UpdateCommand({
          TableName: service.environment.TABLE_NAME,
          Key,
          UpdateExpression: 'SET #at = #at - :age',
          ConditionExpression: '#at > :free',
          ExpressionAttributeNames: { '#at': attribute },
          ExpressionAttributeValues: { ':age': seconds * 1000, ':free': 0 },
        }),
      )
      .catch((error: Error) => {
        if (error.name !== 'ConditionalCheckFailedException') throw error;
      }),
  );
  await Promise.all(changes);
  documents.destroy();
}
