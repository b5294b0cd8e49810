import { countedRecipients } from '../../domain/sending/envelope.ts';
import { isOpen, type Minute } from '../../domain/sending/minute.ts';
import type { Email } from '../../store/sending/email.ts';
import { acceptEnvelope } from '../../store/sending/emails.ts';
import { type AttemptKind, giveBack, type Reserved, reserve } from '../../store/sending/reservations.ts';
import type { Quota } from '../../store/sending/sends.ts';
import { isProvenIn } from '../../store/sending/settlement.ts';

/** What these recipients of an email take from the quota and from the day's sent. */
export function quotaOf({ isQuotaExempt }: Pick<Email, 'isQuotaExempt'>, addresses: readonly string[]): Quota {
  return { recipients: isQuotaExempt ? 0 : addresses.length, counted: countedRecipients(addresses) };
}

/**
 * Reserves for recipients of an email, once for each attempt and before the provider is called. No attempt has to be
 * closed: what it reserved stays taken for the envelopes that `accept` says were accepted on its account.
 */
export async function reserveFor(
  email: Email,
  addresses: readonly string[],
  limit: number,
  at: Date,
  attempt: AttemptKind,
): Promise<Reserved> {
  return reserve(email, quotaOf(email, addresses), limit, at, attempt);
}

/** Gives back at once what an attempt reserved for recipients whom the provider refused for certain. */
export async function giveBackFor(email: Email, addresses: readonly string[], minute: Minute): Promise<void> {
  await giveBack(email, minute, quotaOf(email, addresses));
}

/**
 * Notes that the provider took an envelope: from then on the email exists, and its recipients stay counted. `minute` is
 * that of the attempt, null when it is not known. A word that comes too late for it is counted anew, room or no room
 * (the message is out), unless that minute has kept it for a delivery that was reported in time. False when it was known
 * already, from whichever attempt; doing it again changes nothing.
 */
export async function accept(
  email: Email,
  envelope: number,
  messageId: string,
  minute: Minute | null,
  at: Date,
): Promise<boolean> {
  const isPaid = minute !== null && (isOpen(minute, at) || (await isProvenIn(minute, email, envelope)));
  if (isPaid) return acceptEnvelope(email, envelope, messageId, minute);
  const anew = await reserveFor(email, email.envelopes[envelope] ?? [], Number.MAX_SAFE_INTEGER, at, 'only');
  if (!anew.ok) throw new Error('There was no room beyond all limits.');
  return acceptEnvelope(email, envelope, messageId, anew.minute);
}
