import type { AcceptedEmail } from '../../../store/sending/emails.ts';
import type { Composed, Draft } from '../draft.ts';

/** One email of a batch that is neither refused nor out as a whole. */
export interface Letter {
  /** Its place in the request. */
  readonly index: number;
  readonly id: string;
  readonly draft: Draft;
  /** What an earlier call under the same Idempotency-Key has sent of it. */
  readonly known: AcceptedEmail | null;
}

/** When a letter goes out; null for now. */
export const momentOf = ({ draft: { body } }: Pick<Letter, 'draft'>): Date | null =>
  body.scheduled_at === undefined ? null : new Date(body.scheduled_at);

/** A letter that may be sent, and its message. */
export type ReadyLetter = Letter & Composed;

/** More than an email's recipients can fill: 150, of whom 50 go into one. */
const envelopesOfEmail = 4;

/** An envelope's place among all of a batch, as its claim keeps those in doubt. */
export const placeOf = (index: number, envelope: number): number => index * envelopesOfEmail + envelope;

/** The envelopes of an email among places of a batch. */
export const envelopesAt = (index: number, places: readonly number[]): number[] =>
  places.filter((place) => Math.floor(place / envelopesOfEmail) === index).map((place) => place % envelopesOfEmail);

export const isWhole = (known: AcceptedEmail | null): boolean => known?.messageIds.every(Boolean) ?? false;
