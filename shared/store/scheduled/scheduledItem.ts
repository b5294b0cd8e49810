import * as z from 'zod';
import { shardOf } from '../../domain/encoding/shard.ts';
import { cancelReasons, scheduledStates } from '../../domain/sending/scheduled.ts';
import { config } from '../../platform/config.ts';
import { type EmailContent, emailContent } from '../sending/email.ts';
import { positionOf } from '../sending/emails.ts';
import { domainNames, storedNames } from '../table/casing.ts';
import { dueScheduledPartition, dueScheduledShards, emailsOfTraitPartition, emailsPartition } from '../table/keys.ts';
import type { Item } from '../table/table.ts';

const stored = emailContent.extend({
  workspaceId: z.string(),
  emailId: z.string(),
  state: z.enum(scheduledStates),
  scheduledAt: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiresAt: z.number(),
  claimedAt: z.number().optional(),
  inDoubt: z.array(z.number()).default([]),
  tries: z.number().default(0),
  reason: z.enum(cancelReasons).optional().catch(undefined),
  providerCode: z.string().optional(),
});

type Stored = z.output<typeof stored>;

/** An email that is to go out at a moment, without its body, which lies in the bucket of files until then. */
export interface ScheduledEmail extends Readonly<Omit<Stored, 'emailId' | keyof EmailContent>> {
  readonly id: string;
  readonly content: EmailContent;
  /** ISO 8601 UTC. */
  readonly scheduledAt: string;
  /** Of the worker that sends it: Unix milliseconds; 0 when all that it did is known. */
  readonly claimedAt?: number | undefined;
  /** Envelopes that a worker before it left in doubt. */
  readonly inDoubt: number[];
  /** How often the provider did not take it. */
  readonly tries: number;
  /** True while somebody will look after it by himself: of a canceled one, that it is not cleaned up yet. */
  readonly isDue: boolean;
}

/** An email as it is scheduled. */
export type NewScheduledEmail = Omit<ScheduledEmail, 'isDue'>;

/**
 * One with an erased person in it (already by their alias) is not sent to anybody: its body, which names them, is taken
 * away by the worker that it becomes due for. One that is on its way tells of itself as an email, and one that was
 * canceled and cleaned up has no body left: webhooks have heard of it, once.
 */
export function erasedScheduled(item: Item): Item {
  if (item.state === 'sending') return item;
  const at = new Date().toISOString();
  const isOpen = item.state === 'scheduled' || item.due_pk !== undefined;
  const { claimed_at: _, ...rest } = item;
  return {
    ...rest,
    subject: '',
    tags: [],
    ...(item.state === 'scheduled' && { state: 'canceled', reason: 'person_erased', updated_at: at }),
    ...(item.status_pk !== undefined && { status_pk: listOf(String(item.workspace_id), 'canceled') }),
    ...(isOpen && {
      due_pk: dueScheduledPartition('queued', shardOf(String(item.email_id), dueScheduledShards)),
      due_sk: at,
    }),
  };
}

/**
 * Where it stands in the lists of emails, as long as it is not out: in that of all of them, where the email follows it at
 * the same place, and in that of its status.
 */
export function listedAttributes({
  workspaceId,
  id,
  createdAt,
  state,
}: Pick<ScheduledEmail, 'workspaceId' | 'id' | 'createdAt' | 'state'>): Item {
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

/** Everything but its places in indexes. */
export function attributesOfScheduled({ id, content, ...fields }: NewScheduledEmail): Item {
  return storedNames({ ...content, ...fields, emailId: id });
}

export function scheduledOf(item: Item): ScheduledEmail {
  const fields = domainNames(item);
  const { emailId, ...own } = stored.parse(fields);
  const content = emailContent.parse(fields);
  const rest = Object.fromEntries(Object.entries(own).filter(([name]) => !(name in content)));
  const isDue = item.due_pk !== undefined;
  return { ...(rest as Omit<Stored, 'emailId' | keyof EmailContent>), id: emailId, content, isDue };
}
