import * as z from 'zod';
import { textsOf } from '../../language/text.ts';
import { fieldTests, nameTests, ruleFieldName, ruleParser, testedRule } from './ruleParser.ts';
import type { SegmentCondition, SegmentRule } from './segment.ts';

const texts = textsOf({
  moment: {
    en: 'must be a date such as 2026-11-21 or a time such as 2026-11-21T10:30:00Z',
    fr: 'doit être une date comme 2026-11-21 ou une heure comme 2026-11-21T10:30:00Z',
  },
});

const moment = z.string().refine(isMoment, { params: { text: texts.moment } });

/** The schemas of the simple rules of a segment. */
export const segmentConditions = {
  tag: z.strictObject({ tag: z.string().min(1).max(64) }),
  name: testedRule({ name: z.enum(['firstName', 'lastName']) }, nameTests),
  field: testedRule({ field: ruleFieldName }, fieldTests),
  date: testedRule(
    { date: z.enum(['created_at', 'confirmed_at']) },
    { before: moment, after: moment, within_last_days: z.int().min(1).max(36_500) },
  ),
};

/** A segment rule in JSON. Issues have the path and the reason of every problem. */
export const segmentRule: z.ZodType<SegmentRule> = ruleParser<SegmentCondition>(segmentConditions);

/** A date without a time means midnight UTC at its start. */
function isMoment(value: string): boolean {
  return [z.iso.date(), z.iso.datetime({ offset: true })].some((schema) => schema.safeParse(value).success);
}
