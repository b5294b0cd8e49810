import { type ConsentClaim, withProof } from './consentProof.ts';
import type { Person, Subscriber, SubscriberStatus } from './subscriber.ts';
import { type SuppressionReason, suppressionRank } from './suppression.ts';

/** These the person's own consent lifts; a dead address or a complaint it does not. */
export function isLiftedByConsent(reason: SuppressionReason): boolean {
  return reason === 'unsubscribe' || reason === 'manual';
}

export type Consent = 'confirmed' | 'already_confirmed' | 'unknown' | 'refused';

/** The person says yes to the request `confirmationId`, from a network address. */
export function confirm(
  person: Person,
  confirmationId: string | undefined,
  now: Date,
  confirmedFrom?: string,
): [Consent, Person] {
  const { subscriber, suppression, confirmation } = person;
  if (!subscriber) return ['unknown', person];
  if (subscriber.status === 'subscribed') return ['already_confirmed', person];
  const isOpen = confirmation !== null && confirmation.id === confirmationId;
  if (!isOpen || (suppression && !isLiftedByConsent(suppression.reason))) return ['refused', person];
  const confirmedAt = now.toISOString();
  const changes = { confirmedAt, unsubscribedAt: null };
  const { claim, requestedAt } = confirmation;
  const subscribed = moved(subscriber, 'subscribed', now, changes);
  const proven = claim ? withProof(subscribed, { ...claim, requestedAt, at: confirmedAt, confirmedFrom }) : subscribed;
  return ['confirmed', { ...person, subscriber: proven, suppression: null, confirmation: null }];
}

/** The caller answers for the consent of somebody who has not confirmed. */
export function subscribeDirectly(person: Person, subscriber: Subscriber, now: Date, claim: ConsentClaim): Person {
  const subscribed = withProof(moved(subscriber, 'subscribed', now), { ...claim, at: now.toISOString() });
  return { ...person, subscriber: subscribed, confirmation: null };
}

/** Suppresses, and a subscriber leaves, whatever they were. Nothing changes for somebody who has left already. */
export function leave(person: Person, reason: SuppressionReason, now: Date): Person {
  const suppressed = suppress(person, reason, now);
  const { subscriber } = suppressed;
  if (!subscriber) return suppressed.suppression === person.suppression ? person : suppressed;
  if (subscriber.status !== 'unsubscribed') {
    const changes = { unsubscribedAt: now.toISOString() };
    return { ...suppressed, subscriber: moved(subscriber, 'unsubscribed', now, changes), confirmation: null };
  }
  const isSame = suppressed.suppression === person.suppression && person.confirmation === null;
  return isSame ? person : { ...suppressed, confirmation: null };
}

/**
 * What a hard bounce or a complaint does: the address is suppressed, and the status follows when this is news. Somebody
 * who was taken out after the same feedback stays as they are when it is told again.
 */
export function applyFeedback(person: Person, reason: 'bounce' | 'complaint', now: Date): Person {
  const suppressed = suppress(person, reason, now);
  const { subscriber } = suppressed;
  if (!subscriber) return suppressed.suppression === person.suppression ? person : suppressed;
  const isNews = suppressed.suppression !== person.suppression;
  const isActive = subscriber.status === 'pending' || subscriber.status === 'subscribed';
  if (!isNews && !isActive) return person;
  const status = suppressed.suppression?.reason === 'complaint' ? 'complained' : 'bounced';
  return { ...suppressed, subscriber: moved(subscriber, status, now), confirmation: null };
}

/** The first date stays, and a reason only gives way to one that outranks it. */
function suppress(person: Person, reason: SuppressionReason, now: Date): Person {
  const { suppression } = person;
  if (suppression && suppressionRank(suppression.reason) >= suppressionRank(reason)) return person;
  return { ...person, suppression: { ...suppression, reason, at: suppression?.at ?? now.toISOString() } };
}

function moved(
  subscriber: Subscriber,
  status: SubscriberStatus,
  now: Date,
  changes: Partial<Subscriber> = {},
): Subscriber {
  return { ...subscriber, ...changes, status, updatedAt: now.toISOString() };
}

/** In the index that a campaign reads: subscribed, and nothing in the workspace stands against writing to them. */
export function isInAudience(person: Person): boolean {
  return person.subscriber?.status === 'subscribed' && person.suppression === null;
}
