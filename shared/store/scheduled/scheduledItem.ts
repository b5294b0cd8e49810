import * as z from 'zod';
import { shardOf } from '../../domain/encoding/shard.ts';
import { cancelReasons, scheduledStates } from '../../domain/sending/scheduled.ts';
import { type EmailContent, emailContent } from '../sending/email.ts';
import { domainNames, storedNames } from '../table/casing.ts';
import { dueScheduledPartition, dueScheduledShards } from '../table/keys.ts';
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
}

/**
 * One with an erased person in it (already by their alias) is not sent to anybody: its body, which names them, is taken
 * away by the worker that it becomes due for. One that is on its way tells of itself as an email.
 */
export function erasedScheduled(item: Item): Item {
  if (item.state === 'sending') return item;
  const at = new Date().toISOString();
  const { claimed_at: _, ...rest } = item;
  return {
    ...rest,
    subject: '',
    tags: [],
    ...(item.state === 'scheduled' && { state: 'canceled', reason: 'person_erased', updated_at: at }),
    due_pk: dueScheduledPartition('queued', shardOf(String(item.email_id), dueScheduledShards)),
    due_sk: at,
  };
}

/** Everything but its place in the index `due`. */
export function attributesOfScheduled({ id, content, ...fields }: ScheduledEmail): Item {
  return storedNames({ ...content, ...fields, emailId: id });
}

export function scheduledOf(item: Item): ScheduledEmail {
  const fields = domainNames(item);
  const { emailId, ...own } = stored.parse(fields);
  const content = emailContent.parse(fields);
  const rest = Object.fromEntries(Object.entries(own).filter(([name]) => !(name in content)));
  return { ...(rest as Omit<Stored, 'emailId' | keyof EmailContent>), id: emailId, content };
}
