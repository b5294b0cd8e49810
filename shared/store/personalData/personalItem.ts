import { type AddressReplacer, isAlias } from '../../domain/person/erased.ts';
import { changeRules } from '../automation/changes.ts';
import { enrolmentRules } from '../automation/enrolments.ts';
import { erasedRun, runDataRules, runRules } from '../automation/runs.ts';
import { waiterRules } from '../automation/waiters.ts';
import { chunkOf, chunkRules, erasedChunk } from '../campaign/frozenContent.ts';
import { emailOf, emailRules, erasedEmail } from '../emails/email.ts';
import { listingRules, tagListingKeys } from '../emails/emailLists.ts';
import { erasedOutcome } from '../emails/outcomeEvents.ts';
import { outcomeRules } from '../emails/outcomes.ts';
import { erasedScheduled, scheduledRules } from '../emails/scheduledEmails.ts';
import { capRules } from '../person/countedMessages.ts';
import { confirmLinkRules, leaveLinkRules, ownLinkRules } from '../person/links.ts';
import { besideRules, personRules } from '../person/personRecord.ts';
import { activityRules, externalEventRules, personEventRules } from '../personEvents/personEventRecord.ts';
import { attemptRules, erasedAttempt } from '../quota/attempts.ts';
import { type AnyRules, erasedFields, exportedFields } from '../table/fieldRules.ts';
import type { Key } from '../table/keys.ts';
import { type Item, keyOfItem } from '../table/table.ts';
import { deliveryRules, erasedDelivery } from '../webhook/deliveries.ts';
import { type ItemKind, itemKind, type PersonalKind } from './internal/itemKind.ts';

/** An item of a workspace that contains a person's address. */
export interface PersonalItem {
  readonly kind: Exclude<ItemKind, 'own'>;
  readonly item: Item;
  /** The item without the address; null if it does not change, or if it is deleted with the person. */
  readonly erased: Item | null;
  /** Items to delete at the erasure: they do not contain the address, and only this item leads to them. */
  readonly followers: readonly Key[];
}

const rulesOf: Readonly<Record<PersonalKind, AnyRules>> = {
  person: personRules,
  term: besideRules,
  confirmLink: confirmLinkRules,
  leaveLink: leaveLinkRules,
  ownLink: ownLinkRules,
  personEvent: personEventRules,
  externalEvent: externalEventRules,
  activity: activityRules,
  run: runRules,
  runData: runDataRules,
  enrolment: enrolmentRules,
  waiter: waiterRules,
  change: changeRules,
  cap: capRules,
  email: emailRules,
  outcome: outcomeRules,
  attempt: attemptRules,
  scheduled: scheduledRules,
  listed: listingRules,
  delivery: deliveryRules,
  chunk: chunkRules,
};

/** Null when the item does not contain the address. Data of the workspace itself is not personal. */
export async function personalItemOf(item: Item, replacer: AddressReplacer): Promise<PersonalItem | null> {
  const kind = itemKind(keyOfItem(item));
  if (kind === 'own') return null;
  const found = await findIn(kind, item, replacer);
  return found && { kind, item, followers: [], ...found };
}

type Found = Pick<PersonalItem, 'erased'> & Partial<Pick<PersonalItem, 'followers'>>;

