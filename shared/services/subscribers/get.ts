import { ServiceError } from '../../contract/errors.ts';
import type { getSubscriberRoute } from '../../contract/routes/subscribers.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import type { Call, Reply } from '../../http/call.ts';
import { getStanding } from '../../store/person/people.ts';
import { recordOf } from './record.ts';

/** What is not an address is nobody's: 404 like an unknown one. */
export async function getSubscriber({ caller, path }: Call<typeof getSubscriberRoute>): Promise<Reply> {
  const email = canonicalAddress(path.email);
  const record = email && recordOf((await getStanding(caller.workspaceId, email)).person);
  if (!record) throw new ServiceError('not_found');
  return { status: 200, body: record };
}
