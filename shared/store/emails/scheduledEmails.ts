import * as z from 'zod';
import { shardOf } from '../../domain/encoding.ts';
import { type CancelReason, cancelReasons, scheduledStates } from '../../domain/sending/email.ts';
import type { Minute } from '../../domain/sending/settlement.ts';
import type { Delivery } from '../../domain/webhook/delivery.ts';
import { now } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import { readTogether } from '../table/batches.ts';
import type { Change } from '../table/expression.ts';
import {
  type DomainNames,
  domainNames,
  erasedFields,
  type FieldRules,
  internal,
  storedNames,
} from '../table/fieldRules.ts';
import {
  dueAheadSeconds,
  dueScheduledPartition,
  dueScheduledShards,
  emailsOfTraitPartition,
  emailsPartition,
  type Indexed,
  type Key,
  scheduledKey,
} from '../table/keys.ts';
import { getItem, type Item, keyOfItem, queryItems } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { changeItem, changeItemOnce, deleteItem, putItem, putPart } from '../table/write.ts';
import { deliveryParts } from '../webhook/deliveries.ts';
import { contentRules, contentShape, type EmailContent, positionOf } from './email.ts';

const own = z.object({
  workspace_id: z.string(),
  email_id: z.string(),
  state: z.enum(scheduledStates),
  scheduled_at: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  expires_at: z.number(),
  claimed_at: z.number().optional(),
  in_doubt: z.array(z.number()).default([]),
  tries: z.number().default(0),
  reason: z.enum(cancelReasons).optional().catch(undefined),
  provider_code: z.string().optional(),
  reserved_in: z.number().optional(),
});
const content = z.object(contentShape);

type OwnAttributes = z.output<typeof own>;
type Attributes = Readonly<OwnAttributes & z.output<typeof content>>;

export interface ScheduledRecord extends Attributes, Indexed<'newest' | 'status' | 'due'> {
  /** The marker of the last claim. */
  readonly last_claim?: string;
}

export const scheduledRules = {
  ...contentRules,
  workspace_id: internal,
  email_id: { erasure: 'keep', inExport: 'by code', shown: 'in lists', as: 'id' },
  state: { erasure: 'keep', inExport: 'by code', shown: 'in lists', as: 'status' },
  scheduled_at: { erasure: 'keep', inExport: 'whole', shown: 'in lists' },
  created_at: { erasure: 'keep', inExport: 'whole', shown: 'in lists' },
  updated_at: { erasure: 'keep', inExport: 'never', shown: 'in lists' },
  claimed_at: { erasure: 'remove', inExport: 'never', shown: 'never' },
  in_doubt: internal,
  last_claim: internal,
  tries: internal,
  reserved_in: internal,
  reason: { erasure: 'keep', inExport: 'never', shown: 'in lists', as: 'cancel_reason' },
  provider_code: { erasure: 'keep', inExport: 'never', shown: 'in lists' },
} as const satisfies FieldRules<ScheduledRecord>;

/** An email until its scheduled time. Its body is in the bucket of files. */
export interface ScheduledEmail extends Readonly<Omit<DomainNames<OwnAttributes>, 'emailId'>> {
  readonly id: string;
  readonly content: EmailContent;
  /** ISO 8601 UTC. */
  readonly scheduledAt: string;
  /** When a worker claimed it, in Unix milliseconds; 0 when the outcome of its last attempt is known. */
  readonly claimedAt?: number | undefined;
  /** Envelopes that an earlier worker may have sent. */
  readonly inDoubt: number[];
  /** The number of failed attempts. */
  readonly tries: number;
  /**
   * For an email that waits for SES's rate: the settlement bucket that reserved its quota when the call was answered. Its
   * quota is not refused again.
   */
  readonly reservedIn?: Minute | undefined;
  /** True while the sweeper must handle it; for a cancelled one, until it is cleaned up. */
  readonly isDue: boolean;
}

/** An email when it is scheduled. */
export type NewScheduledEmail = Omit<ScheduledEmail, 'isDue'>;

/**
 * A scheduled email with an erased recipient (replaced by the alias already) is not sent: it becomes due for cleanup,
 * which deletes its body. One that is being sent becomes an email. A cancelled one that was cleaned up has no body and
 * stays as it is, since its event was emitted.
 */
