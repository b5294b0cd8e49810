import { canonicalAddress } from '../address/canonicalAddress.ts';
import type { SubscriberStatus } from '../person/subscriber.ts';

/** In the order of the contract's table: an address is excluded for the first that applies. */
export const exclusionReasons = [
  'invalid',
  'not_in_list',
  'pending',
  'unsubscribed',
  'bounced',
  'complained',
  'suppressed',
  'left_kind',
  'outside_segment',
] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];

/** One different entry of a list: an address in canonical form, or what was written instead of one. */
export interface RequestedEntry {
  readonly email: string;
  readonly isAddress: boolean;
}

export interface RequestedList {
  readonly requested: number;
  readonly duplicates: number;
  /** Each once, in the order in which they first came. */
  readonly entries: readonly RequestedEntry[];
}

/** What decides over a subscriber whose address was asked for. */
export interface Candidate {
  readonly status: SubscriberStatus;
  /** On the suppression list of the workspace or of the platform. */
  readonly isSuppressed: boolean;
  /** They have left the kind of mail that the campaign is. */
  readonly hasLeftKind: boolean;
  /** False when the campaign targets a segment that they are not in. */
  readonly isInSegment: boolean;
}

export interface Exclusion {
  readonly email: string;
  readonly reason: ExclusionReason;
}

/** Takes out what is written twice; case and surrounding spaces do not make a difference. */
export function readRequestedList(texts: readonly string[]): RequestedList {
  const entries = new Map<string, RequestedEntry>();
  for (const text of texts) {
    const address = canonicalAddress(text);
    // What is no address only for a control character at its end must not be shown as the address without it.
    const email = address ?? (/\p{Cc}/u.test(text) ? text : text.trim());
    // An invalid text can be lower-cased into somebody's address (the Kelvin sign becomes a k): it stays apart.
    const key = address === null ? `invalid ${text.trim().toLowerCase()}` : address;
    if (!entries.has(key)) entries.set(key, { email, isAddress: address !== null });
  }
  return { requested: texts.length, duplicates: texts.length - entries.size, entries: [...entries.values()] };
}

/** Why a campaign would not reach an entry, null when it would; `candidate` is the subscriber with its address, if any. */
export function exclusionReason(entry: RequestedEntry, candidate: Candidate | undefined): ExclusionReason | null {
  if (!entry.isAddress) return 'invalid';
  if (!candidate) return 'not_in_list';
  if (candidate.status !== 'subscribed') return candidate.status;
  if (candidate.isSuppressed) return 'suppressed';
  if (candidate.hasLeftKind) return 'left_kind';
  return candidate.isInSegment ? null : 'outside_segment';
}

/** How many were excluded for each reason, all of them named. */
export function countReasons(excluded: readonly Exclusion[]): Record<ExclusionReason, number> {
  const counts = new Map<ExclusionReason, number>(exclusionReasons.map((reason) => [reason, 0]));
  for (const { reason } of excluded) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Object.fromEntries(counts) as Record<ExclusionReason, number>;
}
