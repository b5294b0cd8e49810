import * as z from 'zod';
import { shardOf } from '../../domain/encoding.ts';
import { isInAudience } from '../../domain/person/consent.ts';
import {
  areDefault,
  type Confirmation,
  type ConsentProof,
  consentWays,
  type FieldValue,
  noPreferences,
  type Person,
  type Subscriber,
  subscriberStatuses,
  suppressionRank,
  suppressionReasons,
} from '../../domain/person/person.ts';
import { prefixOf, searchTerms } from '../../domain/person/searchTerms.ts';
import type { FieldRules, ShownNames } from '../table/fieldRules.ts';
import {
  audiencePartition,
  audienceShards,
  dueConfirmationPartition,
  dueConfirmationShards,
  type Indexed,
  type Key,
  leaverKey,
  subscribersOfStatusPartition,
  subscribersPartition,
  suppressedPartition,
  termKey,
} from '../table/keys.ts';
import { type Item, positionAt } from '../table/table.ts';
import { preferencesOf, type preferencesRecord, storedPreferences } from './suppressions.ts';

const claim = {
  how: z.enum(consentWays),
  by: z.string().optional(),
  source: z.string().optional(),
  form: z.string().optional(),
};
const proof = z.object({
  ...claim,
  at: z.string(),
  requested_at: z.string().optional(),
  confirmed_from: z.string().optional(),
});

const subscriber = z.object({
  status: z.enum(subscriberStatuses),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  tags: z.array(z.string()).default([]),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  created_at: z.string(),
  updated_at: z.string(),
  confirmed_at: z.string().nullish(),
  unsubscribed_at: z.string().nullish(),
  consents: z.array(proof).optional(),
});

const confirmation = z.object({
  id: z.string(),
  round: z.number(),
  requested_at: z.string(),
  claimed_at: z.string().nullish(),
  end_known: z.literal(true).optional(),
  repeated: z.literal(true).optional(),
  sent_at: z.string().nullish(),
  due_at: z.string().nullish(),
  claim: z.object(claim).optional(),
});

const suppression = z.object({ suppression_reason: z.enum(suppressionReasons), suppressed_at: z.string() });
const identity = z.object({ email: z.string(), version: z.number().default(0) });

type SubscriberAttributes = Omit<z.input<typeof subscriber>, 'fields'> & {
  /** A Map, because the marshaller does not recognise an object with a field named `constructor` as a plain one. */
  readonly fields: ReadonlyMap<string, FieldValue>;
};

/** An address in a workspace: subscriber, suppression, open confirmation and preferences, as far as they exist. */
export interface PersonRecord
  extends Partial<SubscriberAttributes>,
    Partial<z.input<typeof suppression>>,
    Indexed<'newest' | 'status' | 'audience' | 'suppressed' | 'due'> {
  readonly email: string;
  /** Incremented by each write. */
  readonly version: number;
  readonly suppression_rank?: number;
  readonly confirmation?: z.input<typeof confirmation>;
  readonly preferences?: z.input<typeof preferencesRecord>;
}

/**
 * The whole record is exported with the person. `as` names the JSON object for fields that are several names in JSON.
 */
const ofSubscriber = { erasure: 'remove', inExport: 'by code', shown: 'in lists' } as const;
const ofSuppression = { erasure: 'remove', inExport: 'by code', shown: 'in details', as: 'suppression' } as const;

export const personRules = {
  email: ofSubscriber,
  version: { erasure: 'remove', inExport: 'never', shown: 'never' },
  status: ofSubscriber,
  first_name: { ...ofSubscriber, as: 'firstName' },
  last_name: { ...ofSubscriber, as: 'lastName' },
  tags: ofSubscriber,
  fields: ofSubscriber,
  created_at: ofSubscriber,
  updated_at: ofSubscriber,
  confirmed_at: ofSubscriber,
  unsubscribed_at: ofSubscriber,
  consents: { erasure: 'remove', inExport: 'by code', shown: 'in details' },
  suppression_reason: ofSuppression,
  suppressed_at: ofSuppression,
  suppression_rank: { erasure: 'remove', inExport: 'never', shown: 'never' },
  confirmation: { erasure: 'remove', inExport: 'by code', shown: 'in details' },
  preferences: { erasure: 'remove', inExport: 'by code', shown: 'in details' },
} as const satisfies FieldRules<PersonRecord>;

/** An item beside that of the address: a search term, or a topic that the person has left. */
export interface BesideRecord {
  readonly email: string;
  /** For a term: the length of the common start with the previous term. */
  readonly shared?: number;
}

/** Names in JSON of what lists and events show of a subscriber, and of what is stored about a person. */
export type ShownOfSubscriber = ShownNames<typeof personRules, 'in lists'>;
export type ShownOfPerson = ShownNames<typeof personRules, 'in details'>;

export const besideRules = {
  email: { erasure: 'remove', inExport: 'by code', shown: 'never' },
  shared: { erasure: 'remove', inExport: 'never', shown: 'never' },
} as const satisfies FieldRules<BesideRecord>;

/** The person of an address item. */
export function personOf(workspaceId: string, item: Item): Person {
  return {
    workspaceId,
    ...identity.parse(item),
    subscriber: item.status === undefined ? null : subscriberOf(item),
    suppression: item.suppression_reason === undefined ? null : suppressionOf(item),
    confirmation: item.confirmation === undefined ? null : confirmationOf(item.confirmation),
    preferences: preferencesOf(item),
  };
}