export function erasedScheduled(item: Item): Item {
  if (item.state === 'sending') return item;
  const at = now().toISOString();
  const isOpen = item.state === 'scheduled' || item.due_pk !== undefined;
  return {
    ...erasedFields(scheduledRules, item),
    ...(item.state === 'scheduled' && { state: 'canceled', reason: 'person_erased', updated_at: at }),
    ...(item.status_pk !== undefined && { status_pk: listOf(String(item.workspace_id), 'canceled') }),
    ...(isOpen && {
      due_pk: dueScheduledPartition('queued', shardOf(String(item.email_id), dueScheduledShards)),
      due_sk: at,
    }),
  };
}

/**
 * The attributes for the lists of emails until it is sent: in the list of all emails, at the position that the sent
 * email will have, and in the list of its status.
 */
export function listedAttributes({
  workspaceId,
  id,
  createdAt,
  state,
}: Pick<ScheduledEmail, 'workspaceId' | 'id' | 'createdAt' | 'state'>): Indexed<'newest' | 'status'> {
  if (config('EMAIL_LIST') === 'none') return {};
  const position = positionOf({ createdAt, id });
  return {
    newest_pk: emailsPartition(workspaceId),
    newest_sk: position,
    status_pk: listOf(workspaceId, state === 'canceled' ? 'canceled' : 'scheduled'),
    status_sk: position,
  };
}

const listOf = (workspaceId: string, status: 'scheduled' | 'canceled'): string =>
  emailsOfTraitPartition(workspaceId, { kind: 'status', value: status });

/** Everything but its index attributes. */
export const attributesOfScheduled = ({ id, content, ...fields }: NewScheduledEmail): Attributes =>
  storedNames<Attributes>({ ...content, ...fields, emailId: id });

export function scheduledOf(item: Item): ScheduledEmail {
  const { emailId, ...fields } = domainNames(own.parse(item));
  return { ...fields, id: emailId, content: domainNames(content.parse(item)), isDue: item.due_pk !== undefined };
}

export type ScheduledPosition = Pick<ScheduledEmail, 'workspaceId' | 'id'>;

const keyOf = ({ workspaceId, id }: ScheduledPosition) => scheduledKey(workspaceId, id);

/** When the sweeper must handle it: `far` is queued before its time, `queued` is checked when it is late. */
export interface Due {
  readonly stage: 'far' | 'queued';
  readonly at: Date;
}

const dueOf = (id: string, { stage, at }: Due): Indexed<'due'> => ({
  due_pk: dueScheduledPartition(stage, shardOf(id, dueScheduledShards)),
  due_sk: at.toISOString(),
});

/** Stores a scheduled email with its events; false, and nothing is stored, when there is one with this id. */
export async function addScheduled(
  email: NewScheduledEmail,
  due: Due,
  deliveries: readonly Delivery[] = [],
): Promise<boolean> {
  const record = { ...attributesOfScheduled(email), ...listedAttributes(email), ...dueOf(email.id, due) };
  const isNew = { if: [['pk', 'absent']] } as const;
  if (deliveries.length === 0) return putItem<ScheduledRecord>(keyOf(email), record, isNew);
  const parts = [putPart<ScheduledRecord>(keyOf(email), record, isNew), ...deliveryParts(deliveries)];
  return (await transact(parts)) === null;
}

/** Strongly consistent; null when there is none or it was sent. */
export async function getScheduled(position: ScheduledPosition): Promise<ScheduledEmail | null> {
  const item = await getItem(keyOf(position));
  return item && scheduledOf(item);
}

/** Which of these emails are scheduled, being sent, or cancelled; strongly consistent. */
export async function findScheduledIds(workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const items = await readTogether(ids.map((id) => scheduledKey(workspaceId, id)));
  return new Set(ids.filter((_, index) => items[index]));
}

/** Whether one of these emails waits for SES's rate, with quota that is taken already. */
export async function areAnyWaiting(workspaceId: string, ids: readonly string[]): Promise<boolean> {
  const items = await readTogether(ids.map((id) => scheduledKey(workspaceId, id)));
  return items.some((item) => item?.reserved_in !== undefined && item.state !== 'canceled');
}

/**
 * Changes the time of an email that is still waiting, which takes its quota then; null when it is not, or its time has changed since it was read.
 */
export const reschedule = (stored: ScheduledEmail, scheduledAt: string, due: Due, now: Date, expiresAt: number) =>
  change(stored, {
    set: { scheduled_at: scheduledAt, updated_at: now.toISOString(), expires_at: expiresAt, ...dueOf(stored.id, due) },
    remove: ['tries', 'reserved_in'],
  });

