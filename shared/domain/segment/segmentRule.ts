import * as z from 'zod';
import { customIssue, textsOf } from '../../language/text.ts';
import { personEventLimits, personEventName } from '../personEvents/personEvent.ts';
import { fieldTests, nameTests, ruleFieldName, ruleParser, testedRule } from './ruleParser.ts';
import { ruleSubjects, type SegmentCondition, type SegmentRule } from './segment.ts';

/** Each event is read for all people beside the audience. */
export const maxEventsOfRule = 5;

const texts = textsOf({
  event: {
    en: 'must be the name of an event: 1 to 64 of A-Z a-z 0-9 _ . : -',
    fr: 'doit être le nom d’un événement : 1 à 64 caractères parmi A-Z a-z 0-9 _ . : -',
  },
  events: {
    en: `must not be about more than ${maxEventsOfRule} different events`,
    fr: `ne doit pas porter sur plus de ${maxEventsOfRule} événements différents`,
  },
  moment: {
    en: 'must be a date such as 2026-11-21 or a time such as 2026-11-21T10:30:00Z',
    fr: 'doit être une date comme 2026-11-21 ou une heure comme 2026-11-21T10:30:00Z',
  },
});

const moment = z.string().refine(isMoment, { params: { text: texts.moment } });

const eventName = z.string().refine(isEventName, { params: { text: texts.event } });

/** The schemas of the simple rules of a segment, with so many days of events at most. */
const conditionsWithin = (eventDays: number) => ({
  tag: z.strictObject({ tag: z.string().min(1).max(64) }),
  name: testedRule({ name: z.enum(['firstName', 'lastName']) }, nameTests),
  field: testedRule({ field: ruleFieldName }, fieldTests),
  date: testedRule(
    { date: z.enum(['created_at', 'confirmed_at']) },
    { before: moment, after: moment, within_last_days: z.int().min(1).max(36_500) },
  ),
  event: testedRule(
    { event: eventName },
    {
      exists: null,
      count_at_least: z.int().min(1).max(1_000_000),
      within_last_days: z.int().min(1).max(eventDays),
    },
  ),
});

/** The same, whatever the retention of events is now: what is stored stays readable after it was lowered. */
export const segmentConditions = conditionsWithin(personEventLimits.retentionDays);

/**
 * Segment rules in JSON, where events are kept for so many days. Issues have the path and the reason of every problem.
 */
export const segmentRuleWithin = (eventDays: number): z.ZodType<SegmentRule> =>
  ruleParser<SegmentCondition>(conditionsWithin(eventDays)).superRefine((rule, context) => {
    if (ruleSubjects(rule).events.size > maxEventsOfRule) context.addIssue(customIssue(texts.events));
  });

/** A stored rule, or one whose days are checked later. */
export const segmentRule: z.ZodType<SegmentRule> = segmentRuleWithin(personEventLimits.retentionDays);

function isEventName(name: string): boolean {
  return name.length <= personEventLimits.nameCharacters && personEventName.test(name);
}

/** A date without a time means midnight UTC at its start. */
function isMoment(value: string): boolean {
  return [z.iso.date(), z.iso.datetime({ offset: true })].some((schema) => schema.safeParse(value).success);
}
