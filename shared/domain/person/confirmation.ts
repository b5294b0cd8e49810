import { linkSeconds } from '../token/linkToken.ts';
import type { ConsentClaim } from './consentProof.ts';
import type { Confirmation, Person } from './subscriber.ts';

/** How long a confirmation may wait for a worker before the sweeper queues it again. */
const retrySeconds = 180;
/** How long after a confirmation the next call may send another. */
const pauseSeconds = 3600;
/** How long a worker that died keeps others out: as long as the provider's word on its message may still come. */
const claimSeconds = 300;
/** The sweeper comes after that, not with it. */
const graceSeconds = 30;
/** How long a round waits that could not leave: a suspension is lifted by hand, a provider comes back by itself. */
const postponementSeconds = 3600;

/** Asks the person for consent; links of an earlier request are void from here on. */
export function requestConfirmation(person: Person, id: string, now: Date, claim?: ConsentClaim): Person {
  return { ...person, confirmation: openRound({ id, round: 1, claim }, now) };
}

/** Asks once more for the same consent, on the word of whoever asked last; the links of all rounds are good. */
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

/** True when the last message was asked for long enough before this request, so that nobody can be flooded. */
export function mayRepeat(confirmation: Confirmation, askedAt: Date): boolean {
  return askedAt.getTime() - Date.parse(confirmation.requestedAt) > pauseSeconds * 1000;
}

/** What was asked for longer ago than a link lives is not asked any more: nobody remembers it. */
export const isOutdated = (askedAt: Date, now: Date): boolean =>
  now.getTime() - askedAt.getTime() > (linkSeconds.confirm ?? 0) * 1000;

/** True while a worker has this round. */
export const isClaimed = ({ claimedAt }: Confirmation, now: Date): boolean =>
  claimedAt !== null && now.getTime() - Date.parse(claimedAt) < claimSeconds * 1000;

/** Takes a round for one worker. `isRepeated`: the message of one before may be out, and there is no third. */
export function claimConfirmation(person: Person, round: Confirmation, isRepeated: boolean, now: Date): Person {
  const { isEndKnown: _, isRepeated: __, ...confirmation } = round;
  const dueAt = later(now, claimSeconds + graceSeconds);
  const claimed = { ...confirmation, claimedAt: now.toISOString(), dueAt };
  return { ...person, confirmation: isRepeated ? { ...claimed, isRepeated } : claimed };
}

/** The message of this round is out; a later round, or none, is left alone. */
export function markConfirmationSent(person: Person, id: string, round: number, now: Date): Person {
  const { confirmation } = person;
  if (confirmation?.id !== id || confirmation.round !== round) return person;
  return { ...person, confirmation: { ...confirmation, sentAt: now.toISOString(), dueAt: null } };
}

/** The worker of this round failed before it asked the provider for anything: nothing of its try is out. */
export function noteFailure(person: Person, id: string, round: number): Person {
  const { confirmation } = person;
  if (confirmation?.id !== id || confirmation.round !== round) return person;
  return { ...person, confirmation: { ...confirmation, isEndKnown: true } };
}

/** The provider refused the message of this round: try again in an hour, or give up with the life of its link. */
export function noteRefusal(person: Person, id: string, round: number, now: Date): Person {
  const { confirmation } = noteFailure(person, id, round);
  if (confirmation?.id !== id || confirmation.round !== round) return person;
  return postponeConfirmation(person, confirmation, now);
}

/** Looks again in an hour, or gives up with the life of the link. */
export function postponeConfirmation(person: Person, confirmation: Confirmation, now: Date): Person {
  if (isOutdated(new Date(confirmation.requestedAt), now)) return dropConfirmation(person);
  return { ...person, confirmation: { ...confirmation, dueAt: later(now, postponementSeconds) } };
}

/** The request is taken back; links of it are void. */
export function dropConfirmation(person: Person): Person {
  return { ...person, confirmation: null };
}

const later = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString();
