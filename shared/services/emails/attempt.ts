import { addressKey } from '../../domain/address/address.ts';
import type { Minute } from '../../domain/sending/minute.ts';
import type { Email } from '../../store/sending/email.ts';

/** One call's try at an email; `accepted` is what is known envelope by envelope, and grows. */
export interface Attempt {
  readonly email: Email;
  readonly accepted: boolean[];
  /** Envelopes of which nobody can say whether an earlier call sent them. */
  readonly inDoubt: readonly number[];
  /** On whose account it reserved. */
  readonly minute: Minute;
  /** The sheet of that minute which lists it; none when it is listed by itself. */
  readonly sheet?: string | undefined;
  readonly startedAt: Date;
  /** False when another call has taken this send over meanwhile. */
  isStillOurs(): Promise<boolean>;
}

/** Who is in the envelopes that are not known to be accepted. */
export const openPart = ({ email, accepted }: Pick<Attempt, 'email' | 'accepted'>): string[] =>
  email.envelopes.filter((_, index) => !accepted[index]).flat();

/** What is certain about each recipient after a try that did not go through. */
export interface Result {
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
  readonly unknown: readonly string[];
}

/** Sorts the recipients; `unanswered` is the envelope of which this try itself heard nothing. */
export function resultOf({ email, accepted, inDoubt }: Attempt, unanswered: number | null): Result {
  const isUnknown = (index: number) => !accepted[index] && (index === unanswered || inDoubt.includes(index));
  const those = (belongs: (index: number) => boolean) =>
    email.envelopes.filter((_, index) => belongs(index)).flatMap((envelope) => envelope.map(addressKey));
  return {
    accepted: those((index) => Boolean(accepted[index])),
    refused: those((index) => !accepted[index] && !isUnknown(index)),
    unknown: those(isUnknown),
  };
}
