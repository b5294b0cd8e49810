import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { type EmailStatus, emailStatuses, statusRank } from '../../domain/sending/emailStatus.ts';
import { emailKey, emailPartition, recipientKey } from '../table/keys.ts';
import { documents, type Item, tableName } from '../table/table.ts';
import { contended } from '../table/transaction.ts';

const record = z.object({
  workspace_id: z.string(),
  email_id: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  reply_to: z.array(z.string()),
  subject: z.string(),
  tags: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Who is in which envelope; an envelope is one call of the provider, 50 recipients at most. */
  envelopes: z.array(z.array(z.string())),
  /** Where its recipients are counted: `2026-11`, `21`. */
  month: z.string(),
  day: z.string(),
  created_at: z.string(),
  expires_at: z.number(),
  /** True for the service's own mail (confirmations): it counts in the reputation and not in the quota. */
  quota_exempt: z.boolean().optional(),
});

export type EmailRecord = z.output<typeof record>;

export interface RecipientOutcome {
  readonly email: string;
  readonly status: EmailStatus;
  readonly updatedAt: string;
}

/**
 * An email with what the provider said of it. `messageIds[i]` is set once envelope `i` was accepted; `givenBack[i]` is
 * true while its recipients are given back to the quota for want of any sign of life, and never together with the first.
 */
export interface StoredEmail {
  readonly record: EmailRecord;
  readonly messageIds: readonly (string | undefined)[];
  readonly givenBack: readonly boolean[];
  readonly outcomes: readonly RecipientOutcome[];
}

/** Writes the record before the provider is called; a record that is there already (a resumed send) is kept. */
export async function putEmail(email: EmailRecord): Promise<void> {
  try {
    await documents.send(
      new PutCommand({
        TableName: tableName(),
        Item: { ...emailKey(email.workspace_id, email.email_id), ...email },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** The email and its recipients' outcomes in one query, strongly consistent. */
export async function getEmail(workspaceId: string, emailId: string): Promise<StoredEmail | null> {
  const { Items } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': emailPartition(workspaceId, emailId) },
      ConsistentRead: true,
    }),
  );
  const own = Items?.find((item) => item.sk === 'EMAIL');
  if (!own) return null;
  const parsed = record.parse(own);
  return {
    record: parsed,
    messageIds: parsed.envelopes.map((_, index) => own[messageIdName(index)] as string | undefined),
    givenBack: parsed.envelopes.map((_, index) => givenBackName(index) in own),
    outcomes: (Items ?? []).filter((item) => item.sk !== 'EMAIL').map(outcomeOf),
  };
}

const outcome = z.object({
  email: z.string(),
  status: z.enum(emailStatuses),
  updated_at: z.string(),
});

function outcomeOf(item: Item): RecipientOutcome {
  const parsed = outcome.parse(item);
  return { email: parsed.email, status: parsed.status, updatedAt: parsed.updated_at };
}

export const messageIdName = (envelope: number): string => `message_id_${envelope}`;
export const givenBackName = (envelope: number): string => `given_back_${envelope}`;

/**
 * Notes that the provider took an envelope; the first word stands. False when its recipients had been given back: they
 * must be counted again in the same moment (`takeBack`).
 */
export async function markAccepted(
  workspaceId: string,
  emailId: string,
  envelope: number,
  messageId: string,
): Promise<boolean> {
  try {
    const update = new UpdateCommand({
      TableName: tableName(),
      Key: emailKey(workspaceId, emailId),
      UpdateExpression: 'SET #id = if_not_exists(#id, :id)',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#back)',
      ExpressionAttributeNames: { '#id': messageIdName(envelope), '#back': givenBackName(envelope) },
      ExpressionAttributeValues: { ':id': messageId },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    await contended(() => documents.send(update));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException && error.Item) return false;
    throw error;
  }
}

/** Removes the record of a send that reached nobody. */
export async function deleteEmail(workspaceId: string, emailId: string): Promise<void> {
  await documents.send(new DeleteCommand({ TableName: tableName(), Key: emailKey(workspaceId, emailId) }));
}

export interface OutcomeChange {
  readonly workspaceId: string;
  readonly emailId: string;
  readonly address: string;
  readonly status: EmailStatus;
  readonly at: Date;
  readonly expiresAt: number;
}

/** The update that moves a recipient up in rank, as a command's input or a part of a transaction. */
export function outcomeChange(change: OutcomeChange) {
  return {
    TableName: tableName(),
    Key: recipientKey(change.workspaceId, change.emailId, change.address),
    UpdateExpression:
      'SET email = :email, #status = :status, #rank = :rank, updated_at = :at, expires_at = :expires, ' +
      '#first = if_not_exists(#first, :at)',
    ConditionExpression: 'attribute_not_exists(#rank) OR #rank < :rank',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ExpressionAttributeNames: { '#status': 'status', '#rank': 'rank', '#first': firstReportName(change.status) },
    ExpressionAttributeValues: {
      ':email': change.address,
      ':status': change.status,
      ':rank': statusRank(change.status),
      ':at': change.at.toISOString(),
      ':expires': change.expiresAt,
    },
  };
}

/** What a report changed, and when this status was first reported: what comes of it bears that time however often it comes. */
export interface RecordedOutcome {
  readonly changed: boolean;
  readonly at: Date;
}

/** Moves a recipient up in rank; nothing changes when it stood there or higher already. */
export async function recordOutcome(change: OutcomeChange): Promise<RecordedOutcome> {
  try {
    await contended(() => documents.send(new UpdateCommand(outcomeChange(change))));
    return { changed: true, at: change.at };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return knownOutcome(change, error.Item);
    throw error;
  }
}

/** The report was there before, or another one that outranks it; `item` is what stands. */
export async function knownOutcome(
  change: OutcomeChange,
  item: Record<string, AttributeValue> | undefined,
): Promise<RecordedOutcome> {
  const known = unmarshall(item ?? {})[firstReportName(change.status)];
  return { changed: false, at: known ? new Date(known) : await noteFirstReport(change) };
}

/** Delivered after it bounced: the status stays, and the time is kept for when this is reported again. */
async function noteFirstReport(change: OutcomeChange): Promise<Date> {
  const name = firstReportName(change.status);
  const { Attributes } = await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: recipientKey(change.workspaceId, change.emailId, change.address),
      UpdateExpression: 'SET #first = if_not_exists(#first, :at)',
      ExpressionAttributeNames: { '#first': name },
      ExpressionAttributeValues: { ':at': change.at.toISOString() },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return new Date(Attributes?.[name]);
}

/** Where the time stands at which a status was first reported. */
const firstReportName = (status: EmailStatus): string => `${status}_at`;