async function findIn(kind: PersonalItem['kind'], item: Item, replacer: AddressReplacer): Promise<Found | null> {
  const renamed: Item = { ...(replacer.replaced(item) as Item), sk: renamedKey(String(item.sk), replacer) };
  const isIn = replacer.isIn(item) || renamed.sk !== item.sk;
  switch (kind) {
    case 'person':
    case 'term':
      // Deleted with the person, who is written together with their terms.
      return isIn || replacer.isIn(String(item.pk)) ? { erased: null } : null;
    case 'ownLink':
      // A person who comes back gets another link; the old one keeps leading to the alias.
      return replacer.isAddress(addressOfKey(item)) ? ofPersonAlone(item) : null;
    case 'personEvent':
      // The data of another person's event may name this one.
      return replacer.isAddress(addressOfKey(item)) ? ofPersonAlone(item) : isIn ? { erased: renamed } : null;
    case 'run':
      if (!isIn) return null;
      // The data of another person's run may name this one.
      return { erased: replacer.isAddress(String(item.email)) ? erasedRun(renamed) : renamed };
    case 'runData':
      return replacer.isAddress(String(item.email)) ? ofPersonAlone(item) : isIn ? { erased: renamed } : null;
    case 'enrolment':
    case 'waiter':
    case 'change':
    case 'cap':
    case 'externalEvent':
    case 'activity':
      return replacer.isAddress(addressOfKey(item)) ? ofPersonAlone(item) : null;
    case 'listed':
      return listedUnderAlias(item, replacer);
    case 'chunk': {
      const erased = await erasedChunk(item, replacer);
      return erased && { erased };
    }
    case 'outcome': {
      const erased: Item = { ...erasedOutcome(item, replacer), sk: renamed.sk };
      const isChanged = Object.keys(item).some((name) => erased[name] !== item[name]);
      return isChanged ? { erased } : null;
    }
    case 'email': {
      if (!isIn) return null;
      const erased = erasedEmail(renamed);
      // The tags are removed when all of its recipients are erased, and with them the entries in the lists of these
      // tags.
      return { erased, followers: erased.tags === renamed.tags ? [] : tagListingKeys(emailOf(item)) };
    }
    case 'attempt':
      return isIn ? { erased: erasedAttempt(renamed) } : null;
    case 'scheduled':
      return isIn ? { erased: erasedScheduled(renamed) } : null;
    case 'delivery':
      return isIn ? { erased: erasedDelivery(item) } : null;
    case 'confirmLink':
    case 'leaveLink':
      return isIn ? { erased: erasedFields(rulesOf[kind], renamed) } : null;
    case 'unknown':
      return isIn ? { erased: renamed } : null;
  }
}

/** The fields of an item that the person's export shows as stored. */
export async function storedFields({ kind, item }: PersonalItem, replacer: AddressReplacer): Promise<Item> {
  if (kind === 'unknown') return {};
  const isShared = (await addressesIn(kind, item)).some((address) => !replacer.isAddress(address) && !isAlias(address));
  return exportedFields(rulesOf[kind], item, { isShared });
}

/** The same for one email in an item that lists attempts. */
export function storedFieldsOfAttempt(item: Item, index: number, replacer: AddressReplacer): Item {
  const email: Item = Array.isArray(item.emails) ? item.emails[index] : item;
  const isShared = recipientsOf(email).some((address) => !replacer.isAddress(address));
  return exportedFields(attemptRules, email, { isShared });
}

/** All addresses in an item. */
async function addressesIn(kind: PersonalKind, item: Item): Promise<string[]> {
  if (kind === 'chunk') return [...(await chunkOf(item)).emails];
  if (kind === 'outcome') return [String(item.email)];
  // An event belongs to one person, and its data may name another.
  if (kind === 'personEvent') return [addressOfKey(item)];
  if (kind === 'run' || kind === 'runData') return [String(item.email)];
  return kind === 'scheduled' || kind === 'email' || kind === 'attempt' ? recipientsOf(item) : [];
}

const recipientsOf = (item: Item): string[] => [item.envelopes ?? [item.to, item.cc, item.bcc]].flat(3).map(String);

const ofPersonAlone = (item: Item): Found => ({ erased: null, followers: [keyOfItem(item)] });

const addressOfKey = ({ pk }: Item): string => String(pk).split('#').slice(3).join('#');

/** The list of emails to an address gets the alias in its key. */
function listedUnderAlias(item: Item, replacer: AddressReplacer): Found | null {
  const pk = String(item.pk);
  const start = pk.indexOf(beforeAddress) + beforeAddress.length;
  const address = pk.slice(start);
  if (!replacer.isAddress(address)) return null;
  const renamed = { ...item, pk: `${pk.slice(0, start)}${replacer.replaced(address)}` };
  return { erased: erasedFields(listingRules, renamed) };
}
const beforeAddress = '#TO#';

/** In a key that ends with an address, it follows the first `#`; it may contain one itself. */
function renamedKey(sk: string, replacer: AddressReplacer): string {
  const end = sk.indexOf('#') + 1;
  return end > 0 && replacer.isAddress(sk.slice(end)) ? `${sk.slice(0, end)}${replacer.replaced(sk.slice(end))}` : sk;
}
