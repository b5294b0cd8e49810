import { isInAudience } from '../../domain/person/consent.ts';
import type { Person, SubscriberStatus } from '../../domain/person/subscriber.ts';
import { matches, type SegmentRule } from '../../domain/segment/segment.ts';
import { merged } from '../../platform/parallel.ts';
import { getPeople } from '../../store/person/people.ts';
import { pageOfSubscribers } from '../../store/person/subscriberPages.ts';
import { select } from '../audience/select.ts';

/** A workspace's subscribers, of all statuses or one, newest first, in pages. */
export async function* listedPeople(workspaceId: string, status?: SubscriberStatus): AsyncGenerator<Person[]> {
  let after: string | undefined;
  do {
    const page = await pageOfSubscribers(workspaceId, { status, limit: 500, after });
    yield page.entries.map(({ person }) => person);
    after = page.next ?? undefined;
  } while (after !== undefined);
}

/** A page of the index can name thousands of people, each of whom may be large. */
const peopleOfPage = 500;

/**
 * Whom a campaign to a segment would reach, in pages: selected by the index, told as they are stored by now. A page of
 * the index in which nobody is reached is an empty one, so that whoever waits hears that it goes on.
 */
export async function* peopleOfSegment(workspaceId: string, rule: SegmentRule, now: Date): AsyncGenerator<Person[]> {
  const isReached = (person: Person) =>
    isInAudience(person) && person.subscriber !== null && matches(rule, person.subscriber, now);
  for await (const { members } of merged(select({ workspaceId, rule, to: null }, now).streams)) {
    if (members.length === 0) yield [];
    for (let start = 0; start < members.length; start += peopleOfPage) {
      yield (await getPeople(workspaceId, members.slice(start, start + peopleOfPage))).filter(isReached);
    }
  }
}
