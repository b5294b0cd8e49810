import { addressKey } from '../../domain/address.ts';
import { timeOfId } from '../../domain/identifier.ts';
import type { EmailStatus, EmailTrait } from '../../domain/sending/email.ts';
import { inParallel } from '../../platform/parallel.ts';
import { batchGet, putItems } from '../table/batches.ts';
import type { FieldRules } from '../table/fieldRules.ts';
import {
  emailKey,
  emailOfTraitKey,
  emailPartition,
  emailsOfTraitPartition,
  emailsPartition,
  type IndexName,
  type Key,
  recipientKey,
  scheduledKey,
} from '../table/keys.ts';
import { type PositionRange, sortOf } from '../table/positions.ts';
import { type Item, idOfPosition, queryAll, queryItems } from '../table/table.ts';
import {
  type AcceptedEmail,
  acceptedOf,
  type Email,
  type EmailWithOutcomes,
  isEmailItem,
  isWhole,
  positionOf,
} from './email.ts';
import { mergedItems } from './lateOutcome.ts';
import { outcomeOf } from './outcomes.ts';
import { type ScheduledEmail, scheduledOf } from './scheduledEmails.ts';

/** The key contains everything. */
interface ListingRecord {
  readonly expires_at: number;
}

export const listingRules = {} as const satisfies FieldRules<ListingRecord>;

