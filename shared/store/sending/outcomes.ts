import * as z from 'zod';
import { type EmailStatus, emailStatuses, statusRank } from '../../domain/sending/emailStatus.ts';
import type { Minute } from '../../domain/sending/minute.ts';
import { UpdateCommand } from '../dynamodb/commands.ts';
import { ConditionalCheckFailedException } from '../dynamodb/errors.ts';
import { recipientKey } from '../table/keys.ts';
import { documents, type Item, tableName } from '../table/table.ts';
import { contended, isFailedCondition, transact } from '../table/transaction.ts';
import { type DamageCounts, damageUpdate } from './days.ts';

const outcome = z.object({ email: z.string(), status: z.enum(emailStatuses), updated_at: z.string() });

export interface RecipientOutcome {
  readonly email: string;
  readonly status: EmailStatus;
  readonly updatedAt: string;
}

export function outcomeOf(item: Item): RecipientOutcome {
  const { email, status, updated_at } = outcome.parse(item);
  return { email, status, updatedAt: updated_at };
}

/** What a report says besides its status. */
export type Told = Readonly<Record<string, string | null>>;

export interface OutcomeChange {
  readonly workspaceId: string;
  readonly emailId: string;
  readonly address: string;
  readonly status: EmailStatus;
  readonly at: Date;
  readonly expiresAt: number;
  /** What the report says besides, kept with the first one of this status. */
  readonly told?: Told;
  /** Which settlement counts it among the delivered, if this change is made at all. */
  readonly count?: DeliveryCount;
}

/** The minute that counts a delivery: that of the send, or a later one when it was reported too late for that. */
export interface DeliveryCount {
  readonly minute: Minute;
  readonly isLate: boolean;
}

const countedWithName = 'counted_with';
const countedLateName = 'counted_late';
/** What `countOf` reads. */
export const countNames = [countedWithName, countedLateName];

/** Which minute counts the delivery that an outcome tells of; null when there is none that counts. */
export function countOf(item: Item | undefined): DeliveryCount | null {
  const minute = item?.[countedWithName];
  return minute === undefined ? null : { minute: minute as Minute, isLate: item?.[countedLateName] === true };
}

/** What a report changed, and when this status was first reported: what comes of it bears that time however often it comes. */
export interface RecordedOutcome {
  readonly changed: boolean;
  readonly at: Date;
}

/** Moves a recipient up in rank; nothing changes when it stood there or higher already. */
export async function recordOutcome(change: OutcomeChange): Promise<RecordedOutcome> {
  try {
    await contended(() => documents.send(new UpdateCommand(outcomeUpdate(change))));
    return { changed: true, at: change.at };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return knownOutcome(change, error.Item);
    throw error;
  }
}

/**
 * Moves a recipient up in rank and counts it on its day, in one transaction: bounces and complaints decide over
 * suspension, so each counts exactly once and at once. `damage` null moves without counting.
 */
export async function recordCountedOutcome(
  change: OutcomeChange,
  damage: { readonly day: string; readonly counts: DamageCounts } | null,
): Promise<RecordedOutcome> {
  if (!damage) return recordOutcome(change);
  const refused = await transact([
    { Update: outcomeUpdate(change) },
    { Update: damageUpdate(change.workspaceId, damage.day, damage.counts) },
  ]);
  if (refused === null) return { changed: true, at: change.at };
  // The first part is the only one with a condition.
  const [own] = refused;
  if (!isFailedCondition(own)) throw new Error('A counted outcome was refused without a reason.');
  return knownOutcome(change, own?.Item);
}

function outcomeUpdate({ count, told, ...change }: OutcomeChange) {
  return {
    TableName: tableName(),
    Key: recipientKey(change.workspaceId, change.emailId, change.address),
    UpdateExpression:
      'SET email = :email, #status = :status, #rank = :rank, updated_at = :at, expires_at = :expires, ' +
      `#first = if_not_exists(#first, :at)${count ? ', #counted = :counted' : ''}${count?.isLate ? ', #late = :late' : ''}` +
      `${told ? ', #told = if_not_exists(#told, :told)' : ''}`,
    ConditionExpression: 'attribute_not_exists(#rank) OR #rank < :rank',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ExpressionAttributeNames: {
      '#status': 'status',
      '#rank': 'rank',
      '#first': firstReportName(change.status),
      ...(count && { '#counted': countedWithName }),
      ...(count?.isLate && { '#late': countedLateName }),
      ...(told && { '#told': toldName(change.status) }),
    },
    ExpressionAttributeValues: {
      ':email': change.address,
      ':status': change.status,
      ':rank': statusRank(change.status),
      ':at': change.at.toISOString(),
      ':expires': change.expiresAt,
      ...(count && { ':counted': count.minute }),
      ...(count?.isLate && { ':late': true }),
      ...(told && { ':told': told }),
    },
  };
}

/** The report was there before, or another one that outranks it; `item` is what stands. */
async function knownOutcome(change: OutcomeChange, item: Item | undefined): Promise<RecordedOutcome> {
  const known = item?.[firstReportName(change.status)];
  return { changed: false, at: known ? new Date(String(known)) : await noteFirstReport(change) };
}

/** Delivered after it bounced: the status stays, and the time is kept for when this is reported again. */
async function noteFirstReport({ told, ...change }: OutcomeChange): Promise<Date> {
  const name = firstReportName(change.status);
  const { Attributes } = await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: recipientKey(change.workspaceId, change.emailId, change.address),
      UpdateExpression: `SET #first = if_not_exists(#first, :at)${told ? ', #told = if_not_exists(#told, :told)' : ''}`,
      ExpressionAttributeNames: { '#first': name, ...(told && { '#told': toldName(change.status) }) },
      ExpressionAttributeValues: { ':at': change.at.toISOString(), ...(told && { ':told': told }) },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return new Date(Attributes?.[name]);
}

/** Where the time stands at which a status was first reported, and what was told with it. */
const firstReportName = (status: EmailStatus): string => `${status}_at`;
export const toldName = (status: EmailStatus): string => `${status}_told`;
