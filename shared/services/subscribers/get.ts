import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { getSubscriberRoute } from '../../contract/routes/subscribers.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import { getAddress } from '../../store/person/people.ts';
import type { Context } from '../context.ts';
import { shownSubscriber } from './shown.ts';

/** What is not an address is nobody's: 404 like an unknown one. */
export async function getSubscriber(
  { workspaceId }: Context,
  input: Input<typeof getSubscriberRoute>,
): Promise<Output<typeof getSubscriberRoute>> {
  const email = canonicalAddress(input.email);
  const subscriber = email && (await getAddress(workspaceId, email)).person.subscriber;
  if (!subscriber) throw new ServiceError('not_found');
  return shownSubscriber(email, subscriber);
}
