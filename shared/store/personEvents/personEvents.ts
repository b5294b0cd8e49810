import { firstIdAt, timeOfId } from '../../domain/identifier.ts';
import { type EventActivity, hasExpired, type PersonEvent, withEvent } from '../../domain/personEvents/personEvent.ts';
import { epochSeconds } from '../../platform/clock.ts';
import { readTogether } from '../table/batches.ts';
import type { Condition } from '../table/expression.ts';
import {
  activityKey,
  addressItemKey,
  externalEventKey,
  type Indexed,
  personEventKey,
  personEventPrefix,
} from '../table/keys.ts';
import { getItem, queryPage, queryPages, type TransactionPart } from '../table/table.ts';
import { isFailedCondition, transact } from '../table/transaction.ts';
import { changePart, putPart } from '../table/write.ts';
import {
  type ActivityRecord,
  activityOf,
  activityRecord,
  type ExternalEventRecord,
  type KnownEvent,
  type PersonEventRecord,
  personEventOf,
  personEventRecord,
  recordedEventOf,
} from './personEventRecord.ts';

/** A mark by which an event is recorded once for each person, and until when (Unix seconds). */
export interface EventMark {
  /** A hash: it is part of a key. */
  readonly hash: string;
  readonly expiresAt: number;
}

/** What is known before an event is recorded; all null for an address that is no subscriber's. */
export interface BeforeEvent {
  readonly isSubscriber: boolean;
  readonly activity: EventActivity | null;
  /** The event with the same mark. */
  readonly recorded: KnownEvent | null;
}

/** One strong read of two or three items, which reads of the same moment share. */
export async function readBeforeEvent(
  { workspaceId, email, name }: Pick<PersonEvent, 'workspaceId' | 'email' | 'name'>,
  mark: EventMark | null,
  now: Date,
): Promise<BeforeEvent> {
  const keys = [
    addressItemKey(workspaceId, email),
    activityKey(workspaceId, email, name),
    ...(mark ? [externalEventKey(workspaceId, email, mark.hash)] : []),
  ];
  const [person, activity, known] = await readTogether(keys);
  const isKept = known && !hasExpired({ expiresAt: Number(known.expires_at) }, now);
  return {
    isSubscriber: person?.status !== undefined,
    activity: activity ? activityOf(activity) : null,
    recorded: isKept ? recordedEventOf(known) : null,
  };
}

/** What else is written with an event: the place in the index `due` of one that must be acted on, and further items. */
export interface WrittenWithEvent {
  readonly due?: Indexed<'due'>;
  readonly more?: readonly TransactionPart[];
}

/**
 * Writes an event, its mark and the activity in one transaction. False when another event of the same name and person was
 * faster: to be read and decided again. With the mark of a recorded event, that event. Five write units, seven with a mark.
 */
export async function putPersonEvent(
  event: PersonEvent,
  before: BeforeEvent,
  mark: EventMark | null,
  now: Date,
  { due, more = [] }: WrittenWithEvent = {},
): Promise<boolean | KnownEvent> {
  const { workspaceId, email, id, name } = event;
  const activity = activityRecord(event, withEvent(before.activity, event, now));
  const isAsRead = before.activity
    ? { expect: { last_id: before.activity.lastId } }
    : { if: [['pk', 'absent'] as Condition<ActivityRecord>] };
  const reasons = await transact(
    [
      putPart<PersonEventRecord>(personEventKey(workspaceId, email, id), { ...personEventRecord(event), ...due }),
      putPart<ActivityRecord>(activityKey(workspaceId, email, name), activity, isAsRead),
      ...(mark ? [markPart(event, mark, now)] : []),
      ...more,
    ],
    { patienceMilliseconds: recordingMilliseconds },
  );
  if (reasons === null) return true;
  const marked = reasons[2];
  return mark && isFailedCondition(marked) && marked?.Item ? recordedEventOf(marked.Item) : false;
}

