import * as z from 'zod';
import { shardOf } from '../../domain/encoding/shard.ts';
import { isInAudience } from '../../domain/person/consent.ts';
import { type ConsentProof, consentWays } from '../../domain/person/consentProof.ts';
import { noPreferences } from '../../domain/person/preferences.ts';
import { formerSearchTerms, prefixOf, type SearchTerm, searchTerms } from '../../domain/person/searchTerms.ts';
import { type Confirmation, type Person, type Subscriber, subscriberStatuses } from '../../domain/person/subscriber.ts';
import { suppressionRank, suppressionReasons } from '../../domain/person/suppression.ts';
import {
  addressItemKey,
  audiencePartition,
  audienceShards,
  dueConfirmationPartition,
  dueConfirmationShards,
  type Key,
  leaverKey,
  subscribersOfStatusPartition,
  subscribersPartition,
  suppressedPartition,
  termKey,
} from '../table/keys.ts';
import type { Item } from '../table/table.ts';
import { preferencesAttributes, preferencesOf } from './preferencesItem.ts';

const claim = {
  how: z.enum(consentWays),
  by: z.string().optional(),
  source: z.string().optional(),
  form: z.string().optional(),
};
const proof = z
  .object({
    ...claim,
    at: z.string(),
    requested_at: z.string().optional(),
    confirmed_from: z.string().optional(),
  })
  .transform(
    ({ requested_at, confirmed_from, ...item }): ConsentProof => ({
      ...item,
      ...(requested_at && { requestedAt: requested_at }),
      ...(confirmed_from && { confirmedFrom: confirmed_from }),
    }),
  );

const subscriber = z
  .object({
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
  })
  .transform(
    (item): Subscriber => ({
      status: item.status,
      firstName: item.first_name ?? null,
      lastName: item.last_name ?? null,
      tags: item.tags,
      fields: item.fields,
      createdAt: item.created_at,
      updatedAt: item.updated_at,
      confirmedAt: item.confirmed_at ?? null,
      unsubscribedAt: item.unsubscribed_at ?? null,
      ...(item.consents && { consents: item.consents }),
    }),
  );

const confirmation = z
  .object({
    id: z.string(),
    round: z.number(),
    requested_at: z.string(),
    claimed_at: z.string().nullish(),
    end_known: z.literal(true).optional(),
    repeated: z.literal(true).optional(),
    sent_at: z.string().nullish(),
    due_at: z.string().nullish(),
    claim: z.object(claim).optional(),
  })
  .transform(
    (item): Confirmation => ({
      id: item.id,
      round: item.round,
      requestedAt: item.requested_at,
      claimedAt: item.claimed_at ?? null,
      ...(item.end_known && { isEndKnown: true }),
      ...(item.repeated && { isRepeated: true }),
      sentAt: item.sent_at ?? null,
      dueAt: item.due_at ?? null,
      ...(item.claim && { claim: item.claim }),
    }),
  );

const suppression = z
  .object({ suppression_reason: z.enum(suppressionReasons), suppressed_at: z.string() })
  .transform((item) => ({ reason: item.suppression_reason, at: item.suppressed_at }));

const identity = z.object({ email: z.string(), version: z.number().default(0) });

/** What an address item of a workspace says. */
export function personOf(workspaceId: string, item: Item): Person {
  return {
    workspaceId,
    ...identity.parse(item),
    subscriber: item.status === undefined ? null : subscriber.parse(item),
    suppression: item.suppression_reason === undefined ? null : suppression.parse(item),
    confirmation: item.confirmation === undefined ? null : confirmation.parse(item.confirmation),
    preferences: preferencesOf(item),
  };
}

/** Nobody yet: what an address is before anything is stored of it. */
export function nobody(workspaceId: string, email: string): Person {
  const none = { subscriber: null, suppression: null, confirmation: null, preferences: noPreferences };
  return { workspaceId, email, version: 0, ...none };
}

/** The whole item. Which indexes carry it follows from its state here and nowhere else. */
export function itemOf(person: Person): Item {
  return {
    ...addressItemKey(person.workspaceId, person.email),
    email: person.email,
    version: person.version,
    ...(person.subscriber ? subscriberAttributes(person, person.subscriber) : {}),
    ...(person.suppression ? suppressionAttributes(person, person.suppression) : {}),
    ...(person.confirmation ? confirmationAttributes(person, person.confirmation) : {}),
    ...preferencesAttributes(person.preferences),
  };
}

function subscriberAttributes(person: Person, own: Subscriber): Item {
  const { workspaceId, email } = person;
  const position = `${own.createdAt}#${email}`;
  return {
    status: own.status,
    first_name: own.firstName ?? undefined,
    last_name: own.lastName ?? undefined,
    tags: own.tags,
    // A Map, since the marshaller takes an object with a field named `constructor` for no plain one.
    fields: new Map(Object.entries(own.fields)),
    created_at: own.createdAt,
    updated_at: own.updatedAt,
    confirmed_at: own.confirmedAt ?? undefined,
    unsubscribed_at: own.unsubscribedAt ?? undefined,
    consents: own.consents?.map(proofItem),
    newest_pk: subscribersPartition(workspaceId),
    newest_sk: position,
    status_pk: subscribersOfStatusPartition(workspaceId, own.status),
    status_sk: position,
    ...(isInAudience(person)
      ? { audience_pk: audiencePartition(workspaceId, shardOf(email, audienceShards)), audience_sk: email }
      : {}),
  };
}

const proofItem = ({ requestedAt, confirmedFrom, ...own }: ConsentProof): Item => ({
  ...own,
  requested_at: requestedAt,
  confirmed_from: confirmedFrom,
});

function suppressionAttributes({ workspaceId, email }: Person, own: NonNullable<Person['suppression']>): Item {
  return {
    suppression_reason: own.reason,
    suppression_rank: suppressionRank(own.reason),
    suppressed_at: own.at,
    suppressed_pk: suppressedPartition(workspaceId),
    suppressed_sk: `${own.at}#${email}`,
  };
}

function confirmationAttributes({ workspaceId, email }: Person, own: Confirmation): Item {
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
    ...(own.dueAt
      ? {
          due_pk: dueConfirmationPartition(shardOf(`${workspaceId}#${email}`, dueConfirmationShards)),
          due_sk: `${own.dueAt}#${workspaceId}#${email}`,
        }
      : {}),
  };
}

/** That they have left kinds of mail, beside the address item: of each kind those who left it are found together. */
export const leaverItemsOf = ({ workspaceId, email, preferences }: Person): (Key & { email: string })[] =>
  preferences.leftTags.map((tag) => ({ ...leaverKey(workspaceId, tag, email), email }));

type TermItem = Key & { readonly email: string; readonly shared: number };

/** The search-term items that belong beside the address item. */
export const termItemsOf = (person: Person): TermItem[] => termItems(person, searchTerms);

/** Those that release 1.0 put beside it. */
export const formerTermItemsOf = (person: Person): TermItem[] => termItems(person, formerSearchTerms);

function termItems(person: Person, termsOf: typeof searchTerms): TermItem[] {
  const { workspaceId, email, subscriber: own } = person;
  if (!own) return [];
  const itemOfTerm = ({ term, shared }: SearchTerm) => ({
    ...termKey(workspaceId, own.status, prefixOf(term) ?? '', term, email),
    email,
    shared,
  });
  return termsOf({ email, firstName: own.firstName, lastName: own.lastName }).map(itemOfTerm);
}
