import { createHash } from 'node:crypto';
import { canonicalJson } from '../encoding.ts';
import type { FieldValue, Subscriber } from '../person/person.ts';
import { type EventActivities, matches, type SegmentPerson, type SegmentRule } from '../segment/segment.ts';
import { nextTurn } from '../segment/segmentTime.ts';
import type { FieldDate } from './automation.ts';
import { nextDate } from './internal/timing.ts';

/*
 * Decides whether a segment or a date starts a run for one person. There is no I/O: the result of the last evaluation, the
 * changes since and the time are passed in.
 */

/** The result of the last evaluation of a person. */
export interface Watched {
  /** For which watch (`watchOf`) this is the result; for another one it says nothing. */
  readonly watch: string;
  /** Of a segment: whether a campaign to it would reach them. */
  readonly isIn: boolean;
  /** The version of the person. */
  readonly seen: number;
  /** The next date; of a segment, when time alone changes whether they are in it. ISO 8601 UTC. */
  readonly nextAt: string | null;
}

/** A person as they were before a change. */
export interface FormerPerson extends Omit<SegmentPerson, 'activities'> {
  readonly isReachable: boolean;
}

/** A change since the last evaluation. */
export interface UnseenChange {
  readonly version: number;
  readonly at: Date;
  /** Null for an address that was no subscriber's; undefined where no segment was watched. */
  readonly before?: FormerPerson | null | undefined;
  readonly subscribed: boolean;
  readonly changedFields: readonly { readonly name: string; readonly from: FieldValue | null }[];
}

export const formerPerson = (
  { firstName, lastName, tags, fields, createdAt, confirmedAt }: Subscriber,
  isReachable: boolean,
): FormerPerson => ({ firstName, lastName, tags, fields, createdAt, confirmedAt, isReachable });

/**
 * Names what people are evaluated for: a trigger since it was last enabled or changed (`revision`), and the rule of its
 * segment since it was written. So the one write that stores an edited rule makes all earlier results void. An earlier
 * rule that is written again is a new one: people came and left meanwhile.
 */
export const watchOf = (revision: number, written: RuleSince | null): string =>
  written === null ? String(revision) : `${revision}.${hashOf(written)}`;

interface RuleSince {
  readonly rule: SegmentRule;
  readonly at: Date;
}

const hashOf = ({ rule, at }: RuleSince): string =>
  createHash('sha256')
    .update(`${at.toISOString()} ${canonicalJson(rule)}`)
    .digest('base64url')
    .slice(0, 16);

const isSameTrigger = (watch: string, other: string): boolean => watch.split('.')[0] === other.split('.')[0];

export interface SegmentFacts {
  readonly watch: string;
  readonly rule: SegmentRule;
  /** Null for an address that is no subscriber's. */
  readonly person: SegmentPerson | null;
  readonly isReachable: boolean;
  readonly version: number;
  readonly known: Watched | null;
  /** Of those that `known` does not cover, the oldest first. */
  readonly changes: readonly UnseenChange[];
  /** Their events before the one that is handled, or at `formerAt`. */
  readonly formerActivities: EventActivities;
  /** For the first evaluation, the moment at which they must have been out of the segment; else the time of its cause. */
  readonly formerAt: Date;
  /** Whether an event causes the evaluation. */
  readonly isEvent: boolean;
  readonly now: Date;
}

/**
 * `entered`: they were out of the segment and are in it. `unreachable`: the same, for a person who may not be written to.
 * `present`: they are in, and were in when the watch began. `none`: none of these.
 */
export interface SegmentFinding {
  readonly kind: 'entered' | 'unreachable' | 'present' | 'none';
  readonly watched: Watched;
}

/**
 * Whether the state of a person before an event matters: in their first evaluation, or where time has changed something
 * since the last. It costs reads, so only for people who match the rule.
 */
export function asksForFormer({ rule, person, isReachable, known, watch, isEvent, now }: SegmentFacts): boolean {
  if (!person || !matches(rule, person, now)) return false;
  if (!isReachable) return isEvent;
  return known?.watch !== watch || (known.nextAt !== null && known.nextAt <= now.toISOString());
}

export function findInSegment(facts: SegmentFacts): SegmentFinding {
  const { watch, rule, person, isReachable, version, known, now } = facts;
  const passesNow = person !== null && matches(rule, person, now);
  const isIn = passesNow && isReachable;
  const own = known?.watch === watch ? known : null;
  const turn = person && isReachable ? nextTurn(rule, person, now) : null;
  const nextAt = isReachable ? earlier(own?.nextAt ?? null, turn, now) : null;
  const watched: Watched = { watch, isIn, seen: version, nextAt };
  if (!passesNow) return { kind: 'none', watched };
  if (!isReachable) return { kind: cameToPass(facts) ? 'unreachable' : 'none', watched };
  if (wasOut(facts, own)) return { kind: 'entered', watched };
  // A person who was in by the rule before its edit is not new.
  const isNew = own === null && !(known?.isIn === true && isSameTrigger(known.watch, watch));
  return { kind: isNew ? 'present' : 'none', watched };
}

