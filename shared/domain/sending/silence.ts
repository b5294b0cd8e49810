/**
 * When a send may be made again under its Idempotency-Key though nobody heard what became of the first: the provider has
 * no idempotency token, so that a message sent again too early arrives twice. All times in milliseconds since the epoch.
 */

/** Beyond the last moment at which a call hands anything to the provider, counted from its start. */
const sendingMilliseconds = 30_000;

/** How long a call that says nothing may be at work: its key is nobody else's until then. */
const workingMilliseconds = 60_000;

/**
 * How much later than others of its time the word on a message may come. The longest regular way round is that of a word
 * whose worker died: its queue shows it again after six times the worker's time-out, 180 seconds.
 */
export const disorderMilliseconds = 200_000;

/** After this the word is not waited for any longer. */
export const patienceMilliseconds = 300_000;

/** A caller who waits looks again this often: the word may come at any moment. */
const lookAgainSeconds = 30;

export type Silence =
  /** Its call may still be sending, or has ended and the provider's word may still come. */
  | { readonly kind: 'working' | 'unconfirmed'; readonly retryAfterSeconds: number }
  /** The provider's words on messages sent later have come in: it did not take this one. */
  | { readonly kind: 'not taken' }
  /** Nothing was heard for so long that it may be sent again; it may be out all the same. */
  | { readonly kind: 'given up' };

/** What is known of a send that began at `startedAt`, when words on messages sent up to `heardUpTo` have come in. */
export function silenceOf(startedAt: number, heardUpTo: number | null, now: number): Silence {
  const age = now - startedAt;
  if (age < workingMilliseconds) return { kind: 'working', retryAfterSeconds: seconds(workingMilliseconds - age) };
  if (heardUpTo !== null && heardUpTo >= startedAt + sendingMilliseconds + disorderMilliseconds) {
    return { kind: 'not taken' };
  }
  if (age >= patienceMilliseconds) return { kind: 'given up' };
  const rest = seconds(patienceMilliseconds - age);
  return { kind: 'unconfirmed', retryAfterSeconds: Math.min(lookAgainSeconds, rest) };
}

const seconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000));
