import { canonicalAddress } from './address.ts';
import type { SubscriberStatus } from './person/person.ts';

/** In order of precedence: an address is excluded for the first reason that applies. */
export const exclusionReasons = [
  'invalid',
  'not_in_list',
  'pending',
  'unsubscribed',
  'bounced',
  'complained',
  'suppressed',
  'outside_segment',
] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];

/** A distinct entry of a list: an address in canonical form, or the text that is no address. */
export interface RequestedEntry {
  readonly email: string;
  readonly isAddress: boolean;
}

export interface RequestedList {
  readonly requested: number;
  readonly duplicates: number;
  /** Without duplicates, in the order of the list. */
  readonly entries: readonly RequestedEntry[];
}

/** What decides whether a subscriber is reached. */
export interface Candidate {
  readonly status: SubscriberStatus;
  /** On the suppression list of the workspace or of the platform. */
  readonly isSuppressed: boolean;
  /** The topic of the campaign, if the subscriber has left it; else null. */
  readonly leftTopic: LeftTopic | null;
  /** False when the campaign targets a segment without the subscriber. */
  readonly isInSegment: boolean;
}

/** An address that is not reached, as the API shows it. */
export interface Exclusion extends Partial<LeftTopic> {
  readonly email: string;
  readonly reason: ExclusionReason;
}

/** The one topic that an `unsubscribed` person has left, if they have not left everything. */
export interface LeftTopic {
  readonly topic_id: string;
  readonly tag: string;
}

/** Removes duplicates, ignoring case and surrounding spaces. */
export function readRequestedList(texts: readonly string[]): RequestedList {
  const entries = new Map<string, RequestedEntry>();
  for (const text of texts) {
    const address = canonicalAddress(text);
    // Trimming could remove the control character that makes the text invalid.
    const email = address ?? (/\p{Cc}/u.test(text) ? text : text.trim());
    // Lower-casing can turn an invalid text into a valid address (the Kelvin sign becomes a k): keep them apart.
    const key = address === null ? `invalid ${text.trim().toLowerCase()}` : address;
    if (!entries.has(key)) entries.set(key, { email, isAddress: address !== null });
  }
  return { requested: texts.length, duplicates: texts.length - entries.size, entries: [...entries.values()] };
}

/** Why a campaign would not reach an entry; null when it would. `candidate` is the subscriber with the address, if any. */
export function exclusionOf(entry: RequestedEntry, candidate: Candidate | undefined): Exclusion | null {
  const { email } = entry;
  const reason = reasonFor(entry, candidate);
  if (reason) return { email, reason };
  if (candidate?.leftTopic) return { email, reason: 'unsubscribed', ...candidate.leftTopic };
  return candidate?.isInSegment ? null : { email, reason: 'outside_segment' };
}

/** Why no campaign would reach an entry, whatever its topic and segment. */
function reasonFor(entry: RequestedEntry, candidate: Candidate | undefined): ExclusionReason | null {
  if (!entry.isAddress) return 'invalid';
  if (!candidate) return 'not_in_list';
  if (candidate.status !== 'subscribed') return candidate.status;
  return candidate.isSuppressed ? 'suppressed' : null;
}

/** The number of exclusions by reason, with every reason present. */
export function countReasons(excluded: readonly Exclusion[]): Record<ExclusionReason, number> {
  const counts = new Map<ExclusionReason, number>(exclusionReasons.map((reason) => [reason, 0]));
  for (const { reason } of excluded) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Object.fromEntries(counts) as Record<ExclusionReason, number>;
}
