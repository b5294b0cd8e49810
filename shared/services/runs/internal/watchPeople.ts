import type { Trigger } from '../../../domain/automation/automation.ts';
import { dateCause, segmentCause } from '../../../domain/automation/cause.ts';
import { rulePersonOf } from '../../../domain/automation/rulePerson.ts';
import { leaveReasonOf } from '../../../domain/automation/run.ts';
import { type NotStartedReason, runIdOf, wholeHash } from '../../../domain/automation/starting.ts';
import { counterNames } from '../../../domain/automation/tally.ts';
import {
  asksForFormer,
  findDate,
  findInSegment,
  isDateOver,
  movesDate,
  type SegmentFacts,
  type Watched,
  watchOf,
} from '../../../domain/automation/watching.ts';
import { firstIdAt, timeOfId } from '../../../domain/identifier.ts';
import type { KnownAddress } from '../../../domain/person/person.ts';
import { mailActionOf } from '../../../domain/personEvents/mailActivity.ts';
import type { PersonEvent } from '../../../domain/personEvents/personEvent.ts';
import { type EventActivities, ruleSubjects, type SegmentRule } from '../../../domain/segment/segment.ts';
import { now as currentTime } from '../../../platform/clock.ts';
import { overtaken, untilSettled } from '../../../platform/deadline.ts';
import { inParallel } from '../../../platform/parallel.ts';
import { listChanges, type StoredChange } from '../../../store/automation/changes.ts';
import {
  forgetWatched,
  getEnrolments,
  putWatched,
  type StoredEnrolment,
} from '../../../store/automation/enrolments.ts';
import {
  getWatching,
  isPassOver,
  type WatchingListener,
  watchingAutomations,
} from '../../../store/automation/listeners.ts';
import { tallyPart, tallyShardOf } from '../../../store/automation/tallies.ts';
import { getAddress } from '../../../store/person/people.ts';
import { pageOfPersonEvents, personEventsSince } from '../../../store/personEvents/personEvents.ts';
import { getSegments } from '../../../store/workspace/segments.ts';
import { isWorkspaceEnded } from '../../../store/workspace/workspaces.ts';
import type { RunCounters } from '../runCounters.ts';
import { activitiesFor } from './runFacts.ts';
import { startFound } from './startRun.ts';

/*
 * Starts by segment and by date. An evaluation reads one person strongly, with the result of their last evaluation and the
 * changes since, and writes its own result: with the run that it starts, or alone. So an evaluation that is repeated after
 * a crash finds nothing new.
 */

/** An automation that watches people, with what it compares them with. */
export interface TriggerWatch {
  readonly listener: WatchingListener;
  /** Null for a date. */
  readonly rule: SegmentRule | null;
  readonly name: string;
  /** Since when it watches this. */
  readonly since: Date;
}

type WatchedTrigger<Source> = Extract<Trigger, { readonly source: Source }>;
const segmentTrigger = ({ trigger }: WatchingListener): WatchedTrigger<'segment_entered'> | null =>
  'source' in trigger && trigger.source === 'segment_entered' ? trigger : null;
const dateTrigger = ({ trigger }: WatchingListener): WatchedTrigger<'date'> | null =>
  'source' in trigger && trigger.source === 'date' ? trigger : null;

/** What automations watch; one whose segment was deleted watches nothing. */
export async function watchesOf(
  workspaceId: string,
  listeners: readonly WatchingListener[],
): Promise<readonly TriggerWatch[]> {
  const ids = new Set(listeners.flatMap((listener) => segmentTrigger(listener)?.segment_id ?? []));
  const segments = await getSegments(workspaceId, [...ids]);
  return listeners.flatMap((listener): TriggerWatch[] => {
    const trigger = segmentTrigger(listener);
    if (!trigger) return [{ listener, rule: null, name: watchOf(listener.revision, null), since: listener.since }];
    const segment = segments.get(trigger.segment_id);
    if (!segment) return [];
    const edited = new Date(segment.ruleUpdatedAt ?? segment.createdAt);
    const since = edited > listener.since ? edited : listener.since;
    return [
      { listener, rule: segment.rule, name: watchOf(listener.revision, { rule: segment.rule, at: edited }), since },
    ];
  });
}