/** The due time is moved only to an earlier one: if it comes too early, the evaluation sets the next. */
function earlier(known: string | null, turn: Date | null, now: Date): string | null {
  const isAhead = known !== null && known > now.toISOString();
  if (isAhead && (turn === null || known <= turn.toISOString())) return known;
  return turn?.toISOString() ?? null;
}

const passes = (rule: SegmentRule, former: FormerPerson | null, activities: EventActivities, at: Date): boolean =>
  former !== null && matches(rule, { ...former, activities }, at);

/** Whether they were in the segment before the changes since the last evaluation. */
function passedBefore({ rule, person, isReachable, changes, formerActivities, formerAt }: SegmentFacts): boolean {
  const before = changes.find((change) => change.before !== undefined)?.before;
  const former = before === undefined ? person && { ...person, isReachable } : before;
  return former?.isReachable === true && passes(rule, former, formerActivities, formerAt);
}

/** Whether they were out of the segment at or since the last evaluation. */
function wasOut(facts: SegmentFacts, own: Watched | null): boolean {
  const { rule, person, changes, now } = facts;
  if (own && !own.isIn) return true;
  if (asksForFormer(facts) && !passedBefore(facts)) return true;
  const activities = person?.activities ?? new Map();
  // With the present time, so that only the change itself makes a difference.
  return changes.some(
    ({ before }) => before !== undefined && !(before?.isReachable === true && passes(rule, before, activities, now)),
  );
}

/** Whether a person who may not be written to did not match the rule before. */
function cameToPass({ rule, person, changes, isEvent, formerActivities, formerAt, now }: SegmentFacts): boolean {
  const activities = person?.activities ?? new Map();
  if (changes.some(({ before }) => before !== undefined && !passes(rule, before, activities, now))) return true;
  return isEvent && person !== null && !matches(rule, { ...person, activities: formerActivities }, formerAt);
}

type DateTrigger = FieldDate & { readonly every?: 'year' | undefined };

export interface DateFacts {
  readonly watch: string;
  readonly trigger: DateTrigger;
  readonly fields: Subscriber['fields'];
  readonly version: number;
  readonly known: Watched | null;
  /** Of those that `known` does not cover, the oldest first. */
  readonly changes: readonly UnseenChange[];
  /** Since when the dates of people count. */
  readonly since: Date;
  readonly now: Date;
}

export interface DateFinding {
  /** The date that has come. */
  readonly reached: Date | null;
  readonly watched: Watched;
}

/** A date that has passed when it is set starts nothing. */
export function findDate({ watch, trigger, fields, version, known, since, now, ...facts }: DateFacts): DateFinding {
  const own = known?.watch === watch ? known : null;
  const due = own?.nextAt ? new Date(own.nextAt) : null;
  const isDue = due !== null && due <= now;
  const changes = facts.changes.filter((change) => movesDate(trigger, change));
  const atDue = isDue ? nextDate(trigger, fieldsAt(trigger.field, fields, changes, due), justBefore(due)) : null;
  const reached = isDue && atDue?.getTime() === due.getTime() ? due : null;
  const from = [since, changes.at(-1)?.at ?? since, isDue ? due : since];
  const after = new Date(Math.max(...from.map((at) => at.getTime())));
  const isSame = own !== null && !isDue && changes.length === 0;
  const next = isSame ? due : nextDate(trigger, fields, after);
  return { reached, watched: { watch, isIn: false, seen: version, nextAt: next?.toISOString() ?? null } };
}

/** Whether a change may move the date of a person. */
export const movesDate = (
  { field }: Pick<DateTrigger, 'field'>,
  { subscribed, changedFields }: Pick<UnseenChange, 'subscribed' | 'changedFields'>,
): boolean => subscribed || changedFields.some(({ name }) => name === field);

/** Whether a person has a date to come. */
export const hasDate = (trigger: DateTrigger, fields: Subscriber['fields'], since: Date): boolean =>
  nextDate(trigger, fields, since) !== null;

const justBefore = (at: Date): Date => new Date(at.getTime() - 1);

/** As they were at a moment, before the changes that came after it. */
function fieldsAt(
  name: string,
  fields: Subscriber['fields'],
  changes: readonly UnseenChange[],
  at: Date,
): Readonly<Record<string, unknown>> {
  const changed = changes
    .filter((change) => change.at > at)
    .flatMap(({ changedFields }) => changedFields.filter((one) => one.name === name));
  return changed[0] ? { ...fields, [name]: changed[0].from } : fields;
}

/** Later than this after its date, a run does not begin: the service was away. */
const latestMilliseconds = 86_400_000;
export const isDateOver = (reached: Date, now: Date): boolean => now.getTime() - reached.getTime() > latestMilliseconds;
