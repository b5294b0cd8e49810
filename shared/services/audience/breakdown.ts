import {
  type AudienceBreakdown,
  type AudienceStanding,
  breakDownAudience,
  countReasons,
  readRequestedList,
} from '../../domain/segment/audience.ts';
import { findPlatformSuppressed, findStandings } from '../../store/person/audience.ts';

/**
 * What becomes of each address of a list: the workspace's items in batch reads, then the platform's for those over whom
 * they decide; at most one read unit an address whose item is not larger than 4 KB.
 */
export async function breakDown(workspaceId: string, to: readonly string[]): Promise<AudienceBreakdown> {
  const list = readRequestedList(to);
  const addresses = list.entries.filter(({ isAddress }) => isAddress).map(({ email }) => email);
  const found = await findStandings(workspaceId, addresses);
  const candidates = [...found].filter(([, { status, isSuppressed }]) => status === 'subscribed' && !isSuppressed);
  const blocked = await findPlatformSuppressed(candidates.map(([email]) => email));
  const standings = [...found].map(([email, { status, isSuppressed }]): [string, AudienceStanding] => [
    email,
    { status, isSuppressed: isSuppressed || blocked.has(email), isInSegment: true },
  ]);
  return breakDownAudience(list, new Map(standings));
}

/** A breakdown as the API shows it. */
export function breakdownRecord({ requested, duplicates, retained, excluded }: AudienceBreakdown) {
  return {
    requested,
    duplicates,
    retained: retained.length,
    excluded: excluded.length,
    reasons: countReasons(excluded),
    excluded_addresses: excluded,
  };
}