interface Whom {
  readonly workspaceId: string;
  readonly email: string;
}

/** Why a person is evaluated. */
type Reason =
  | { readonly kind: 'change'; readonly change: StoredChange }
  | { readonly kind: 'event'; readonly event: PersonEvent; readonly isLate: boolean }
  /** What was due for them has come. */
  | { readonly kind: 'time' }
  /** The scan of the audience. */
  | { readonly kind: 'pass' };

const looksAtOnce = 5;

/** Evaluates a person for the segments and dates that a change concerns: two queries, and a read for each automation. */
export async function lookAfterChange(change: StoredChange, counters: RunCounters): Promise<void> {
  const { workspaceId } = change;
  const isDated = change.subscribed || change.changedFields.length > 0;
  const [segments, dates] = await Promise.all([
    change.before === undefined ? [] : watchingAutomations(workspaceId, segmentCause),
    isDated ? watchingAutomations(workspaceId, dateCause) : [],
  ]);
  const moved = dates.filter((listener) => movesDate(dateTrigger(listener) ?? { field: '' }, change));
  const watches = await watchesOf(workspaceId, [...segments, ...moved]);
  await lookFor(watches, change, { kind: 'change', change }, counters);
}

/** The same for the segments whose rules name an event. */
export async function lookAfterEvent(event: PersonEvent, isLate: boolean, counters: RunCounters): Promise<void> {
  const listeners = await watchingAutomations(event.workspaceId, segmentCause);
  const watches = await watchesOf(event.workspaceId, listeners);
  const asking = watches.filter(({ rule }) => ruleSubjects(rule).events.has(event.name));
  await lookFor(asking, event, { kind: 'event', event, isLate }, counters);
}

const lookFor = (watches: readonly TriggerWatch[], whom: Whom, reason: Reason, counters: RunCounters) =>
  inParallel(looksAtOnce, watches, (watch) => look(whom, watch, reason, counters));

/** Evaluates a person for whom something is due. It removes what is due for an automation that no longer watches them. */
export async function lookAtDue(
  { workspaceId, email, automationId }: Whom & { readonly automationId: string },
  counters: RunCounters,
): Promise<void> {
  if (await isWorkspaceEnded(workspaceId)) return;
  const whom = { workspaceId, email };
  await untilSettled(async () => {
    const [listener, { whole }] = await Promise.all([
      getWatching(workspaceId, automationId),
      getEnrolments(positionOf(whom, automationId)),
    ]);
    const [watch] = listener ? await watchesOf(workspaceId, [listener]) : [];
    if (watch && whole.watched?.watch === watch.name) return look(whom, watch, { kind: 'time' }, counters);
    return (await forgetWatched(positionOf(whom, automationId), whole)) || whole.revision === 0 ? undefined : overtaken;
  });
}

const positionOf = ({ workspaceId, email }: Whom, automationId: string) => ({
  ...{ workspaceId, email, automationId, runKeyHash: wholeHash },
});

/** What an evaluation decides: to start a run, to count a refused start, or only to store its result. */
interface Found {
  readonly watched: Watched;
  readonly start: {
    /** The run's id is made of it, the automation and the person. */
    readonly cause: string;
    readonly at: Date;
    readonly refused: NotStartedReason | null;
  } | null;
}

/** What an evaluation read. */
interface Seen {
  readonly address: KnownAddress;
  readonly known: StoredEnrolment;
  /** Those since the last evaluation. */
  readonly changes: readonly StoredChange[];
  /** Whether the last evaluation read a later version of the person. */
  readonly isOlder: boolean;
  readonly now: Date;
}

