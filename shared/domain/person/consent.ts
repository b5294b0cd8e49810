import { linkSeconds } from '../token.ts';
import {
  type Confirmation,
  type ConsentClaim,
  type Person,
  type Subscriber,
  type SubscriberStatus,
  type SuppressionReason,
  suppressionRank,
  withProof,
} from './person.ts';

/** True for reasons that end with the person's own consent. A bounce or a complaint does not. */
export function isLiftedByConsent(reason: SuppressionReason): boolean {
  return reason === 'unsubscribe' || reason === 'manual';
}

export type Consent = 'confirmed' | 'already_confirmed' | 'unknown' | 'refused';

/** The person confirms the request `confirmationId`, from a network address. */
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

/** Subscribes without a confirmation: the caller vouches for the consent. */
export function subscribeDirectly(person: Person, subscriber: Subscriber, now: Date, claim: ConsentClaim): Person {
  const subscribed = withProof(moved(subscriber, 'subscribed', now), { ...claim, at: now.toISOString() });
  return { ...person, subscriber: subscribed, confirmation: null };
}

/** Suppresses the address and unsubscribes a subscriber of any status. Idempotent: returns the same object. */
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
 * Applies a hard bounce or a complaint: suppresses the address and changes the status. A repeated report changes nothing
 * for a person who has unsubscribed since the first one.
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

/**
 * The person with all that another record of them says against mail: suppression, status, topics left, tracking refused.
 * Nothing that it says for mail is taken over. Returns the same object when nothing changes.
 */
export function withRefusalsOf(person: Person, { suppression, subscriber, preferences }: Person): Person {
  let after = person;
  if (suppression && !suppression.isErased) {
    const at = new Date(suppression.at);
    const isFeedback = suppression.reason === 'bounce' || suppression.reason === 'complaint';
    after = isFeedback ? applyFeedback(after, suppression.reason, at) : leave(after, suppression.reason, at);
  }
  const isOut = subscriber && subscriber.status !== 'pending' && subscriber.status !== 'subscribed';
  if (isOut && (after.subscriber?.status === 'pending' || after.subscriber?.status === 'subscribed')) {
    const { status, unsubscribedAt, updatedAt } = subscriber;
    const out = moved(after.subscriber, status, new Date(updatedAt), { unsubscribedAt });
    after = { ...after, subscriber: out, confirmation: null };
  }
  const leftTags = [...new Set([...after.preferences.leftTags, ...preferences.leftTags])];
  const { opens, clicks } = after.preferences;
  const refused = {
    opens: preferences.opens === 'denied' ? 'denied' : opens,
    clicks: preferences.clicks === 'denied' ? 'denied' : clicks,
  } as const;
  const isSame =
    refused.opens === opens && refused.clicks === clicks && leftTags.length === after.preferences.leftTags.length;
  return isSame ? after : { ...after, preferences: { ...after.preferences, ...refused, leftTags } };
}

/** The first date stays. A reason is replaced only by one that ranks higher. */
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

/** True for people in the audience index of campaigns: subscribed and not suppressed in the workspace. */
export function isInAudience(person: Person): boolean {
  return person.subscriber?.status === 'subscribed' && person.suppression === null;
}

/** Without a claim, the sweeper queues a confirmation again after this time. */
const retrySeconds = 180;
/** The shortest time between two confirmation messages. */
const pauseSeconds = 3600;
/** How long a claim lasts: until the provider's event for its message must have arrived. */
const claimSeconds = 300;
/** How much later than the end of the claim the sweeper checks. */
const graceSeconds = 30;
/** How long to wait before the next try after a suspension or an error of the provider. */
const postponementSeconds = 3600;

/** Opens a new request for consent. Links of an earlier request become invalid. */
export function requestConfirmation(person: Person, id: string, now: Date, claim?: ConsentClaim): Person {
  return { ...person, confirmation: openRound({ id, round: 1, claim }, now) };
}

/** Opens another round of the same request, with the claim of the latest caller. The links of all rounds are valid. */
export function repeatConfirmation(
  person: Person,
  confirmation: Confirmation,
  now: Date,
  claim?: ConsentClaim,
): Person {
  const { id, round } = confirmation;
  return { ...person, confirmation: openRound({ id, round: round + 1, claim: claim ?? confirmation.claim }, now) };
}

function openRound({ claim, ...round }: Pick<Confirmation, 'id' | 'round' | 'claim'>, now: Date): Confirmation {
  const dueAt = later(now, retrySeconds);
  const opened = { ...round, requestedAt: now.toISOString(), claimedAt: null, sentAt: null, dueAt };
  return claim ? { ...opened, claim } : opened;
}

