import { createHash } from 'node:crypto';
import { derivedIdAt } from '../identifier.ts';
import type { Person, Subscriber } from '../person/person.ts';
import type { Reentry, Trigger } from './automation.ts';
import { type Cause, fieldCause, subscribedCause, tagCause } from './cause.ts';
import { type LeaveReason, leaveReasonOf, type RunStart } from './run.ts';

/** Whether a person starts a run. */

const notStartedReasons = [
  'not_subscribed',
  'already_running',
  'reentry',
  'too_many_starts',
  'filtered',
  'too_old',
  'disabled',
  'loop',
] as const;
export type NotStartedReason = (typeof notStartedReasons)[number];

/** That a person was in an automation, for each value of its run key. */
export interface Enrolment {
  readonly openRun: string | null;
  /** ISO 8601 UTC. */
  readonly lastStart: string | null;
  readonly starts: number;
  /** The last runs, the newest first. */
  readonly runs: readonly string[];
  /** The day (UTC) of the last starts, and how many it has. */
  readonly day: string | null;
  readonly startsOfDay: number;
}

export const noEnrolment: Enrolment = {
  openRun: null,
  lastStart: null,
  starts: 0,
  runs: [],
  day: null,
  startsOfDay: 0,
};

const maxStartsOfDay = 20;
const maxRunsOfEnrolment = 10;
export const maxDepth = 5;

const dayMilliseconds = 86_400_000;
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** An event that happened longer ago than this starts nothing. */
export const isTooOld = (happenedAt: Date, now: Date): boolean =>
  now.getTime() - happenedAt.getTime() > dayMilliseconds;

interface Enrolments {
  /** Of this value of the run key. */
  readonly own: Enrolment;
  /** Of the person, whatever the value: it counts the starts of a day. The same without a run key. */
  readonly whole: Enrolment;
}

/** Why a person starts no run now; null when they do. */
export function refusalOf({ own, whole }: Enrolments, reentry: Reentry, now: Date): NotStartedReason | null {
  if (own.openRun !== null) return 'already_running';
  if (!mayReenter(own, reentry, now)) return 'reentry';
  return whole.day === dayOf(now) && whole.startsOfDay >= maxStartsOfDay ? 'too_many_starts' : null;
}

function mayReenter({ lastStart }: Enrolment, reentry: Reentry, now: Date): boolean {
  if (lastStart === null || reentry === 'always') return true;
  if (reentry === 'once') return false;
  return now.getTime() - Date.parse(lastStart) >= reentry.after_days * dayMilliseconds;
}

/** The enrolment with another start. `isOpen`: of the value of the run key that the run belongs to. */
export function withStart(before: Enrolment, runId: string, now: Date, isOpen: boolean): Enrolment {
  const day = dayOf(now);
  return {
    openRun: isOpen ? runId : null,
    lastStart: now.toISOString(),
    starts: before.starts + 1,
    runs: [runId, ...before.runs].slice(0, maxRunsOfEnrolment),
    day,
    startsOfDay: before.day === day ? before.startsOfDay + 1 : 1,
  };
}

/** Without a run key, and for the count of a day. */
export const wholeHash = '-';
const maxRunKey = 200;

/** The hash of the value at a run key; of none where the data have none. */
export function runKeyHashOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return wholeHash;
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxRunKey);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** The run that a cause starts: the same however often it is looked at. `cause` names the event or the change, and the person. */
export const runIdOf = (automationId: string, cause: string, at: Date): string =>
  derivedIdAt('run', at, `${automationId}#${cause}`);

/** What a change of a person is for automations. */
export interface PersonChange {
  readonly subscribed: boolean;
  readonly byImport: boolean;
  readonly addedTags: readonly string[];
  readonly changedFields: readonly ChangedField[];
  /** Why the person may no longer be written to, if that is new. */
  readonly left: LeaveReason | null;
}

interface ChangedField {
  readonly name: string;
  readonly from: string | number | boolean | null;
  readonly to: string | number | boolean | null;
}

/** The causes of a change, but for segments, which may name anything of a person. */
export const causesOf = ({ subscribed, addedTags, changedFields }: PersonChange): readonly Cause[] => [
  ...(subscribed ? [subscribedCause] : []),
  ...addedTags.map(tagCause),
  ...changedFields.map(({ name }) => fieldCause(name)),
];

/** What a change is for automations. */
export function changeOf(before: Person, after: Person, byImport: boolean): PersonChange {
  const [old, own] = [before.subscriber, after.subscriber];
  return {
    subscribed: own?.status === 'subscribed' && old?.status !== 'subscribed',
    byImport,
    addedTags: own?.tags.filter((tag) => !old?.tags.includes(tag)) ?? [],
    changedFields: changedFields(old?.fields ?? {}, own?.fields ?? {}),
    left: leaveReasonOf(before) === null ? leaveReasonOf(after) : null,
  };
}

type PersonFields = Subscriber['fields'];

function changedFields(before: PersonFields, after: PersonFields): ChangedField[] {
  const valueIn = (fields: PersonFields, name: string) => (Object.hasOwn(fields, name) ? (fields[name] ?? null) : null);
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .map((name) => ({ name, from: valueIn(before, name), to: valueIn(after, name) }))
    .filter(({ from, to }) => from !== to);
}

/** The data of the start by which a change starts this trigger; null when it does not. Events, segments and dates are looked at elsewhere. */
export function startByChange(trigger: Trigger, change: PersonChange): RunStart['data'] | null {
  if ('event_name' in trigger) return null;
  switch (trigger.source) {
    case 'subscribed':
      return change.subscribed && (!change.byImport || trigger.include_imports === true) ? {} : null;
    case 'tag_added':
      return change.addedTags.includes(trigger.tag) ? { tag: trigger.tag } : null;
    case 'field_changed': {
      const found = change.changedFields.find(({ name }) => name === trigger.field);
      if (!found) return null;
      const isAsNamed =
        (trigger.from === undefined || trigger.from === found.from) &&
        (trigger.to === undefined || trigger.to === found.to);
      return isAsNamed ? { field: found.name, from: found.from, to: found.to } : null;
    }
    default:
      return null;
  }
}
