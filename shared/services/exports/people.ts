import { isInAudience } from '../../domain/person/consent.ts';
import type { Person, SubscriberStatus } from '../../domain/person/subscriber.ts';
import { matches, type SegmentRule } from '../../domain/segment/segment.ts';
import { memberPages } from '../../store/person/audience.ts';
import { getStandings } from '../../store/person/people.ts';
import { pageOfSubscribers } from '../../store/person/subscriberPages.ts';

/** A workspace's subscribers, of all statuses or one, newest first, in pages. */
export async function* listedPeople(workspaceId: string, status?: SubscriberStatus): AsyncGenerator<Person[]> {
  let after: string | undefined;
  do {
    const page = await pageOfSubscribers(workspaceId, { status, limit: 500, after });
    yield page.entries.map(({ person }) => person);
    after = page.next ?? undefined;
  } while (after !== undefined);
}

/** Whom a campaign to a segment would reach, in pages: found in the index, judged by what is stored. */
export async function* peopleOfSegment(workspaceId: string, rule: SegmentRule, now: Date): AsyncGenerator<Person[]> {
  for (const pages of memberPages(workspaceId)) {
    for await (const page of pages) {
      const emails = page.filter((member) => matches(rule, member, now)).map(({ email }) => email);
      const standings = await getStandings(workspaceId, emails, { consistent: false });
      yield [...standings.values()]
        .filter(({ person, platform }) => isInAudience(person) && platform === null)
        .map(({ person }) => person)
        .filter(({ subscriber }) => subscriber && matches(rule, subscriber, now));
    }
  }
}
