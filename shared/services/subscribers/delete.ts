import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { deleteSubscriberRoute } from '../../contract/routes/subscribers.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import { leave } from '../../domain/person/consent.ts';
import type { Context } from '../context.ts';
import { personSubject } from '../operators/personSubject.ts';
import { operatorVerb } from '../operators/verb.ts';
import { changePerson } from './change.ts';

/** Unsubscribes and suppresses; who it was is kept. An address that is only suppressed is no subscriber: 404. */
export const deleteSubscriber = operatorVerb(
  { action: 'subscriber.unsubscribe', needs: 'change', subject: ({ email }) => personSubject(email), byKeys: true },
  async (
    { workspaceId, now }: Context,
    input: Input<typeof deleteSubscriberRoute>,
  ): Promise<Output<typeof deleteSubscriberRoute>> => {
    const email = canonicalAddress(input.email);
    if (!email) throw new ServiceError('not_found');
    await changePerson({ workspaceId, email }, 'api', now, ({ person }) => {
      if (!person.subscriber) throw new ServiceError('not_found');
      return { person: leave(person, 'unsubscribe', now), result: undefined };
    });
    return { object: 'subscriber', email, status: 'unsubscribed', suppressed: true, deleted: false };
  },
);
