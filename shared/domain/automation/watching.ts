import { createHash } from 'node:crypto';
import { canonicalJson } from '../encoding.ts';
import type { FieldValue, Subscriber } from '../person/person.ts';
import { type EventActivities, matches, type SegmentPerson, type SegmentRule } from '../segment/segment.ts';
import { nextTurn } from '../segment/segmentTime.ts';
import type { FieldDate } from './automation.ts';
import { nextDate } from './internal/timing.ts';

/*
 * What a segment or a date that starts runs makes of one person. All of it is calculation: who was looked at before, what
 * has changed since and the time are passed in.
 */

/** What was found of a person when they were last looked at. */
export interface Watched {
  /** For which watch (`watchOf`): what was found for another one says nothing. */
  readonly watch: string;
  /** Of a segment: whether a campaign to it would reach them. */
  readonly isIn: boolean;
  /** The version of the person. */
  readonly seen: number;
  /** The next date; of a segment, when time alone changes whether they are in it. ISO 8601 UTC. */
  readonly nextAt: string | null;
}

/** A person as a change found them. */
export interface FormerPerson extends Omit<SegmentPerson, 'activities'> {
  readonly isReachable: boolean;
}

/** A change that was not looked at yet. */
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
 * Names what people are looked at for: a trigger since it was last enabled or changed (`revision`), and the rule of its
 * segment since it was written, so that an edited rule makes all that was found before void by the one write that stores
 * it. The rule of before, written again, is another one: people came and left meanwhile.
 */
export const watchOf = (revision: number, written: WrittenRule | null): string =>
  written === null ? String(revision) : `${revision}.${hashOf(written)}`;

interface WrittenRule {
  readonly rule: SegmentRule;
  readonly at: Date;
}

const hashOf = ({ rule, at }: WrittenRule): string =>
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
  /** Their events before the one that is acted on, or at `formerAt`. */
  readonly formerActivities: EventActivities;
  /** Where nothing is known: when they are to have been out. Else when it happened what is acted on. */
  readonly formerAt: Date;
  /** Whether an event is acted on. */
  readonly isEvent: boolean;
  readonly now: Date;
}

/**
 * `entered`: they were out and are in. `unreachable`: the same, of somebody who may not be written to. `present`: they are
 * in, and were so when the segment began to be watched. `none`: neither.
 */
export interface SegmentFinding {
  readonly kind: 'entered' | 'unreachable' | 'present' | 'none';
  readonly watched: Watched;
}

/**
 * Whether it matters how a person was before an event: where nothing was found yet, or time has changed something since.
 * It costs reads, and is asked of those alone who pass the rule.
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
  // Who was in by the rule before an edit is not new.
  const isNew = own === null && !(known?.isIn === true && isSameTrigger(known.watch, watch));
  return { kind: isNew ? 'present' : 'none', watched };
}

/** What is due is moved only when it comes earlier: one that comes too soon looks again. */
function earlier(known: string | null, turn: Date | null, now: Date): string | null {
  const isAhead = known !== null && known > now.toISOString();
  if (isAhead && (turn === null || known <= turn.toISOString())) return known;
  return turn?.toISOString() ?? null;
}

const passes = (rule: SegmentRule, former: FormerPerson | null, activities: EventActivities, at: Date): boolean =>
  former !== null && matches(rule, { ...former, activities }, at);

/** As they were before all that was not looked at yet. */
function passedBefore({ rule, person, isReachable, changes, formerActivities, formerAt }: SegmentFacts): boolean {
  const before = changes.find((change) => change.before !== undefined)?.before;
  const former = before === undefined ? person && { ...person, isReachable } : before;
  return former?.isReachable === true && passes(rule, former, formerActivities, formerAt);
}

/** Whether anything tells that they were out of the segment since the last look. */
function wasOut(facts: SegmentFacts, own: Watched | null): boolean {
  const { rule, person, changes, now } = facts;
  if (own && !own.isIn) return true;
  if (asksForFormer(facts) && !passedBefore(facts)) return true;
  const activities = person?.activities ?? new Map();
  // By the time of the look, so that only the change itself tells.
  return changes.some(
    ({ before }) => before !== undefined && !(before?.isReachable === true && passes(rule, before, activities, now)),
  );
}

/** Whether somebody who may not be written to did not pass the rule before. */
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
