import type { Input, Output } from '../../../contract/route.ts';
import type { updateEmailRoute } from '../../../contract/routes/emails/scheduled.ts';
import { overtaken, untilSettled } from '../../../platform/contention.ts';
import { deleteBody, getBody, putBody } from '../../../store/files/bodies.ts';
import { reschedule } from '../../../store/scheduled/scheduledEmails.ts';
import type { Context } from '../../context.ts';
import { findScheduled, tooLate } from './find.ts';
import { checkMoment, dueOf, expiryOf, queueIfNear } from './moment.ts';

/** Gives a scheduled email another moment. A message for the former one names a moment that the record does not. */
export async function rescheduleEmail(
  { workspaceId, now }: Context,
  { id, scheduled_at }: Input<typeof updateEmailRoute>,
): Promise<Output<typeof updateEmailRoute>> {
  const at = new Date(scheduled_at);
  const moved = await untilSettled(async () => {
    const email = await findScheduled(workspaceId, id);
    if (email.state !== 'scheduled') throw tooLate(email.state);
    checkMoment(at, now);
    await keepLonger(workspaceId, id);
    const changed = await reschedule(email, at.toISOString(), dueOf(at, now), now, expiryOf(at));
    if (!changed && (await isOver(workspaceId, id))) await deleteBody(workspaceId, id);
    return changed ?? overtaken;
  });
  await queueIfNear([moved], now);
  return { id, object: 'email', scheduled_at: moved.scheduledAt };
}

/** Bodies expire a while after the longest time ahead: one that was written weeks ago begins anew. */
async function keepLonger(workspaceId: string, id: string): Promise<void> {
  const body = await getBody(workspaceId, id);
  if (body) await putBody(workspaceId, id, body);
}

/** It was canceled, or sent, while its body was written anew. */
async function isOver(workspaceId: string, id: string): Promise<boolean> {
  const email = await findScheduled(workspaceId, id).catch(() => null);
  return email === null || email.state === 'canceled';
}
