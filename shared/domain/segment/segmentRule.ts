import * as z from 'zod';
import { customIssue, text, textsOf } from '../../language/text.ts';
import { mailActions } from '../personEvents/mailActivity.ts';
import { personEventLimits, personEventName, reservedEventPrefixes } from '../personEvents/personEvent.ts';
import { fieldTests, nameTests, ruleFieldName, ruleParser, testedRule } from './ruleParser.ts';
import { placedLeavesOf, type RuleTree, ruleSubjects, type SegmentCondition, type SegmentRule } from './segment.ts';

/** Each event or mail is read for all people beside the audience. */
export const maxEventsOfRule = 5;

const texts = textsOf({
  event: {
    en: 'must be the name of an event: 1 to 64 of A-Z a-z 0-9 _ . : -',
    fr: 'doit être le nom d’un événement : 1 à 64 caractères parmi A-Z a-z 0-9 _ . : -',
  },
  events: {
    en: `must not be about more than ${maxEventsOfRule} different events and mails`,
    fr: `ne doit pas porter sur plus de ${maxEventsOfRule} événements et e-mails différents`,
  },
  reserved: {
    en: `must not begin with ${reservedEventPrefixes.join(', ')}: no event has such a name. Mail is asked for by {"mail": "opened", "operator": "exists"}`,
    fr: `ne doit pas commencer par ${reservedEventPrefixes.join(', ')} : aucun événement ne porte un tel nom. Une règle sur les e-mails s’écrit {"mail": "opened", "operator": "exists"}`,
  },
  mail: {
    en: 'needs the setting mailActivity, which is off in this deployment',
    fr: 'demande le réglage mailActivity, désactivé dans ce déploiement',
  },
  moment: {
    en: 'must be a date such as 2026-11-21 or a time such as 2026-11-21T10:30:00Z',
    fr: 'doit être une date comme 2026-11-21 ou une heure comme 2026-11-21T10:30:00Z',
  },
});

const tooManyDays = (days: number) =>
  text({
    en: `must be at most ${days}: events are kept for so many days (setting eventRetentionDays)`,
    fr: `doit être au plus ${days} : les événements sont gardés ce nombre de jours (réglage eventRetentionDays)`,
  });

const moment = z.string().refine(isMoment, { params: { text: texts.moment } });

const eventDays = z.int().min(1).max(personEventLimits.retentionDays);

const eventName = z.string().refine(isEventName, { params: { text: texts.event } });

/**
 * The schemas of the simple rules of a segment, whatever the retention of events is now: what is stored stays readable
 * after it was lowered.
 */
export const segmentConditions = {
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
      within_last_days: eventDays,
    },
  ),
  mail: testedRule({ mail: z.enum(mailActions) }, { exists: null, within_last_days: eventDays }),
};

/** What a deployment keeps for rules to ask about. */
export interface KeptForRules {
  /** How long events, and what is noted of mail, are kept. */
  readonly eventDays: number;
  /** Whether anything is noted of mail. */
  readonly mailActivity: boolean;
}

/**
 * Segment rules in JSON, as they may be written in a deployment. Issues have the path and the reason of every problem.
 */
export const segmentRuleFor = (kept: KeptForRules): z.ZodType<SegmentRule> =>
  segmentRule.superRefine((rule, context) => {
    for (const { path, text: why } of unkeptIn(rule, kept)) context.addIssue(customIssue(why, path));
  });

/** A stored rule, or one that is checked against what is kept later. */
export const segmentRule: z.ZodType<SegmentRule> = ruleParser<SegmentCondition>(segmentConditions).superRefine(
  (rule, context) => {
    if (ruleSubjects(rule).events.size > maxEventsOfRule) context.addIssue(customIssue(texts.events));
  },
);

/** What no person could ever have, in this deployment or in any, with its path in the rule. */
export function unkeptIn(rule: RuleTree<object>, { mailActivity, eventDays: days }: KeptForRules) {
  return placedLeavesOf(rule).flatMap(({ leaf, path }) => {
    const { operator, value } = leaf as { readonly operator?: unknown; readonly value?: unknown };
    const isOfActivity = ('event' in leaf || 'mail' in leaf) && operator === 'within_last_days';
    if (isOfActivity && Number(value) > days) return [{ path: [...path, 'value'], text: tooManyDays(days) }];
    if ('event' in leaf) {
      const isReserved = reservedEventPrefixes.some((prefix) => String(leaf.event).startsWith(prefix));
      return isReserved ? [{ path: [...path, 'event'], text: texts.reserved }] : [];
    }
    // With a step, in an automation, it is about the message of that step.
    return 'mail' in leaf && !('step' in leaf) && !mailActivity ? [{ path: [...path, 'mail'], text: texts.mail }] : [];
  });
}

function isEventName(name: string): boolean {
  return name.length <= personEventLimits.nameCharacters && personEventName.test(name);
}

/** A date without a time means midnight UTC at its start. */
function isMoment(value: string): boolean {
  return [z.iso.date(), z.iso.datetime({ offset: true })].some((schema) => schema.safeParse(value).success);
}
