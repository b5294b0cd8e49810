import { addressKey } from '../../domain/address/address.ts';
import type { EmailStatus } from '../../domain/sending/emailStatus.ts';
import type { EmailTrait } from '../../domain/sending/emailTrait.ts';
import { timeOfId } from '../../domain/token/identifier.ts';
import { inParallel } from '../../platform/parallel.ts';
import { QueryCommand } from '../dynamodb/commands.ts';
import { type ScheduledEmail, scheduledOf } from '../scheduled/scheduledItem.ts';
import { batchWrite } from '../table/batchWrite.ts';
import {
  emailKey,
  emailOfTraitKey,
  emailPartition,
  emailsOfTraitPartition,
  emailsPartition,
  type Key,
  recipientKey,
  scheduledKey,
} from '../table/keys.ts';
import { batchGet, documents, type Item, queryAll, tableName } from '../table/table.ts';
import type { Email } from './email.ts';
import { type AcceptedEmail, acceptedOf, type EmailWithOutcomes, positionOf } from './emails.ts';
import { outcomeOf } from './outcomes.ts';

/** That an email belongs to one of the lists beside that of all emails. */
export interface Listing {
  readonly workspaceId: string;
  readonly trait: EmailTrait;
  readonly position: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** What an email is listed by once an envelope to these addresses was accepted: a write unit each. */
export function listingsOf(email: Email, addresses: readonly string[]): Listing[] {
  const { workspaceId, expiresAt } = email;
  const traits: EmailTrait[] = [
    ...addresses.map((address): EmailTrait => ({ kind: 'recipient', value: addressKey(address) })),
    ...tagTraits(email),
  ];
  return traits.map((trait) => ({ workspaceId, trait, position: positionOf(email), expiresAt }));
}

const tagTraits = ({ tags }: Pick<Email, 'tags'>): EmailTrait[] =>
  tags.map(({ name, value }) => ({ kind: 'tag', value: `${name}:${value}` }));

/** Where an email is listed by its tags. */
export const tagListingKeys = (email: Email): Key[] =>
  tagTraits(email).map((trait) => emailOfTraitKey(email.workspaceId, trait, positionOf(email)));

/** That a status was reported of an email; `email` is null when nothing is known of it yet. */
export function statusListing(
  { workspaceId, emailId, expiresAt }: { workspaceId: string; emailId: string; expiresAt: number },
  status: EmailStatus,
  email: Email | null,
): Listing {
  const createdAt = email?.createdAt ?? timeOfId(emailId).toISOString();
  const position = positionOf({ createdAt, id: emailId });
  return { workspaceId, trait: { kind: 'status', value: status }, position, expiresAt };
}

/** Writing one twice changes nothing. */
export async function putListings(listings: readonly Listing[]): Promise<void> {
  const items = listings.map(({ workspaceId, trait, position, expiresAt }) => ({
    ...emailOfTraitKey(workspaceId, trait, position),
    expires_at: expiresAt,
  }));
  const distinct = new Map(items.map((item) => [`${item.pk}\n${item.sk}`, item]));
  await batchWrite([...distinct.values()].map((Item) => ({ PutRequest: { Item } })));
}

export interface WantedPage {
  /** All emails when left out. */
  readonly trait?: EmailTrait | undefined;
  readonly limit: number;
  readonly after?: string | undefined;
  /** ISO 8601 UTC with milliseconds; created at or after the one, before the other. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** An email of a list: one of which the provider took something, or one that waits for its time or never went out. */
export type ListedEmail =
  | { readonly kind: 'accepted'; readonly email: EmailWithOutcomes }
  | { readonly kind: 'scheduled'; readonly email: ScheduledEmail };

/** Emails newest first, with their outcomes, eventually consistent: one query of keys, and batch reads of what they name. */
export async function pageOfEmails(
  workspaceId: string,
  wanted: WantedPage,
): Promise<{ readonly entries: readonly ListedEmail[]; readonly next: string | null }> {
  const { places, next } = await placesOf(workspaceId, wanted);
  const ids = [...new Set(places.map(({ id }) => id))];
  // One that goes out is in the table as both, for a moment.
  const scheduled = new Set(places.flatMap(({ id, isScheduled }) => (isScheduled ? id : [])));
  const isOfSchedule = isScheduleStatus(wanted.trait);
  const keys = [
    ...(isOfSchedule ? [] : ids.map((id) => emailKey(workspaceId, id))),
    ...ids.filter((id) => scheduled.has(id)).map((id) => scheduledKey(workspaceId, id)),
  ];
  const items = await batchGet(keys, { consistent: false });
  const found = new Map(items.map((item) => [String(item.pk), item]));
  const ofEmail = (id: string) => found.get(emailKey(workspaceId, id).pk);
  const accepted = ids.map(ofEmail).filter((item) => item !== undefined);
  const emails = new Map(
    (await withOutcomes(workspaceId, accepted.map(acceptedOf))).map((each) => [each.email.id, each]),
  );
  const entries = ids.flatMap((id): ListedEmail[] => {
    const [email, item] = [emails.get(id), found.get(scheduledKey(workspaceId, id).pk)];
    if (email) return [{ kind: 'accepted', email }];
    return item ? [{ kind: 'scheduled', email: scheduledOf(item) }] : [];
  });
  return { entries, next };
}

/** Emails of these statuses are found by an index, since what a status is written on is the email itself. */
const isScheduleStatus = (trait: EmailTrait | undefined): boolean =>
  trait?.kind === 'status' && (trait.value === 'scheduled' || trait.value === 'canceled');

/** Where an email stands in a list: a sort key is its time, `#` and its id, and a bare time sorts before all that it begins. */
interface Place {
  readonly id: string;
  readonly isScheduled: boolean;
}

async function placesOf(
  workspaceId: string,
  { trait, limit, after, since = '0', until = '9' }: WantedPage,
): Promise<{ readonly places: readonly Place[]; readonly next: string | null }> {
  const index = trait ? (isScheduleStatus(trait) ? 'status' : null) : 'newest';
  const name = index ? `${index}_` : '';
  const upTo = after === undefined || until < after ? until : before(after);
  if (since > upTo) return { places: [], next: null };
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      ...(index && { IndexName: index }),
      KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :since AND :until',
      ExpressionAttributeNames: { '#pk': `${name}pk`, '#sk': `${name}sk` },
      ExpressionAttributeValues: {
        ':pk': trait ? emailsOfTraitPartition(workspaceId, trait) : emailsPartition(workspaceId),
        ':since': since,
        ':until': upTo,
      },
      ScanIndexForward: false,
      Limit: limit + 1,
    }),
  );
  const positions = Items.map((item) => String(item[`${name}sk`]));
  const places = Items.slice(0, limit).map((item, place): Place => {
    const position = positions[place] ?? '';
    const id = position.slice(position.indexOf('#') + 1);
    return { id, isScheduled: item.pk === scheduledKey(workspaceId, id).pk };
  });
  return { places, next: positions.length > limit ? (positions[limit - 1] ?? null) : null };
}

/** The greatest text below a position: ids are of one length, and of letters and digits. */
const before = (position: string): string =>
  `${position.slice(0, -1)}${String.fromCharCode(position.charCodeAt(position.length - 1) - 1)}~`;

/** An email with more recipients than this is read by a query of its own: its outcomes lie side by side. */
const fewRecipients = 5;

async function withOutcomes(workspaceId: string, emails: readonly AcceptedEmail[]): Promise<EmailWithOutcomes[]> {
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
    const items = byEmail.get(emailPartition(workspaceId, accepted.email.id)) ?? [];
    return { ...accepted, outcomes: items.map(outcomeOf) };
  });
}

const queryOutcomes = (workspaceId: string, emailId: string): Promise<Item[]> =>
  queryAll({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :outcome)',
    ExpressionAttributeValues: {
      ':pk': emailPartition(workspaceId, emailId),
      ':outcome': recipientKey(workspaceId, emailId, '').sk,
    },
  });
