import type { Input, Output } from '../../../contract/route.ts';
import type { cancelEmailRoute } from '../../../contract/routes/emails/scheduled.ts';
import { overtaken, untilSettled } from '../../../platform/contention.ts';
import type { Context } from '../../context.ts';
import { operatorVerb } from '../../operators/verb.ts';
import { cleanUp, end } from './end.ts';
import { findScheduled, tooLate } from './find.ts';

/**
 * Ends an email before it goes out, or says that it is too late: one write decides between this and the worker that
 * sends it, whoever is killed afterwards. One that is canceled stays so, however often it is asked for.
 */
export const cancelEmail = operatorVerb(
  { action: 'email.cancel', needs: 'change', subject: ({ id }) => id, byKeys: true },
  async (
    { workspaceId, now }: Context,
    { id }: Input<typeof cancelEmailRoute>,
  ): Promise<Output<typeof cancelEmailRoute>> =>
    untilSettled(async () => {
      const email = await findScheduled(workspaceId, id);
      if (email.state === 'sending') throw tooLate('sending');
      if (email.state === 'scheduled' && !(await end(email, { reason: 'requested' }, now))) return overtaken;
      // Whoever canceled it before may have died before all was done.
      if (email.state === 'canceled' && email.isDue) await cleanUp(email);
      return { id, object: 'email', status: 'canceled' };
    }),
);