/** True when the previous message was requested long enough ago. Keeps callers from flooding a person. */
export function mayRepeat(confirmation: Confirmation, askedAt: Date): boolean {
  return askedAt.getTime() - Date.parse(confirmation.requestedAt) > pauseSeconds * 1000;
}

/** True for a request that is older than the lifetime of its links. */
export const isOutdated = (askedAt: Date, now: Date): boolean =>
  now.getTime() - askedAt.getTime() > (linkSeconds.confirm ?? 0) * 1000;

/** True while a process has claimed this round. */
export const isClaimed = ({ claimedAt }: Confirmation, now: Date): boolean =>
  claimedAt !== null && now.getTime() - Date.parse(claimedAt) < claimSeconds * 1000;

/** After so many unanswered messages none is sent for so many days, whoever requests it. */
export const maxUnanswered = 3;
export const silentDays = 180;

/** Skips the message of a round. The links of earlier rounds stay valid, and a later round may be sent. */
export function silenceConfirmation(person: Person, confirmation: Confirmation): Person {
  return confirmation.dueAt === null ? person : { ...person, confirmation: { ...confirmation, dueAt: null } };
}

/**
 * The person without a sign-up that was requested before `before` and never confirmed; the same object when there is
 * none. A message that was sent or is due since then keeps the sign-up: its link must work.
 */
export function withoutExpired(person: Person, before: Date): Person {
  const { subscriber, confirmation } = person;
  if (subscriber?.status !== 'pending') return person;
  const awaited = confirmation?.sentAt ?? (confirmation?.dueAt ? confirmation.requestedAt : null);
  const isExpired = [subscriber.createdAt, awaited].every((at) => at === null || new Date(at) < before);
  return isExpired ? { ...person, subscriber: null, confirmation: null } : person;
}

/** Claims a round for one process. `isRepeated`: an earlier message may have been sent; there is no third attempt. */
export function claimConfirmation(person: Person, round: Confirmation, isRepeated: boolean, now: Date): Person {
  const { isEndKnown: _, isRepeated: __, ...confirmation } = round;
  const dueAt = later(now, claimSeconds + graceSeconds);
  const claimed = { ...confirmation, claimedAt: now.toISOString(), dueAt };
  return { ...person, confirmation: isRepeated ? { ...claimed, isRepeated } : claimed };
}

/** Notes that the message of this round was sent. Changes nothing after a later round, or without one. */
export function markConfirmationSent(person: Person, id: string, round: number, now: Date): Person {
  const { confirmation } = person;
  if (confirmation?.id !== id || confirmation.round !== round) return person;
  return { ...person, confirmation: { ...confirmation, sentAt: now.toISOString(), dueAt: null } };
}

/** Records that the process of this round failed before it called SES: no message was sent. */
export function noteFailure(person: Person, id: string, round: number): Person {
  const { confirmation } = person;
  if (confirmation?.id !== id || confirmation.round !== round) return person;
  return { ...person, confirmation: { ...confirmation, isEndKnown: true } };
}

/** Notes that all sending was held before the call to the provider. */
export function noteHold(person: Person, id: string, round: number, now: Date): Person {
  const { confirmation } = noteFailure(person, id, round);
  if (confirmation?.id !== id || confirmation.round !== round) return person;
  return awaitRelease({ ...person, confirmation }, confirmation, now);
}

/** Due at once: it is looked for when nothing is held any more. */
export function awaitRelease(person: Person, confirmation: Confirmation, now: Date): Person {
  if (confirmation.dueAt && new Date(confirmation.dueAt) <= now) return person;
  return { ...person, confirmation: { ...confirmation, dueAt: now.toISOString() } };
}

/** Records a refusal by SES: the next try is in an hour, or never once the link has expired. */
export function noteRefusal(person: Person, id: string, round: number, now: Date): Person {
  const { confirmation } = noteFailure(person, id, round);
  if (confirmation?.id !== id || confirmation.round !== round) return person;
  return postponeConfirmation(person, confirmation, now);
}

/** Schedules the next try in an hour, or drops the request once its link has expired. */
export function postponeConfirmation(person: Person, confirmation: Confirmation, now: Date): Person {
  if (isOutdated(new Date(confirmation.requestedAt), now)) return dropConfirmation(person);
  return { ...person, confirmation: { ...confirmation, dueAt: later(now, postponementSeconds) } };
}

/** Withdraws the request. Its links become invalid. */
export function dropConfirmation(person: Person): Person {
  return { ...person, confirmation: null };
}

const later = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString();