/** Evaluates one person for one automation. */
export async function look(whom: Whom, watch: TriggerWatch, reason: Reason, counters: RunCounters): Promise<void> {
  let isAgain = false;
  await untilSettled(async () => {
    const seen = await read(whom, watch);
    // Another evaluation was faster; or the person was removed and created anew.
    if (seen.isOlder && !isAgain) {
      isAgain = true;
      return overtaken;
    }
    const found = watch.rule ? await segmentFound(whom, watch, watch.rule, reason, seen) : dateFound(watch, seen);
    return found ? write(whom, watch, seen, found, counters) : undefined;
  });
}

/** From then on, a person without a result is out. A change that is stored later may have an earlier time: its import's. */
const isEverybodySeen = ({ listener: { pass }, name }: TriggerWatch): boolean => pass?.of === name && isPassOver(pass);

async function read({ workspaceId, email }: Whom, watch: TriggerWatch): Promise<Seen> {
  const { listener, name, since } = watch;
  const address = await getAddress(workspaceId, email);
  // Read after the person: so each change up to their version is listed, or was handled.
  const [{ whole: known }, changes] = await Promise.all([
    getEnrolments(positionOf({ workspaceId, email }, listener.automationId)),
    listChanges(workspaceId, email),
  ]);
  const { version: upTo } = address.person;
  const seen = known.watched?.watch === name ? known.watched.seen : 0;
  const isOlder = seen > upTo;
  const isUnseen = ({ version, at }: StoredChange) =>
    version > (isOlder ? 0 : seen) && version <= upTo && (at >= since || isEverybodySeen(watch));
  return { address, known, changes: changes.filter(isUnseen), isOlder, now: currentTime() };
}

/** Writes the result, with the run that it starts or the count of a refused start. */
async function write(
  whom: Whom,
  { listener }: TriggerWatch,
  { address, known, changes }: Seen,
  { watched, start }: Found,
  counters: RunCounters,
): Promise<typeof overtaken | undefined> {
  const { workspaceId, email } = whom;
  const { automationId, version } = listener;
  const position = positionOf(whom, automationId);
  if (!start) return (await putWatched(position, known, watched, [])) ? undefined : overtaken;
  const runId = runIdOf(automationId, `${email}#${start.cause}`, start.at);
  let { refused } = start;
  if (refused === null) {
    const depth = Math.max(0, ...changes.map((change) => change.depth));
    const run = { workspaceId, automation: listener, address, runId, start: { event: null, data: {} }, depth };
    const outcome = await startFound(run, { revision: known.revision, watched }, counters);
    if (outcome.kind === 'outdated') return overtaken;
    if (outcome.kind === 'started') return undefined;
    refused = outcome.reason;
  }
  const counted = { workspaceId, automationId, version, shard: tallyShardOf(runId) };
  const counts = [tallyPart(counted, { [counterNames.notStarted(refused)]: 1 })];
  return (await putWatched(position, known, watched, counts)) ? undefined : overtaken;
}

/** Null when nothing is to be written. */
function dateFound({ listener, name, since }: TriggerWatch, { address, known, changes, now }: Seen): Found | null {
  const { person } = address;
  const trigger = dateTrigger(listener);
  if (!trigger) return null;
  if (!person.subscriber) {
    // A sign-up that expired: there is no date any more, and nothing is due.
    const isDue = known.watched?.watch === name && known.watched.nextAt !== null;
    return isDue ? { watched: { watch: name, isIn: false, seen: person.version, nextAt: null }, start: null } : null;
  }
  const { fields } = person.subscriber;
  const facts = { watch: name, trigger, fields, version: person.version, known: known.watched, changes, since, now };
  const { reached, watched } = findDate(facts);
  if (reached) {
    const refused = isDateOver(reached, now) ? 'too_old' : null;
    return { watched, start: { cause: `date ${reached.toISOString()}`, at: reached, refused } };
  }
  return isToWrite(known.watched, watched) ? { watched, start: null } : null;
}