/** An entry of an email in a list other than that of all emails. */
export interface Listing {
  readonly workspaceId: string;
  readonly trait: EmailTrait;
  readonly position: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** The list entries of an email once an envelope to these addresses was accepted: a write unit each. */
export function listingsOf(
  email: Email,
  addresses: readonly string[],
  { withTags }: { readonly withTags: boolean },
): Listing[] {
  const { workspaceId, expiresAt } = email;
  const traits: EmailTrait[] = [
    ...addresses.map((address): EmailTrait => ({ kind: 'recipient', value: addressKey(address) })),
    ...(withTags ? tagTraits(email) : []),
  ];
  return traits.map((trait) => ({ workspaceId, trait, position: positionOf(email), expiresAt }));
}

const tagTraits = ({ tags }: Pick<Email, 'tags'>): EmailTrait[] =>
  tags.map(({ name, value }) => ({ kind: 'tag', value: `${name}:${value}` }));

/** The keys of an email's entries by tag. */
export const tagListingKeys = (email: Email): Key[] =>
  tagTraits(email).map((trait) => emailOfTraitKey(email.workspaceId, trait, positionOf(email)));

/** The keys of an email's entries in the lists of its recipients and tags. */
export const listingKeysOf = (email: Email): Key[] =>
  listingsOf(email, email.envelopes.flat(), { withTags: true }).map(({ workspaceId, trait, position }) =>
    emailOfTraitKey(workspaceId, trait, position),
  );

/** The list entry for a reported status; `email` is null when nothing is known of it yet. */
export function statusListing(
  { workspaceId, emailId, expiresAt }: { workspaceId: string; emailId: string; expiresAt: number },
  status: EmailStatus,
  email: Email | null,
): Listing {
  const createdAt = email?.createdAt ?? timeOfId(emailId).toISOString();
  const position = positionOf({ createdAt, id: emailId });
  return { workspaceId, trait: { kind: 'status', value: status }, position, expiresAt };
}

/** Idempotent. */
export async function putListings(listings: readonly Listing[]): Promise<void> {
  const items = listings.map(({ workspaceId, trait, position, expiresAt }) => ({
    ...emailOfTraitKey(workspaceId, trait, position),
    expires_at: expiresAt,
  }));
  const distinct = new Map(items.map((item) => [`${item.pk}\n${item.sk}`, item]));
  await putItems<ListingRecord>([...distinct.values()]);
}

/** A range of a list. */
export interface ListedRange extends PositionRange {
  /** All emails if left out. */
  readonly trait?: EmailTrait | undefined;
}

/** An entry of a list: an email of which SES accepted something, or a scheduled or cancelled one. */
export type ListedEmail =
  | { readonly kind: 'accepted'; readonly email: EmailWithOutcomes }
  | { readonly kind: 'scheduled'; readonly email: ScheduledEmail };

/**
 * The emails at these positions of a list with their outcomes, eventually consistent, by batch reads. `copies`: the items
 * of copied ones by id; what the table has of them was added later.
 */
export async function emailsAt(
  workspaceId: string,
  positions: readonly ListPosition[],
  trait: EmailTrait | undefined,
  { copies = new Map(), now }: { readonly copies?: ReadonlyMap<string, readonly Item[]>; readonly now: Date },
): Promise<ListedEmail[]> {
  const ids = [...new Set(positions.map(({ id }) => id))];
  // An email that is being sent is in the table twice for a moment.
  const scheduled = new Set(positions.flatMap(({ id, isScheduled }) => (isScheduled ? id : [])));
  const isOfSchedule = isScheduleStatus(trait);
  const keys = [
    ...(isOfSchedule ? [] : ids.map((id) => emailKey(workspaceId, id))),
    ...ids.filter((id) => scheduled.has(id)).map((id) => scheduledKey(workspaceId, id)),
  ];
  const items = await batchGet(keys, { consistent: false });
  const found = new Map(items.map((item) => [String(item.pk), item]));
  const ofEmail = (id: string) => {
    const item = found.get(emailKey(workspaceId, id).pk);
    return isWhole(item, now) ? item : (copies.get(id)?.find(isEmailItem) ?? item);
  };
  const accepted = ids.map(ofEmail).filter((item) => item !== undefined);
  const emails = new Map(
    (await withOutcomes(workspaceId, accepted.map(acceptedOf), copies)).map((each) => [each.email.id, each]),
  );
  return ids.flatMap((id): ListedEmail[] => {
    const [email, item] = [emails.get(id), found.get(scheduledKey(workspaceId, id).pk)];
    if (email) return [{ kind: 'accepted', email }];
    return item ? [{ kind: 'scheduled', email: scheduledOf(item) }] : [];
  });
}

/** Scheduled and cancelled emails are found by an index: their status is in their own record. */
const isScheduleStatus = (trait: EmailTrait | undefined): boolean =>
  trait?.kind === 'status' && (trait.value === 'scheduled' || trait.value === 'canceled');

/**
 * The position of an email in a list: its time, `#` and its id. A time alone sorts before all positions that begin with
 * it.
 */
export interface ListPosition {
  readonly position: string;
  readonly id: string;
  readonly isScheduled: boolean;
  /** The items of its copy, where that was read to find it. */
  readonly copy?: readonly Item[];
}

export async function positionsOf(
  workspaceId: string,
  { trait, limit, ...range }: ListedRange,
): Promise<{ readonly positions: readonly ListPosition[]; readonly next: string | null }> {
  const index: IndexName | undefined = trait ? (isScheduleStatus(trait) ? 'status' : undefined) : 'newest';
  const sort = sortOf(range);
  if (!sort) return { positions: [], next: null };
  const items = await queryItems({
    ...{ index, sort, order: 'descending', limit: limit + 1 },
    partition: trait ? emailsOfTraitPartition(workspaceId, trait) : emailsPartition(workspaceId),
  });
  const read = items.map((item) => {
    const position = String(item[index ? `${index}_sk` : 'sk']);
    const id = idOfPosition(position);
    return { position, id, isScheduled: item.pk === scheduledKey(workspaceId, id).pk };
  });
  return { positions: read.slice(0, limit), next: read.length > limit ? (read[limit - 1]?.position ?? null) : null };
}

/** An email with more recipients than this is read by a query of its own, since its outcomes are adjacent. */
const fewRecipients = 5;

async function withOutcomes(
  workspaceId: string,
  emails: readonly AcceptedEmail[],
  copies: ReadonlyMap<string, readonly Item[]>,
): Promise<EmailWithOutcomes[]> {
  const isSmall = ({ email }: AcceptedEmail) => email.envelopes.flat().length <= fewRecipients;
  const keys = emails
    .filter(isSmall)
    .flatMap(({ email }) =>
      email.envelopes.flat().map((address) => recipientKey(workspaceId, email.id, addressKey(address))),
    );
  const large = emails.filter((email) => !isSmall(email));
  const [ofSmall, ofLarge] = await Promise.all([
    batchGet(keys, { consistent: false }),
    inParallel(8, large, ({ email }) => queryOutcomes(workspaceId, email.id)),
  ]);
  const byEmail = Map.groupBy([...ofSmall, ...ofLarge.flat()], (item) => String(item.pk));
  return emails.map((accepted) => {
    const stored = byEmail.get(emailPartition(workspaceId, accepted.email.id)) ?? [];
    const copied = copies.get(accepted.email.id)?.filter((item) => !isEmailItem(item)) ?? [];
    return { ...accepted, outcomes: mergedItems(copied, stored).map(outcomeOf) };
  });
}

const queryOutcomes = (workspaceId: string, emailId: string): Promise<Item[]> => {
  const { pk, sk } = recipientKey(workspaceId, emailId, '');
  return queryAll({ partition: pk, sort: { prefix: sk } });
};