function subscriberOf(item: Item): Subscriber {
  const read = subscriber.parse(item);
  return {
    status: read.status,
    firstName: read.first_name ?? null,
    lastName: read.last_name ?? null,
    tags: read.tags,
    fields: read.fields,
    createdAt: read.created_at,
    updatedAt: read.updated_at,
    confirmedAt: read.confirmed_at ?? null,
    unsubscribedAt: read.unsubscribed_at ?? null,
    ...(read.consents && { consents: read.consents.map(proofOf) }),
  };
}

const proofOf = ({ requested_at, confirmed_from, ...own }: z.output<typeof proof>): ConsentProof => ({
  ...own,
  ...(requested_at && { requestedAt: requested_at }),
  ...(confirmed_from && { confirmedFrom: confirmed_from }),
});

function suppressionOf(item: Item): Person['suppression'] {
  const { suppression_reason: reason, suppressed_at: at } = suppression.parse(item);
  return { reason, at };
}

function confirmationOf(stored: unknown): Confirmation {
  const read = confirmation.parse(stored);
  return {
    id: read.id,
    round: read.round,
    requestedAt: read.requested_at,
    claimedAt: read.claimed_at ?? null,
    ...(read.end_known && { isEndKnown: true }),
    ...(read.repeated && { isRepeated: true }),
    sentAt: read.sent_at ?? null,
    dueAt: read.due_at ?? null,
    ...(read.claim && { claim: read.claim }),
  };
}

/** An address of which nothing is stored yet. */
export function nobody(workspaceId: string, email: string): Person {
  const none = { subscriber: null, suppression: null, confirmation: null, preferences: noPreferences };
  return { workspaceId, email, version: 0, ...none };
}

/** The whole record. The only place that decides which indexes contain a person. */
export function recordOf(person: Person): PersonRecord {
  const { preferences: own } = person;
  return {
    email: person.email,
    version: person.version,
    ...(person.subscriber && subscriberAttributes(person, person.subscriber)),
    ...(person.suppression && suppressionAttributes(person, person.suppression)),
    ...(person.confirmation && confirmationAttributes(person, person.confirmation)),
    ...(!areDefault(own) && { preferences: storedPreferences(own) }),
  };
}

function subscriberAttributes(person: Person, own: Subscriber): Partial<PersonRecord> {
  const { workspaceId, email } = person;
  const position = positionAt(own.createdAt, email);
  return {
    status: own.status,
    first_name: own.firstName ?? undefined,
    last_name: own.lastName ?? undefined,
    tags: [...own.tags],
    fields: new Map(Object.entries(own.fields)),
    created_at: own.createdAt,
    updated_at: own.updatedAt,
    confirmed_at: own.confirmedAt ?? undefined,
    unsubscribed_at: own.unsubscribedAt ?? undefined,
    consents: own.consents?.map(({ requestedAt, confirmedFrom, ...given }) => ({
      ...given,
      requested_at: requestedAt,
      confirmed_from: confirmedFrom,
    })),
    newest_pk: subscribersPartition(workspaceId),
    newest_sk: position,
    status_pk: subscribersOfStatusPartition(workspaceId, own.status),
    status_sk: position,
    ...(isInAudience(person) && {
      audience_pk: audiencePartition(workspaceId, shardOf(email, audienceShards)),
      audience_sk: email,
    }),
  };
}

function suppressionAttributes(
  { workspaceId, email }: Person,
  own: NonNullable<Person['suppression']>,
): Partial<PersonRecord> {
  return {
    suppression_reason: own.reason,
    suppression_rank: suppressionRank(own.reason),
    suppressed_at: own.at,
    suppressed_pk: suppressedPartition(workspaceId),
    suppressed_sk: positionAt(own.at, email),
  };
}

function confirmationAttributes({ workspaceId, email }: Person, own: Confirmation): Partial<PersonRecord> {
  return {
    confirmation: {
      id: own.id,
      round: own.round,
      requested_at: own.requestedAt,
      claimed_at: own.claimedAt ?? undefined,
      end_known: own.isEndKnown,
      repeated: own.isRepeated,
      sent_at: own.sentAt ?? undefined,
      due_at: own.dueAt ?? undefined,
      claim: own.claim,
    },
    ...(own.dueAt && {
      due_pk: dueConfirmationPartition(shardOf(`${workspaceId}#${email}`, dueConfirmationShards)),
      due_sk: `${own.dueAt}#${workspaceId}#${email}`,
    }),
  };
}

/** One item for each topic that a person has left, under which all people who left the topic are found. */
export const leaverItemsOf = ({ workspaceId, email, preferences }: Person): (Key & BesideRecord)[] =>
  preferences.leftTags.map((tag) => ({ ...leaverKey(workspaceId, tag, email), email }));

/** The search terms of a person. */
export function termItemsOf(person: Person): (Key & BesideRecord)[] {
  const { workspaceId, email, subscriber: own } = person;
  if (!own) return [];
  return searchTerms({ email, firstName: own.firstName, lastName: own.lastName }).map(({ term, shared }) => ({
    ...termKey(workspaceId, own.status, prefixOf(term) ?? '', term, email),
    email,
    shared,
  }));
}
