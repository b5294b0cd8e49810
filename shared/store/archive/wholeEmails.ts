import { isId } from '../../domain/identifier.ts';
import { firstUncopied, isLateReport } from '../../domain/sending/archive.ts';
import {
  type EmailWithOutcomes,
  emailOfItems,
  isEmailItem,
  isWhole,
  isWholeUntil,
  itemsOfEmail,
} from '../emails/email.ts';
import { emailsAt, type ListedEmail, type ListedRange, type ListPosition, positionsOf } from '../emails/emailLists.ts';
import { mergedItems } from '../emails/lateOutcome.ts';
import { type Item, idOfPosition } from '../table/table.ts';
import { copiedEmail, copiesAt, pageOfCopies } from './internal/copiedEmails.ts';

/*
 * Emails wherever they are: in the table, in the bucket, or in both. The table is read first, and is right where it has
 * an email whole.
 */

/** An email with its outcomes; null until an envelope was accepted. Strongly consistent. */
export async function readWholeEmail<Outcome>(
  workspaceId: string,
  emailId: string,
  read: (item: Item) => Outcome,
  now: Date,
): Promise<EmailWithOutcomes<Outcome> | null> {
  return emailOfItems(await itemsOfWholeEmail(workspaceId, emailId, now), read);
}

async function itemsOfWholeEmail(workspaceId: string, emailId: string, now: Date): Promise<readonly Item[]> {
  const stored = await itemsOfEmail(workspaceId, emailId);
  if (isWhole(stored.find(isEmailItem), now) || !isId('email', emailId) || !isLateReport(emailId, now)) return stored;
  const copy = await copiedEmail(workspaceId, emailId, now);
  return copy ? mergedItems(copy, stored) : stored;
}

/** Whether SES accepted something of an email. */
export const isSent = async (workspaceId: string, emailId: string, now: Date): Promise<boolean> =>
  (await itemsOfWholeEmail(workspaceId, emailId, now)).some(isEmailItem);

export interface WholePage<Entry> {
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

/** Emails of a list, newest first. A page that leads to copies may be short while more follows. */
export async function pageOfWholeEmails(
  workspaceId: string,
  range: ListedRange,
  now: Date,
): Promise<WholePage<ListedEmail>> {
  const { entries, next } = await wholePositions(workspaceId, range, now);
  if (range.trait?.kind === 'status') return withCopies(workspaceId, entries, next, range.trait, now);
  return { entries: await wholeEmailsAt(workspaceId, entries, range.trait, now), next };
}

/** The positions of a list. Copied emails come with their items. */
export async function wholePositions(
  workspaceId: string,
  range: ListedRange,
  now: Date,
): Promise<WholePage<ListPosition>> {
  const { positions, next } = await positionsOf(workspaceId, range);
  const { trait, since = '' } = range;
  // Bounces, complaints and what is scheduled are listed in the table as long as the emails are kept.
  const isOfTable = trait?.kind === 'status' || since >= firstUncopied(now);
  if (isOfTable || (next !== null && next >= firstUncopied(now))) return { entries: positions, next };
  const copies = await pageOfCopies(workspaceId, range, now);
  const copied = copies.emails.map(
    ({ position, items }): ListPosition => ({ position, id: idOfPosition(position), isScheduled: false, copy: items }),
  );
  // Below the end of the shorter page, the other's entries are not known yet.
  const end =
    [next, copies.next]
      .filter((one) => one !== null)
      .sort()
      .at(-1) ?? null;
  const known = new Map([...positions, ...copied].map((one) => [one.position, one]));
  const both = [...known.values()]
    .filter(({ position }) => end === null || position >= end)
    .sort((one, other) => (one.position < other.position ? 1 : -1));
  const entries = both.slice(0, range.limit);
  return { entries, next: both.length > entries.length ? (entries.at(-1)?.position ?? null) : end };
}

/** The emails at such positions. */
export function wholeEmailsAt(
  workspaceId: string,
  positions: readonly ListPosition[],
  trait: ListedRange['trait'],
  now: Date,
): Promise<ListedEmail[]> {
  const copies = new Map(positions.flatMap(({ id, copy }) => (copy ? [[id, copy]] : [])));
  return emailsAt(workspaceId, positions, trait, { copies, now });
}

/** The emails of a list that names copied ones without their items; the page ends where reading them would cost too much. */
async function withCopies(
  workspaceId: string,
  positions: readonly ListPosition[],
  next: string | null,
  trait: ListedRange['trait'],
  now: Date,
): Promise<WholePage<ListedEmail>> {
  const stored = await emailsAt(workspaceId, positions, trait, { now });
  const whole = new Set(stored.flatMap((one) => (isComplete(one, now) ? [idOf(one)] : [])));
  const missing = positions.filter(({ id, position }) => position < firstUncopied(now) && !whole.has(id));
  if (missing.length === 0) return { entries: stored, next };
  const { found, upTo } = await copiesAt(
    workspaceId,
    missing.map(({ position }) => position),
    now,
  );
  const shown = upTo === null ? positions : positions.filter(({ position }) => position >= upTo);
  return { entries: await emailsAt(workspaceId, shown, trait, { copies: found, now }), next: upTo ?? next };
}

const isComplete = (listed: ListedEmail, now: Date): boolean =>
  listed.kind === 'scheduled' || isWholeUntil(listed.email.email, now);

const idOf = (listed: ListedEmail): string => (listed.kind === 'scheduled' ? listed.email.id : listed.email.email.id);