/** Far less than the five seconds by which an event may be written after the time in its id. */
const recordingMilliseconds = 2000;

function markPart({ workspaceId, email, id, ...event }: PersonEvent, mark: EventMark, now: Date): TransactionPart {
  const isFree: Condition<ExternalEventRecord> = {
    any: [
      ['pk', 'absent'],
      ['expires_at', '<=', epochSeconds(now)],
    ],
  };
  const { name, timestamp, createdAt } = event;
  const set = { event_id: id, name, timestamp, created_at: createdAt, expires_at: mark.expiresAt };
  const key = externalEventKey(workspaceId, email, mark.hash);
  return changePart<ExternalEventRecord>(key, { set, if: [isFree] }, { returnStored: true });
}

interface EventPage {
  readonly limit: number;
  /** Only events of this name. */
  readonly name?: string | undefined;
  /** The event after which the page begins. */
  readonly after?: string | undefined;
}

/** Without a name a page is one query. With one it may be shorter than its limit although there are more. */
const queriesOfPage = 8;

/** The events of a person, last recorded first. */
export async function pageOfPersonEvents(
  workspaceId: string,
  email: string,
  { limit, name, after }: EventPage,
  now: Date,
): Promise<{ readonly events: PersonEvent[]; readonly next: string | null }> {
  const none = { events: [], next: null };
  if (name !== undefined && !(await getItem(activityKey(workspaceId, email, name)))) return none;
  const { pk: partition } = personEventKey(workspaceId, email, '');
  const events: PersonEvent[] = [];
  let position = after;
  for (let query = 0; query < queriesOfPage; query += 1) {
    const { items, last } = await queryPage({
      ...{ partition, consistency: 'strong', order: 'descending' },
      // Both ends of a range are included.
      sort: { from: personEventPrefix, to: position === undefined ? beyondEvents : `${personEventPrefix}${position}` },
      ...(name === undefined && { limit: limit + 2 }),
    });
    const found = items.map((item) => personEventOf(workspaceId, item)).filter(({ id }) => id !== position);
    events.push(...found.filter((one) => !hasExpired(one, now) && (name === undefined || one.name === name)));
    if (events.length > limit) return { events: events.slice(0, limit), next: events[limit - 1]?.id ?? null };
    if (!last) return { events, next: null };
    position = found.at(-1)?.id ?? position;
  }
  return { events, next: position ?? null };
}

/** The sum of a name, with the time of its last recording; null when the person never had one. Strongly consistent. */
export async function getActivity(
  workspaceId: string,
  email: string,
  name: string,
): Promise<(EventActivity & { readonly recordedAt: Date }) | null> {
  const item = await getItem(activityKey(workspaceId, email, name));
  const activity = item && activityOf(item);
  return activity && { ...activity, recordedAt: timeOfId(activity.lastId) };
}

/** Events by id, in order; null for those that are not kept any more. */
export async function getPersonEvents(
  workspaceId: string,
  email: string,
  ids: readonly string[],
): Promise<(PersonEvent | null)[]> {
  const items = await readTogether(ids.map((id) => personEventKey(workspaceId, email, id)));
  return items.map((item) => item && personEventOf(workspaceId, item));
}

/** Events of one name that were recorded since a time, first recorded first, strongly consistent. */
export async function personEventsSince(
  workspaceId: string,
  email: string,
  { name, since, limit }: { readonly name: string; readonly since: Date; readonly limit: number },
  now: Date,
): Promise<PersonEvent[]> {
  const { pk: partition, sk: from } = personEventKey(workspaceId, email, firstIdAt('event', since));
  const found: PersonEvent[] = [];
  for await (const { items } of queryPages({ partition, sort: { from, to: beyondEvents }, consistency: 'strong' })) {
    const events = items.map((item) => personEventOf(workspaceId, item));
    found.push(...events.filter((one) => one.name === name && !hasExpired(one, now)));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/** After all events and before the marks. */
const beyondEvents = `${personEventPrefix}~`;
