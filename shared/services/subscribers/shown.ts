import type { Output } from '../../contract/route.ts';
import type { getSubscriberRoute } from '../../contract/routes/subscribers.ts';
import type { Subscriber } from '../../domain/person/subscriber.ts';

export type ShownSubscriber = Output<typeof getSubscriberRoute>;

/** A subscriber as the API and the events show it. */
export function shownSubscriber(email: string, subscriber: Subscriber): ShownSubscriber {
  return {
    object: 'subscriber',
    email,
    status: subscriber.status,
    firstName: subscriber.firstName,
    lastName: subscriber.lastName,
    tags: subscriber.tags,
    fields: subscriber.fields,
    created_at: subscriber.createdAt,
    updated_at: subscriber.updatedAt,
    confirmed_at: subscriber.confirmedAt,
    unsubscribed_at: subscriber.unsubscribedAt,
  };
}
