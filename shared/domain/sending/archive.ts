import { timeOfId } from '../identifier.ts';
import type { KeptTimes } from './email.ts';

/**
 * When the records of an email leave the table for the bucket. An email is copied to the bucket long before its records
 * expire in the table, and after everything that could still add a record to it (docs/design/archive.md).
 */

const daySeconds = 86_400;

/** A day (UTC) of emails is copied when it is over for this long. Attempts, from which emails are completed, are kept for 22 days. */
const copiedAfterDays = 23;
/** Reports of an email that is older come after its copy, so that their records stay in the table as long as it is kept. */
const lateAfterDays = 22;
/** From this age on, an email that is not copied yet gets more time in the table. */
const lagDays = 26;
/** An outcome stays longer than its email: an email in the table has all its outcomes there. */
const outcomeMarginSeconds = daySeconds;

/** Until when an outcome stays in the table; `emailUntil`: until when its email does. */
export const outcomeUntil = (emailUntil: number): number => emailUntil + outcomeMarginSeconds;

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * daySeconds * 1000);

/** Whether a report comes so late that the email may have been copied. */
export const isLateReport = (emailId: string, now: Date): boolean =>
  timeOfId(emailId) <= daysBefore(now, lateAfterDays);

/** Emails from here on, by their position in lists, are in the table alone. */
export const firstUncopied = (now: Date): string => daysBefore(now, lateAfterDays).toISOString();

/** The end (exclusive) of the emails that may be copied: a midnight (UTC). */
export const copiedBefore = (now: Date): string =>
  `${daysBefore(now, copiedAfterDays).toISOString().slice(0, 10)}T00:00:00.000Z`;

/** Emails from before this time should have been copied for days. */
export const laggingBefore = (now: Date): string => daysBefore(now, lagDays).toISOString();

/** Less than this is left to an email that is not copied: it gets more. */
const leastSeconds = 6 * daySeconds;
const moreSeconds = 14 * daySeconds;

/** A later end for records in the table whose email is not copied yet; null if there is time enough. */
export function extendedUntil({ expiresAt, keptUntil = 0 }: KeptTimes, now: Date): number | null {
  const seconds = Math.floor(now.getTime() / 1000);
  if (expiresAt >= keptUntil || expiresAt - seconds >= leastSeconds) return null;
  return Math.min(keptUntil, seconds + moreSeconds);
}
