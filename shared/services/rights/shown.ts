import type { KnownAddress } from '../../domain/person/subscriber.ts';
import { shownSubscriber } from '../subscribers/shown.ts';

/** What is known of a person besides what was sent to them. */
export async function shownPerson({ person, platform }: KnownAddress) {
  const { email, subscriber, suppression, confirmation } = person;
  return {
    subscriber: subscriber && shownSubscriber(email, subscriber),
    suppression: suppression && {
      reason: suppression.reason,
      created_at: suppression.at,
      erased: suppression.isErased ?? false,
    },
    platform_suppression: platform && { reason: platform.reason, created_at: platform.createdAt },
    confirmation: confirmation && {
      round: confirmation.round,
      requested_at: confirmation.requestedAt,
      sent_at: confirmation.sentAt,
    },
  };
}
