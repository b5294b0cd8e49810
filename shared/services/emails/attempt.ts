import type { Minute } from '../../domain/sending/minute.ts';
import type { Email } from '../../store/sending/email.ts';

/** One call's try at an email; `accepted` is what is known envelope by envelope, and grows. */
export interface Attempt {
  readonly email: Email;
  readonly accepted: boolean[];
  /** On whose account it reserved. */
  readonly minute: Minute;
}

/** Who is in the envelopes that are not known to be accepted. */
export const openPart = ({ email, accepted }: Pick<Attempt, 'email' | 'accepted'>): string[] =>
  email.envelopes.filter((_, index) => !accepted[index]).flat();
