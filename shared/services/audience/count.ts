import { isInAudience } from '../../domain/person/consent.ts';
import { matches, type SegmentRule } from '../../domain/segment/segment.ts';
import { countMembers, memberPages, platformSuppressedPages } from '../../store/person/audience.ts';
import { getPeople } from '../../store/person/people.ts';

/**
 * How many people a campaign would reach now, with a rule only those of its segment. Exact: counted, not estimated, save
 * for what changed within the moments by which an index lags behind.
 */
export async function countAudience(workspaceId: string, rule: SegmentRule | null, now: Date): Promise<number> {
  const [members, blocked] = await Promise.all([
    rule ? countMatching(workspaceId, rule, now) : countMembers(workspaceId),
    countBlocked(workspaceId, rule, now),
  ]);
  return Math.max(0, members - blocked);
}

async function countMatching(workspaceId: string, rule: SegmentRule, now: Date): Promise<number> {
  const counts = memberPages(workspaceId).map(async (pages) => {
    let count = 0;
    for await (const page of pages) count += page.filter((member) => matches(rule, member, now)).length;
    return count;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Members whom only the platform has suppressed: its list is far shorter than an audience, so it is the one looked up. */
async function countBlocked(workspaceId: string, rule: SegmentRule | null, now: Date): Promise<number> {
  let count = 0;
  for await (const emails of platformSuppressedPages()) {
    const people = await getPeople(workspaceId, emails);
    count += people.filter(
      (person) => isInAudience(person) && person.subscriber && (!rule || matches(rule, person.subscriber, now)),
    ).length;
  }
  return count;
}
