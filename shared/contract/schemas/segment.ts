import * as z from 'zod';
import { segmentLimits } from '../../domain/segment/ruleParser.ts';
import type { SegmentRule } from '../../domain/segment/segment.ts';
import { maxEventsOfRule, segmentRule } from '../../domain/segment/segmentRule.ts';
import { customIssue, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import {
  always,
  constant,
  describe,
  givenFields,
  isGiven,
  listOf,
  named,
  optional,
  pageQueryAfter,
  timestamp,
} from './fields.ts';
import { singleLine } from './internal/message.ts';
import { subscriber } from './subscriber.ts';

const idExample = 'seg_01k9zq3v5c8r2m4n6p7s9t0wxy';
const ruleExample = { all: [{ tag: 'vip' }, { field: 'city', operator: 'equals', value: 'Paris' }] };

const texts = textsOf({
  name: {
    en: 'Name, unique in the workspace without regard to case.',
    fr: 'Nom, unique dans l’espace sans tenir compte de la casse.',
  },
  rule: {
    en: `One condition: \`{"tag": …}\`; \`{"name": "firstName" or "lastName", "operator", "value"}\` or \`{"field": its name, "operator", "value"}\` with \`equals\`, \`not_equals\`, \`contains\`, \`starts_with\`, \`exists\` (no value), of fields also \`greater_than\`, \`less_than\`; \`{"date": "created_at" or "confirmed_at", "operator", "value"}\` with \`before\`, \`after\` (a date or a time), \`within_last_days\`; \`{"event": its name, "operator", "value"}\` with \`exists\`, \`count_at_least\`, \`within_last_days\` (as long as events are kept); \`{"mail": "sent", "opened" or "clicked", "operator", "value"}\` with \`exists\`, \`within_last_days\`, where the setting \`mailActivity\` is on; of ${maxEventsOfRule} events and mails at most. Or several: \`{"all": […]}\`, \`{"any": […]}\`, \`{"not": …}\`, at most ${segmentLimits.depth} levels deep and ${segmentLimits.rules} in all.`,
    fr: `Une condition : \`{"tag": …}\` ; \`{"name": "firstName" ou "lastName", "operator", "value"}\` ou \`{"field": son nom, "operator", "value"}\` avec \`equals\`, \`not_equals\`, \`contains\`, \`starts_with\`, \`exists\` (sans valeur), et pour un champ aussi \`greater_than\`, \`less_than\` ; \`{"date": "created_at" ou "confirmed_at", "operator", "value"}\` avec \`before\`, \`after\` (une date ou une heure), \`within_last_days\` ; \`{"event": son nom, "operator", "value"}\` avec \`exists\`, \`count_at_least\`, \`within_last_days\` (tant que les événements sont conservés) ; \`{"mail": "sent", "opened" ou "clicked", "operator", "value"}\` avec \`exists\`, \`within_last_days\`, si le réglage \`mailActivity\` est activé ; de ${maxEventsOfRule} événements et e-mails au plus. Ou plusieurs : \`{"all": […]}\`, \`{"any": […]}\`, \`{"not": …}\`, sur ${segmentLimits.depth} niveaux au plus et ${segmentLimits.rules} en tout.`,
  },
  one: {
    en: 'exactly one of "rule" and "segment_id" is required',
    fr: 'exactement l’un de « rule » et « segment_id » est obligatoire',
  },
});

const object = constant('segment');
const id = describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, [idExample]);
const name = describe(singleLine(1, 200), texts.name, ['Paris']);
/** A rule is read by its own parser: for a reader of the schema it is an object, which its description explains. */
const rule = describe(named('SegmentRule', segmentRule.meta({ type: 'object' })), texts.rule, [ruleExample]);
const shownRule = describe(named('SegmentRule', z.custom<SegmentRule>().meta({ type: 'object' })), texts.rule, [
  ruleExample,
]);

export const segmentPath = z.object({
  id: describe(z.string(), { en: 'Identifier of the segment.', fr: 'Identifiant du segment.' }, [idExample]),
});

/** A call without parameters: any is refused. */
export const noQuery = z.object({});

export const listSegmentsQuery = pageQueryAfter({});

export const createSegmentRequest = withNameRules(z.strictObject({ name, rule }), { unknown: 'refused' });

export const updateSegmentRequest = withNameRules(
  z.strictObject({
    name: describe(name.optional(), texts.name, ['Paris']),
    rule: describe(rule.optional(), texts.rule, [ruleExample]),
  }),
  { unknown: 'refused' },
);

export const previewSegmentRequest = withNameRules(
  z
    .strictObject({
      rule: describe(optional(rule), texts.rule, [ruleExample]),
      segment_id: describe(
        optional(z.string().min(1).max(100)),
        { en: 'Identifier of a segment, in place of a rule.', fr: 'Identifiant d’un segment, à la place d’une règle.' },
        [idExample],
      ),
    })
    .superRefine(
      (given, context) => {
        const { rule: givenRule, segment_id } = givenFields(given);
        if (isGiven(givenRule) === isGiven(segment_id)) context.addIssue(customIssue(texts.one, ['rule']));
      },
      { when: always },
    ),
  { unknown: 'refused' },
);

export const segment = z.object({
  object,
  id,
  name: describe(z.string(), texts.name, ['Paris']),
  rule: shownRule,
  created_at: timestamp({ en: 'When it was created.', fr: 'Date de création.' }),
  updated_at: timestamp({ en: 'When it last changed.', fr: 'Date du dernier changement.' }),
});

export const segmentList = listOf(segment);

export const segmentPreview = z.object({
  object: constant('segment_preview'),
  recipients: describe(
    z.int().min(0),
    { en: 'People whom a campaign to them would reach now.', fr: 'Personnes qu’une campagne atteindrait maintenant.' },
    [320],
  ),
  sample: describe(z.array(subscriber), { en: 'Ten of them.', fr: 'Dix d’entre elles.' }),
});

export const deletedSegment = z.object({ object, id, deleted: constant(true) });
