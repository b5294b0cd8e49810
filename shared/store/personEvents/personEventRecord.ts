import * as z from 'zod';
import { shardOf } from '../../domain/encoding.ts';
import type { EventActivity, PersonEvent } from '../../domain/personEvents/personEvent.ts';
import { type FieldRules, internal } from '../table/fieldRules.ts';
import { activityPartition, audienceShards, type Indexed } from '../table/keys.ts';
import type { Item } from '../table/table.ts';

const event = z.object({
  email: z.string(),
  event_id: z.string(),
  name: z.string(),
  /** JSON: DynamoDB would round numbers and lose empty names. */
  data: z.string(),
  external_id: z.string().nullish(),
  timestamp: z.string(),
  created_at: z.string(),
  expires_at: z.number(),
});

export interface PersonEventRecord extends z.input<typeof event>, Indexed<'due'> {}

const exportedByCode = { erasure: 'remove', inExport: 'by code', shown: 'in lists' } as const;

export const personEventRules = {
  email: exportedByCode,
  event_id: { ...exportedByCode, as: 'id' },
  name: exportedByCode,
  data: exportedByCode,
  external_id: exportedByCode,
  timestamp: exportedByCode,
  created_at: exportedByCode,
} as const satisfies FieldRules<PersonEventRecord>;

export function personEventOf(workspaceId: string, item: Item): PersonEvent {
  const { event_id, external_id, created_at, expires_at, data, ...same } = event.parse(item);
  return {
    workspaceId,
    ...same,
    id: event_id,
    data: JSON.parse(data) as PersonEvent['data'],
    externalId: external_id ?? null,
    createdAt: created_at,
    expiresAt: expires_at,
  };
}

export const personEventRecord = (one: PersonEvent): PersonEventRecord => ({
  email: one.email,
  event_id: one.id,
  name: one.name,
  data: JSON.stringify(one.data),
  ...(one.externalId !== null && { external_id: one.externalId }),
  timestamp: one.timestamp,
  created_at: one.createdAt,
  expires_at: one.expiresAt,
});

/** What a repeated call answers. */
export interface KnownEvent {
  readonly id: string;
  readonly name: string;
  readonly timestamp: string;
  readonly createdAt: string;
}

const externalEvent = z.object({
  event_id: z.string(),
  name: z.string(),
  timestamp: z.string(),
  created_at: z.string(),
  expires_at: z.number(),
});

export type ExternalEventRecord = z.input<typeof externalEvent>;

/** The event itself is exported. */
export const externalEventRules = {
  event_id: internal,
  name: { erasure: 'remove', inExport: 'never', shown: 'never' },
  timestamp: internal,
  created_at: internal,
} as const satisfies FieldRules<ExternalEventRecord>;

export function recordedEventOf(item: Item): KnownEvent {
  const { event_id: id, name, timestamp, created_at: createdAt } = externalEvent.parse(item);
  return { id, name, timestamp, createdAt };
}

/** The numbers are in `fields`, the attribute that the index `audience` has for any names. */
const numbers = z.object({ count: z.number(), first: z.string(), last: z.string(), expires: z.number() });
const activity = z.object({ last_id: z.string(), fields: numbers });

export interface ActivityRecord extends z.input<typeof activity>, Indexed<'audience'> {
  readonly email: string;
  readonly name: string;
  readonly expires_at: number;
}

export const activityRules = {
  email: exportedByCode,
  name: exportedByCode,
  last_id: internal,
  fields: exportedByCode,
} as const satisfies FieldRules<ActivityRecord>;

export function activityOf(item: Item): EventActivity {
  const { last_id, fields } = activity.parse(item);
  const { count, first, last, expires } = fields;
  return { count, first, last, lastId: last_id, expiresAt: expires };
}

/**
 * In the index for every person, whether a campaign may write to them or not: a segment reads the audience beside it, so
 * that nothing is written when a person leaves or comes back.
 */
export const activityRecord = (
  { workspaceId, email, name }: Pick<PersonEvent, 'workspaceId' | 'email' | 'name'>,
  { count, first, last, lastId, expiresAt }: EventActivity,
): ActivityRecord => ({
  ...{ email, name, last_id: lastId, expires_at: expiresAt },
  fields: { count, first, last, expires: expiresAt },
  audience_pk: activityPartition(workspaceId, name, shardOf(email, audienceShards)),
  audience_sk: email,
});
