import { PassingError } from '../contract/errors.ts';
import { type Envelope, type SendResult, sendEnvelope } from '../email/ses.ts';
import { serviceStopwatch, stopwatch } from '../platform/clock.ts';
import { config } from '../platform/config.ts';
import { beginningWithin } from '../platform/deadline.ts';
import { logger } from '../platform/logger.ts';
import { getSendingDecision, type SendingDecision } from '../store/sendingDecision.ts';

/** Whether the deployment may send. */
export interface SendingState {
  readonly isHeld: boolean;
  /** Since when, and by whom, if an operator decided it; null while the setting `sending` decides. */
  readonly decision: SendingDecision | null;
}

async function readState(): Promise<SendingState> {
  const decision = await getSendingDecision();
  return { isHeld: (decision?.state ?? config('SENDING')) === 'held', decision };
}

/** No call to SES begins later than this after the state was asked for: nor after a hold was answered. */
export const heldWithinSeconds = 5;
/** From this age on a process asks again, so that one read serves all calls of some seconds. */
const rememberedMilliseconds = 2500;

interface Answer {
  /** Milliseconds since it was asked for. */
  readonly age: () => number;
  readonly state: Promise<SendingState>;
}

let known: Answer | undefined;

const latest = (): Answer => (known && known.age() < rememberedMilliseconds ? known : ask());

function ask(): Answer {
  const fresh = { age: serviceStopwatch(), state: readState() };
  fresh.state.catch(() => {
    if (known === fresh) known = undefined;
  });
  known = fresh;
  return fresh;
}

/** Up to a few seconds old. */
export const sendingState = (): Promise<SendingState> => latest().state;

/** As it is now; this process remembers it from here on. */
export const currentSendingState = (): Promise<SendingState> => ask().state;

export const isSendingHeld = async (): Promise<boolean> => (await sendingState()).isHeld;

/** The code of what was not handed to the provider because of a hold, beside those of the provider. */
const heldCode = 'SendingHeld';

const retryAfterSeconds = 60;

/** 503 `sending_held`. */
export const sendingHeld = (): PassingError => new PassingError('sending_held', { retryAfterSeconds });

/** Throws `sending_held`. */
export async function requireOpenSending(): Promise<void> {
  if (await isSendingHeld()) throw sendingHeld();
}

export const isHeldCode = (providerCode: unknown): boolean => providerCode === heldCode;

/** True for an error that a hold caused, whole or in part: nothing of what is left was handed to the provider. */
export const isOfHold = (error: unknown): boolean =>
  error instanceof PassingError
    ? error.details.reason === 'sending_held'
    : isHeldCode((error as { details?: { provider_code?: unknown } } | null)?.details?.provider_code);

/**
 * The one way to SES for an email: nothing else may import `sendEnvelope`. `milliseconds`: how long the call may wait to
 * begin, from now.
 */
export const submitEnvelope = (envelope: Envelope, milliseconds: number): Promise<SendResult> =>
  unlessHeld(milliseconds, () => sendEnvelope(envelope), {
    held: { kind: 'obstacle', providerCode: heldCode },
    unread: { kind: 'obstacle', providerCode: 'StoreSlow' },
  });

/** The result in place of a call of SES: while all sending is held, and while it cannot be read whether it is. */
interface Instead<Outcome> {
  readonly held: Outcome;
  readonly unread: Outcome;
}

/** Makes one call of SES, unless all sending is held. `milliseconds`: how long it may wait to begin, from now. */
export async function unlessHeld<Outcome>(
  milliseconds: number,
  send: () => Promise<Outcome>,
  { held, unread }: Instead<Outcome>,
): Promise<Outcome> {
  const elapsed = stopwatch();
  const { age, state } = latest();
  const current = await state.catch((error: unknown) => {
    logger.error('Whether all sending is held could not be read: nothing was sent.', error as Error);
    return null;
  });
  if (current === null) return unread;
  if (current.isHeld) return held;
  return beginningWithin(Math.min(milliseconds - elapsed(), heldWithinSeconds * 1000 - age()), send);
}
