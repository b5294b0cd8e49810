import type { Person } from '../person/person.ts';
import type { EventActivities, SegmentRule } from '../segment/segment.ts';
import type { Trigger } from './automation.ts';
import { decideRule } from './automationRule.ts';
import { mayHold } from './internal/possibleRule.ts';
import { nextDate } from './internal/timing.ts';
import { rulePersonOf } from './rulePerson.ts';
import type { RunStart } from './run.ts';

/* Who would start, as if what starts an automation came for everybody whom it fits now. */

/** What is tested of people to find those whom a trigger fits; null for the whole list. A segment has a rule of its own. */
export function ruleOfTrigger(trigger: Trigger): SegmentRule | null {
  if ('event_name' in trigger) return null;
  if (trigger.source === 'tag_added') return { tag: trigger.tag };
  if (trigger.source !== 'field_changed') return null;
  const { field, to } = trigger;
  return to === undefined ? { field, operator: 'exists' } : { field, operator: 'equals', value: to };
}

/** Somebody who may start, with those of their events that rules ask for. */
export interface StartingPerson {
  readonly person: Person;
  readonly activities: EventActivities;
}

export interface SimulatedStart {
  readonly at: Date;
  readonly data: RunStart['data'];
}

/**
 * When and by what a person starts; `filtered` by a filter that no data of the event could pass; null when nothing starts
 * them within this time.
 */
export function simulatedStart(
  trigger: Trigger,
  { person: { subscriber }, activities }: StartingPerson,
  { from, until }: { readonly from: Date; readonly until: Date },
): SimulatedStart | 'filtered' | null {
  const fields = subscriber?.fields ?? {};
  if ('event_name' in trigger) {
    const person = rulePersonOf(subscriber, activities);
    const facts = { person, data: {}, waited: {}, mail: {}, now: from };
    return trigger.filter_rule && !mayHold(trigger.filter_rule, facts) ? 'filtered' : { at: from, data: {} };
  }
  switch (trigger.source) {
    case 'date': {
      const at = nextDate(trigger, fields, from);
      return at && at <= until ? { at, data: {} } : null;
    }
    case 'tag_added':
      return { at: from, data: { tag: trigger.tag } };
    case 'field_changed': {
      const { field, from: before = null } = trigger;
      return { at: from, data: { field, from: before, to: fields[field] ?? null } };
    }
    default:
      return { at: from, data: {} };
  }
}

/** Whether an event starts a person, as they are now. */
export function passesStartFilter(
  trigger: Trigger,
  { person: { subscriber }, activities }: StartingPerson,
  data: unknown,
  now: Date,
): boolean {
  const rule = 'event_name' in trigger ? trigger.filter_rule : undefined;
  const person = rulePersonOf(subscriber, activities);
  return rule === undefined || decideRule(rule, { person, data, event: data, waited: {}, mail: {}, now });
}
