import { setTimeout as wait } from 'node:timers/promises';
import { feedbackTags } from '../../email/feedbackTags.ts';
import { type SendResult, sendEnvelope } from '../../email/ses.ts';
import { now } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import type { Email } from '../../store/sending/email.ts';
import { findEmail } from '../../store/sending/emails.ts';
import type { Workspace } from '../../store/workspace/workspaces.ts';
import type { Attempt } from './attempt.ts';
import { accept } from './reservation.ts';

/** What kept an email from going out whole. */
export type Stop = Exclude<SendResult, { kind: 'accepted' }>;

/**
 * One envelope after the other, so that a refusal of the first one leaves nobody written to. Sets `accepted` as it goes
 * and returns what stopped it. An envelope's mark is on disk before the next one leaves; the last mark is still under
 * way (`marked`), so that it costs no round trip of its own.
 */
export async function transmit(
  { email, accepted, minute }: Attempt,
  mime: Uint8Array,
  workspace: Workspace,
): Promise<{ stop: Stop | null; marked: Promise<void> }> {
  const lastStart = performance.now() + lastStartMilliseconds;
  let marked = Promise.resolve();
  for (const [index, recipients] of email.envelopes.entries()) {
    if (accepted[index]) continue;
    await marked;
    if (performance.now() > lastStart) return { stop: { kind: 'refused', providerCode: 'Timeout' }, marked };
    const result = await sendPatiently(lastStart, () =>
      sendEnvelope({
        recipients,
        mime,
        tags: feedbackTags(
          { kind: 'email', id: email.id, workspaceId: email.workspaceId, envelope: index, minute },
          email.tags,
        ),
        tracking: { opens: workspace.trackOpens, clicks: workspace.trackClicks },
      }),
    );
    const known = result.kind === 'unknown' ? await askFeedback(email, index, result) : result;
    if (known.kind !== 'accepted') return { stop: known, marked };
    accepted[index] = true;
    marked = remember(() => accept(email, index, known.messageId, minute, now()), email);
  }
  return { stop: null, marked };
}

/**
 * No call of the provider starts later than this. One takes 10 seconds at most, and what became of it is known 5 seconds
 * after: the caller hears all of it before API Gateway's 29 seconds, and long before its Idempotency-Key is free.
 */
const lastStartMilliseconds = 12_000;

const deferralWaitsMilliseconds = [200, 600, 1500];

/** What was throttled or never left this machine was certainly not taken: it is tried again, a few times and ever later. */
async function sendPatiently(lastStart: number, send: () => Promise<SendResult>): Promise<SendResult> {
  let result = await send();
  for (const milliseconds of deferralWaitsMilliseconds) {
    if (result.kind !== 'deferred' || performance.now() + 1.5 * milliseconds > lastStart) break;
    await wait(milliseconds * (0.5 + Math.random()));
    result = await send();
  }
  return result;
}

const feedbackWaitsMilliseconds = [300, 700, 1500, 2500];

/** The call broke. If the provider took the message, its Send event marks the envelope within moments: wait for it. */
async function askFeedback<T extends SendResult>(email: Email, envelope: number, broken: T): Promise<SendResult> {
  for (const milliseconds of feedbackWaitsMilliseconds) {
    await wait(milliseconds);
    const messageId = (await findEmail(email.workspaceId, email.id))?.messageIds[envelope];
    if (messageId) return { kind: 'accepted', messageId };
  }
  return broken;
}

/** After the provider's yes the answer is 202, whatever our own records do: the Send event and the sweeper mend them. */
async function remember(write: () => Promise<unknown>, email: Email): Promise<void> {
  try {
    await write();
  } catch (error) {
    logger.error('An accepted email could not be marked; feedback will.', {
      error: error as Error,
      email_id: email.id,
    });
  }
}
