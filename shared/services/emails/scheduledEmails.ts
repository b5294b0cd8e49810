import { ServiceError } from '../../contract/errors.ts';
import { notFound } from '../../contract/notFound.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { cancelEmailRoute, updateEmailRoute } from '../../contract/routes/emailRecords.ts';
import { isId } from '../../domain/identifier.ts';
import { type Text, textsOf } from '../../language/text.ts';
import { overtaken, untilSettled } from '../../platform/deadline.ts';
import { isSent } from '../../store/archive/wholeEmails.ts';
import { getScheduled, reschedule, type ScheduledEmail } from '../../store/emails/scheduledEmails.ts';
import { deleteBody, getBody, putBody } from '../../store/files/bucket.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operatorVerb.ts';
import { cleanUp, end } from './internal/endScheduled.ts';
import { checkScheduledTime, dueOf, expiryOf, queueIfNear } from './internal/scheduleEmail.ts';

/**
 * Cancels a scheduled email, or throws `conflict` when it is sent or being sent: one conditional write decides between
 * this call and the worker that sends. Idempotent.
 */
export const cancelEmail = /* @__PURE__ */ operatorVerb(
  { action: 'email.cancel', needs: 'change', subject: ({ id }) => id, byKeys: 'unaudited' },
  async (
    { workspaceId, now }: Context,
    { id }: Input<typeof cancelEmailRoute>,
  ): Promise<Output<typeof cancelEmailRoute>> =>
    untilSettled(async () => {
      const email = await findScheduled(workspaceId, id, now);
      if (email.state === 'sending') throw tooLate('sending');
      if (email.state === 'scheduled' && !(await end(email, { reason: 'requested' }, now))) return overtaken;
      // An earlier call may have crashed before it had cleaned up.
      if (email.state === 'canceled' && email.isDue) await cleanUp(email);
      return { id, object: 'email', status: 'canceled' };
    }),
);

/** Changes the scheduled time. A message queued for the old time is ignored, since the record names another time. */
export async function rescheduleEmail(
  { workspaceId, now }: Context,
  { id, scheduled_at }: Input<typeof updateEmailRoute>,
): Promise<Output<typeof updateEmailRoute>> {
  const at = new Date(scheduled_at);
  const changed = await untilSettled(async () => {
    const email = await findScheduled(workspaceId, id, now);
    if (email.state !== 'scheduled') throw tooLate(email.state);
    checkScheduledTime(at, now);
    await renewBody(workspaceId, id);
    const rescheduled = await reschedule(email, at.toISOString(), dueOf(at, now), now, expiryOf(at));
    if (!rescheduled && (await isOver(workspaceId, id, now))) await deleteBody(workspaceId, id);
    return rescheduled ?? overtaken;
  });
  await queueIfNear([changed], now);
  return { id, object: 'email', scheduled_at: changed.scheduledAt };
}

/** A body expires some time after the latest possible scheduled time; writing it again restarts that time. */
async function renewBody(workspaceId: string, id: string): Promise<void> {
  const body = await getBody(workspaceId, id);
  if (body) await putBody(workspaceId, id, body);
}

/** The email was cancelled or sent while its body was written again. */
async function isOver(workspaceId: string, id: string, now: Date): Promise<boolean> {
  const email = await findScheduled(workspaceId, id, now).catch(() => null);
  return email === null || email.state === 'canceled';
}

/** Throws `not_found`, or `conflict` for an email that was sent. */
async function findScheduled(workspaceId: string, id: string, now: Date): Promise<ScheduledEmail> {
  const email = isId('email', id) ? await getScheduled({ workspaceId, id }) : null;
  if (email) return email;
  if (isId('email', id) && (await isSent(workspaceId, id, now))) throw tooLate('sent');
  throw notFound('email');
}

const texts: Readonly<Record<'sent' | 'sending' | 'canceled', Text>> = textsOf({
  sent: {
    en: 'It is too late: the email was sent.',
    fr: 'Il est trop tard : l’e-mail a été envoyé.',
  },
  sending: {
    en: 'It is too late: the email is being sent.',
    fr: 'Il est trop tard : l’e-mail est en cours d’envoi.',
  },
  canceled: {
    en: 'The email was canceled: schedule a new one.',
    fr: 'L’e-mail a été annulé : programmez-en un nouveau.',
  },
});

const tooLate = (status: keyof typeof texts): ServiceError =>
  new ServiceError('conflict', { text: texts[status], details: { status } });