async function segmentFound(
  whom: Whom,
  watch: TriggerWatch,
  rule: SegmentRule,
  reason: Reason,
  { address, known, changes, now }: Seen,
): Promise<Found | null> {
  const { listener, name, since } = watch;
  const { person, platform } = address;
  const activities: EventActivities = await activitiesFor(rule, whom);
  const isFirst = known.watched?.watch !== name;
  const former = isFirst ? withoutLaterMail(activities, since) : activities;
  const causedAt = causeTime(reason, known, now);
  const unread: SegmentFacts = {
    ...{ watch: name, rule, isReachable: leaveReasonOf(person, platform) === null, version: person.version },
    ...{ person: person.subscriber && rulePersonOf(person.subscriber, activities), known: known.watched, changes, now },
    ...{ formerActivities: former, isEvent: reason.kind === 'event' },
    formerAt: isFirst && !isEverybodySeen(watch) ? since : causedAt,
  };
  const isEarlier = reason.kind === 'event' || (isFirst && !isEverybodySeen(watch));
  const facts =
    isEarlier && asksForFormer(unread)
      ? { ...unread, formerActivities: await activitiesBefore(whom, former, rule, unread.formerAt, now) }
      : unread;
  const { kind, watched } = findInSegment(facts);
  const isStarted = kind === 'entered' || (kind === 'present' && segmentTrigger(listener)?.include_present === true);
  if (isStarted || kind === 'unreachable') {
    const late = reason.kind === 'event' && reason.isLate ? 'too_old' : null;
    const refused = kind === 'unreachable' ? 'not_subscribed' : late;
    return { watched, start: { ...causeOf(reason, name, facts), at: kind === 'present' ? since : causedAt, refused } };
  }
  return isToWrite(known.watched, watched) ? { watched, start: null } : null;
}

/** What a run by segment is named after: the same in an evaluation that is repeated. */
function causeOf(reason: Reason, watch: string, { version, known }: SegmentFacts): { readonly cause: string } {
  switch (reason.kind) {
    case 'event':
      return { cause: `event ${reason.event.id}` };
    case 'time':
      return { cause: `time ${known?.nextAt}` };
    default:
      return { cause: `${watch} ${version}` };
  }
}

function causeTime(reason: Reason, { watched }: StoredEnrolment, now: Date): Date {
  switch (reason.kind) {
    case 'event':
      return timeOfId(reason.event.id);
    case 'change':
      return reason.change.at;
    case 'time':
      return watched?.nextAt ? new Date(watched.nextAt) : now;
    case 'pass':
      return now;
  }
}

/** A person who is out, and whom time alone never brings in, has no item. */
function isToWrite(before: Watched | null, after: Watched): boolean {
  if (before?.watch !== after.watch) return after.isIn || after.nextAt !== null;
  return before.isIn !== after.isIn || before.nextAt !== after.nextAt;
}

/** What was noted of mail since a watch began: it keeps the last time alone, and was no reason to be in the segment before. */
const withoutLaterMail = (activities: EventActivities, since: Date): EventActivities =>
  new Map([...activities].filter(([name, { last }]) => mailActionOf(name) === null || new Date(last) <= since));

const mostEvents = 1000;

/** The events of a person as they were at a moment, of those names that have some since. */
async function activitiesBefore(
  { workspaceId, email }: Whom,
  activities: EventActivities,
  rule: SegmentRule,
  at: Date,
  now: Date,
): Promise<EventActivities> {
  const former = new Map(activities);
  for (const name of ruleSubjects(rule).events) {
    const activity = activities.get(name);
    if (!activity) continue;
    const since = await personEventsSince(workspaceId, email, { name, since: at, limit: mostEvents }, now);
    if (since.length === 0) continue;
    const after = firstIdAt('event', at);
    const [last] = (await pageOfPersonEvents(workspaceId, email, { limit: 1, name, after }, now)).events;
    if (last && activity.count > since.length)
      former.set(name, { count: activity.count - since.length, last: last.timestamp, expiresAt: last.expiresAt });
    else former.delete(name);
  }
  return former;
}
