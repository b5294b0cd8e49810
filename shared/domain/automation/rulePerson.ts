import type { Subscriber } from '../person/person.ts';
import type { EventActivities, SegmentPerson } from '../segment/segment.ts';

/** What rules test of a subscriber. `activities`: their events, by those names that the rule asks for. */
export function rulePersonOf(subscriber: Subscriber | null, activities: EventActivities): SegmentPerson {
  const {
    firstName = null,
    lastName = null,
    tags = [],
    fields = {},
    createdAt = '',
    confirmedAt = null,
  } = subscriber ?? {};
  return { firstName, lastName, tags, fields, createdAt, confirmedAt, activities };
}
