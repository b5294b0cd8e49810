import type { Output } from '../../contract/route.ts';
import type { getSubscriberRoute } from '../../contract/routes/subscribers.ts';
import type { Person, Subscriber } from '../../domain/person/subscriber.ts';

export type SubscriberRecord = Output<typeof getSubscriberRoute>;

/** A subscriber as the API and the events show it. */
export function subscriberRecord(email: string, subscriber: Subscriber): SubscriberRecord {
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

/** The record of somebody who is a subscriber, null of somebody who is only suppressed. */
export function recordOf({ email, subscriber }: Person): SubscriberRecord | null {
  return subscriber && subscriberRecord(email, subscriber);
}
