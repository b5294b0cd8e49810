import type { EmailRecord } from '../../store/sending/emails.ts';

/** One call's try at an email; `accepted` is what is known envelope by envelope, and grows. */
export interface Attempt {
  readonly record: EmailRecord;
  readonly accepted: boolean[];
  /** No earlier call left a record: nothing of it can be out yet. */
  readonly isFirst: boolean;
  readonly now: Date;
}

/** The envelopes that are not known to be accepted. */
export const openEnvelopes = ({ record, accepted }: Attempt): number[] =>
  [...record.envelopes.keys()].filter((index) => !accepted[index]);

/** Their recipients. */
export const openPart = (attempt: Attempt): string[] =>
  openEnvelopes(attempt).flatMap((index) => attempt.record.envelopes[index] ?? []);
