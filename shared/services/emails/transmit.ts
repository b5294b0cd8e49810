import { setTimeout as wait } from 'node:timers/promises';
import type { Tracking } from '../../domain/sending/tracking.ts';
import { feedbackTags } from '../../email/feedbackTags.ts';
import type { Mime } from '../../email/mime/mimeParts.ts';
import { type Envelope, sendEnvelope } from '../../email/sendEnvelope.ts';
import { answerMilliseconds, type NotAccepted, type SendResult } from '../../email/ses.ts';
import { now } from '../../platform/clock.ts';
import { pause, remainingMilliseconds, withDeadline } from '../../platform/deadline.ts';
import { addLogFields } from '../../platform/logContext.ts';
import { logger } from '../../platform/logger.ts';
import type { Email } from '../../store/sending/email.ts';
import { getEmail } from '../../store/sending/emails.ts';
import type { Attempt } from './attempt.ts';
import { accept } from './reservation.ts';

/** What kept an email from going out whole; `superseded`: another call has taken the send over. */
export type Stop = NotAccepted | { readonly kind: 'superseded' };

/** `marked` is true when all that was accepted is on disk. */
interface Transmission {
  readonly stop: Stop | null;
  readonly marked: Promise<boolean>;
}

/** How a call goes about it with the provider. */
export interface Manner {
  send(envelope: Envelope): Promise<SendResult>;
  /** What it waits for each time that it was told to come later, in milliseconds; then it gives up. */
  waits(): Iterable<number>;
}

/** What was throttled or never left this machine was certainly not taken: it is tried again, a few times and ever later. */
const alone: Manner = { send: sendEnvelope, waits: () => [200, 600, 1500] };

/**
 * One envelope after the other, so that a refusal of the first one leaves nobody written to. Sets `accepted` as it goes
 * and returns what stopped it; it never throws. An envelope's mark is on disk before the next one leaves; the last mark
 * is still under way, so that it costs no round trip of its own.
 */
export async function transmit(
  attempt: Attempt,
  mime: Mime,
  tracking: Tracking,
  manner: Manner = alone,
): Promise<Transmission> {
  const { email, accepted, minute, sheet } = attempt;
  addLogFields({ email_id: email.id });
  let marked = Promise.resolve(true);
  for (const [index, recipients] of email.envelopes.entries()) {
    if (accepted[index]) continue;
    const obstacle = await obstacleTo(attempt, await marked);
    if (obstacle) return { stop: obstacle, marked };
    const tags = feedbackTags(
      { kind: 'email', id: email.id, workspaceId: email.workspaceId, envelope: index, minute, sheet },
      email.tags,
    );
    const result = await sendPatiently({ recipients, mime, tags, tracking }, manner);
    const known = result.kind === 'unknown' ? await askFeedback(email, index, result) : result;
    if (known.kind !== 'accepted') return { stop: known, marked };
    accepted[index] = true;
    marked = mark(() => accept(email, index, known.messageId, minute, now()), email);
  }
  return { stop: null, marked };
}

/** What a call waits for the provider's word after its answer: nothing is started that leaves no time for both. */
const wordMilliseconds = 5_000;
const mayStart = (): boolean => remainingMilliseconds() >= answerMilliseconds + wordMilliseconds;

/** From this age on a call asks whether its key is still its own: a younger one cannot have lost it. */
const unquestionedMilliseconds = 5_000;

/** Why the next envelope must not leave. */
async function obstacleTo(attempt: Attempt, isMarked: boolean): Promise<Stop | null> {
  if (!mayStart()) return { kind: 'obstacle', providerCode: 'Timeout' };
  if (!isMarked) return { kind: 'obstacle', providerCode: 'InternalError' };
  if (now().getTime() - attempt.startedAt.getTime() < unquestionedMilliseconds) return null;
  try {
    return (await attempt.isStillOurs()) ? null : { kind: 'superseded' };
  } catch (error) {
    logger.error('Whose Idempotency-Key it is could not be read.', error as Error);
    return { kind: 'obstacle', providerCode: 'InternalError' };
  }
}

async function sendPatiently(envelope: Envelope, manner: Manner): Promise<SendResult> {
  const tryOnce = () => withDeadline(remainingMilliseconds() - wordMilliseconds, () => manner.send(envelope));
  let result = await tryOnce();
  for (const milliseconds of manner.waits()) {
    if (result.kind !== 'deferred') break;
    await wait(milliseconds * (0.5 + Math.random()));
    if (!mayStart()) break;
    result = await tryOnce();
  }
  return result;
}

const feedbackWaitsMilliseconds = [300, 700, 1500, 2500];

/** The call broke. If the provider took the message, its Send event marks the envelope within moments: wait for it. */
async function askFeedback<Broken extends SendResult>(
  { workspaceId, id }: Email,
  envelope: number,
  broken: Broken,
): Promise<SendResult> {
  try {
    for (const milliseconds of feedbackWaitsMilliseconds) {
      await pause(milliseconds);
      const messageId = (await getEmail(workspaceId, id))?.messageIds[envelope];
      if (messageId) return { kind: 'accepted', messageId };
    }
  } catch (error) {
    logger.warn('Whether the provider took a message could not be read.', error as Error);
  }
  return broken;
}

/** After the provider's yes the answer is 202, whatever our own records do: the Send event and the sweeper mend them. */
async function mark(write: () => Promise<unknown>, email: Email): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    logger.error('An accepted email could not be marked; feedback will.', {
      error: error as Error,
      email_id: email.id,
    });
    return false;
  }
}