/** Claims it for sending: null when it was cancelled, rescheduled, or claimed by another worker. */
export async function claimScheduled(
  stored: ScheduledEmail,
  inDoubt: readonly number[],
  now: Date,
  due: Due,
): Promise<ScheduledEmail | null> {
  const claim: Change<ScheduledRecord> = {
    set: { state: 'sending', claimed_at: now.getTime(), in_doubt: [...inDoubt], ...dueOf(stored.id, due) },
    expect: asRead(stored),
  };
  const item = await changeItemOnce<ScheduledRecord>(keyOf(stored), claim, 'last_claim');
  return item && scheduledOf(item);
}

/**
 * After an attempt that sent nothing it waits again and may be cancelled; after a partial one, any worker may send the
 * rest.
 */
export const reopenScheduled = (own: ScheduledEmail, isUntouched: boolean, tries: number, due: Due) =>
  change(own, {
    set: { state: isUntouched ? 'scheduled' : 'sending', claimed_at: 0, tries, ...dueOf(own.id, due) },
  });

/** Sets when the sweeper checks it again. */
export const putOffScheduled = (stored: ScheduledEmail, at: Date) =>
  change(stored, { set: dueOf(stored.id, { stage: 'queued', at }) });

/** Why an email is never sent. */
export interface Ending {
  readonly reason: CancelReason;
  readonly providerCode?: string | undefined;
}

/**
 * Cancels it; null when it is being sent or was rescheduled meanwhile. It stays due for cleanup, in case this process
 * crashes first.
 */
export const endScheduled = (
  stored: ScheduledEmail,
  { reason, providerCode }: Ending,
  now: Date,
  due: Due,
): Promise<ScheduledEmail | null> =>
  change(stored, {
    set: {
      ...{ state: 'canceled', reason, updated_at: now.toISOString(), provider_code: providerCode || undefined },
      ...listedAttributes({ ...stored, state: 'canceled' }),
      ...dueOf(stored.id, due),
    },
    remove: ['claimed_at', 'in_doubt'],
  });

/** Marks the cleanup of a cancelled email as done. */
export const settleCanceled = (stored: ScheduledEmail) => change(stored, { remove: ['due_pk', 'due_sk'] });

/** Deletes it after it was sent. */
export async function deleteScheduled(position: ScheduledPosition): Promise<void> {
  await deleteItem(keyOf(position));
}

async function change(
  stored: ScheduledEmail,
  { set = {}, remove = [] }: Pick<Change<ScheduledRecord>, 'set' | 'remove'>,
): Promise<ScheduledEmail | null> {
  const item = await changeItem<ScheduledRecord>(keyOf(stored), { set, remove, expect: asRead(stored) });
  return item && scheduledOf(item);
}

const asRead = ({ state, scheduledAt, claimedAt }: ScheduledEmail) => ({
  state,
  scheduled_at: scheduledAt,
  claimed_at: claimedAt,
});

/** How long before their time the sweeper queues scheduled emails: longer than to its next runs, within a queue's delay. */
export const scheduledAheadSeconds = /* @__PURE__ */ dueAheadSeconds('SCHEDULED');

export interface DueScheduled {
  readonly workspaceId: string;
  readonly key: Key;
  readonly shard: number;
  /** As stored in the index. */
  readonly dueAt: Date;
}

/** Emails that are due by a time, the oldest first, at most `limit` of each shard. */
export async function listDueScheduled(stage: Due['stage'], by: Date, limit: number): Promise<DueScheduled[]> {
  const shards = Array.from({ length: dueScheduledShards }, async (_, shard) => {
    const sort = { upTo: by.toISOString() };
    const items = await queryItems({ index: 'due', partition: dueScheduledPartition(stage, shard), sort, limit });
    return items.map((item) => ({
      workspaceId: String(item.pk).split('#')[1] ?? '',
      key: keyOfItem(item),
      shard,
      dueAt: new Date(String(item.due_sk)),
    }));
  });
  return (await Promise.all(shards)).flat();
}

/** Marks it as queued; the sweeper checks it again when it is late. Null when it changed meanwhile. */
export async function takeDue({ key, shard, dueAt }: DueScheduled, lateAt: Date): Promise<ScheduledEmail | null> {
  const item = await changeItem<ScheduledRecord>(key, {
    set: { due_pk: dueScheduledPartition('queued', shard), due_sk: lateAt.toISOString() },
    expect: { due_sk: dueAt.toISOString() },
  });
  return item && scheduledOf(item);
}
