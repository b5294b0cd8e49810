import { ServiceError } from '../../contract/errors.ts';
import type { deleteSubscriberRoute } from '../../contract/routes/subscribers.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import { leave } from '../../domain/person/consent.ts';
import type { Call, Reply } from '../../http/call.ts';
import { changePerson } from './change.ts';

/** Unsubscribes and suppresses; the record is kept. An address that is only suppressed is no subscriber: 404. */
export async function deleteSubscriber({ caller, path, now }: Call<typeof deleteSubscriberRoute>): Promise<Reply> {
  const email = canonicalAddress(path.email);
  if (!email) throw new ServiceError('not_found');
  await changePerson({ workspaceId: caller.workspaceId, email }, 'api', now, ({ person }) => {
    if (!person.subscriber) throw new ServiceError('not_found');
    return { person: leave(person, 'unsubscribe', now), result: undefined };
  });
  return {
    status: 200,
    body: { object: 'subscriber', email, status: 'unsubscribed', suppressed: true, deleted: false },
  };
}
