import type { Input, Output } from '../../../contract/route.ts';
import type { cancelEmailRoute } from '../../../contract/routes/emails/scheduled.ts';
import { overtaken, untilSettled } from '../../../platform/contention.ts';
import { deleteBody } from '../../../store/files/bodies.ts';
import { endScheduled } from '../../../store/scheduled/scheduledEmails.ts';
import type { Context } from '../../context.ts';
import { findScheduled, tooLate } from './find.ts';

/**
 * Ends an email before it goes out, or says that it is too late: one write decides between this and the worker that
 * sends it, whoever is killed afterwards. One that is canceled stays so, however often it is asked for.
 */
export async function cancelEmail(
  { workspaceId, now }: Context,
  { id }: Input<typeof cancelEmailRoute>,
): Promise<Output<typeof cancelEmailRoute>> {
  return untilSettled(async () => {
    const email = await findScheduled(workspaceId, id);
    if (email.state === 'sending') throw tooLate('sending');
    if (email.state === 'scheduled' && !(await endScheduled(email, 'requested', now))) return overtaken;
    await deleteBody(workspaceId, id);
    return { id, object: 'email', status: 'canceled' };
  });
}
