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

/** What decides over a subscriber; nobody's address has none. */
export interface AudienceStanding {
  readonly status: SubscriberStatus;
  /** On the suppression list of the workspace or of the platform. */
  readonly isSuppressed: boolean;
  /** False when the campaign targets a segment that they are not in. */
  readonly isInSegment: boolean;
}

export interface Exclusion {
  readonly email: string;
  readonly reason: ExclusionReason;
}

/** `requested` is always `duplicates` and the lengths of the two lists together. */
export interface AudienceBreakdown {
  readonly requested: number;
  readonly duplicates: number;
  readonly retained: readonly string[];
  readonly excluded: readonly Exclusion[];
}

const surroundingSpaces = /^[^\S\p{Cc}]+|[^\S\p{Cc}]+$/gu;

/** Takes out what is written twice; case and surrounding spaces do not make a difference. */
export function readRequestedList(texts: readonly string[]): RequestedList {
  const entries = new Map<string, RequestedEntry>();
  for (const text of texts) {
    // A line break is no surrounding space: no list of addresses holds one by accident of typing.
    const written = text.replace(surroundingSpaces, '');
    const address = canonicalAddress(written);
    const email = address ?? written;
    // An invalid text can be lower-cased into somebody's address (the Kelvin sign becomes a k): it stays apart.
    const key = address === null ? `invalid ${email.toLowerCase()}` : address;
    if (!entries.has(key)) entries.set(key, { email, isAddress: address !== null });
  }
  return { requested: texts.length, duplicates: texts.length - entries.size, entries: [...entries.values()] };
}

/** Says of each entry whether a campaign would reach it, and why not; `standings` by canonical address. */
export function breakDownAudience(
  list: RequestedList,
  standings: ReadonlyMap<string, AudienceStanding>,
): AudienceBreakdown {
  const retained: string[] = [];
  const excluded: Exclusion[] = [];
  for (const { email, isAddress } of list.entries) {
    const reason = isAddress ? exclusionReason(standings.get(email)) : 'invalid';
    if (reason) excluded.push({ email, reason });
    else retained.push(email);
  }
  return { requested: list.requested, duplicates: list.duplicates, retained, excluded };
}

function exclusionReason(standing: AudienceStanding | undefined): ExclusionReason | null {
  if (!standing) return 'not_in_list';
  if (standing.status !== 'subscribed') return standing.status;
  if (standing.isSuppressed) return 'suppressed';
  return standing.isInSegment ? null : 'outside_segment';
}

/** How many were excluded for each reason, all of them named. */
export function countReasons(excluded: readonly Exclusion[]): Record<ExclusionReason, number> {
  const counts = new Map<ExclusionReason, number>(exclusionReasons.map((reason) => [reason, 0]));
  for (const { reason } of excluded) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Object.fromEntries(counts) as Record<ExclusionReason, number>;
}
