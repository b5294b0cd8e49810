import {
  activityNameOf,
  leavesOf,
  matches,
  type SegmentCondition,
  type SegmentPerson,
  type SegmentRule,
} from './segment.ts';

const dayMilliseconds = 86_400_000;

/**
 * The first moment after `now` at which time alone changes whether a person passes a rule; null for never. It is what a rule
 * on `within_last_days` and the end of the retention of events bring; a comparison with a fixed date never changes.
 */
export function nextTurn(rule: SegmentRule, person: SegmentPerson, now: Date): Date | null {
  const times = new Set(leavesOf(rule).flatMap((leaf) => turnsOf(leaf, person)));
  const later = [...times].filter((time) => time > now.getTime()).sort((one, other) => one - other);
  if (later.length === 0) return null;
  const is = matches(rule, person, now);
  const turn = later.find((time) => matches(rule, person, new Date(time)) !== is);
  return turn === undefined ? null : new Date(turn);
}

/** The moments at which a condition may change: the last one of `within_last_days` still passes. */
function turnsOf(condition: SegmentCondition, person: SegmentPerson): number[] {
  if ('event' in condition || 'mail' in condition) {
    const activity = person.activities?.get(activityNameOf(condition));
    if (!activity) return [];
    const end = activity.expiresAt * 1000;
    if (condition.operator !== 'within_last_days') return [end];
    return [Date.parse(activity.last) + condition.value * dayMilliseconds + 1, end];
  }
  if (!('date' in condition) || condition.operator !== 'within_last_days') return [];
  const moment = condition.date === 'created_at' ? person.createdAt : person.confirmedAt;
  const at = moment === null ? Number.NaN : Date.parse(moment);
  return Number.isNaN(at) ? [] : [at, at + condition.value * dayMilliseconds + 1];
}
