import * as z from 'zod';
import { customIssue, textsOf } from '../../../language/text.ts';
import { segmentLimits } from '../../segment/ruleParser.ts';
import { templateProblems } from '../../template/compile.ts';
import { weekdays } from '../automation.ts';
import { automationRule, filterRule } from '../automationRule.ts';
import {
  duration,
  eventName,
  fieldDate,
  line,
  mailbox,
  maybe,
  personField,
  personTag,
  replyTo,
  strict,
  timeOfDay,
  topicTag,
  tracking,
  zone,
} from './parts.ts';

const texts = textsOf({
  trigger: { en: 'must have "event_name" or "source"', fr: 'doit avoir « event_name » ou « source »' },
  message: {
    en: 'must have either "template", or "subject" with "html" or "text"',
    fr: 'doit avoir soit « template », soit « subject » avec « html » ou « text »',
  },
  delay: {
    en: 'must have "duration", "until" or both, or "until_field" alone',
    fr: 'doit avoir « duration », « until » ou les deux, ou « until_field » seul',
  },
  wait: {
    en: 'must have "event_name", or "step" with "mail"',
    fr: 'doit avoir « event_name », ou « step » avec « mail »',
  },
  filter: { en: 'is only possible with "event_name"', fr: 'n’est possible qu’avec « event_name »' },
  both: { en: 'has a tag that "remove_tags" has too', fr: 'a une étiquette que « remove_tags » a aussi' },
  nothing: { en: 'changes nothing', fr: 'ne modifie rien' },
  key: {
    en: 'must be 1 to 64 of A-Z a-z 0-9 _ -',
    fr: 'doit compter 1 à 64 caractères parmi A-Z a-z 0-9 _ -',
  },
  values: {
    en: `must not have more than ${segmentLimits.rules} values`,
    fr: `ne doit pas avoir plus de ${segmentLimits.rules} valeurs`,
  },
});

const whatever = { when: () => true };
const given = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const has = (value: unknown): boolean => value !== undefined && value !== null;

const scalar = z.union([z.string().max(1000), z.number(), z.boolean()]);
const variable = z.strictObject({ var: z.string().min(1).max(256) });

const source = {
  subscribed: strict({ source: z.literal('subscribed'), include_imports: maybe(z.boolean()) }),
  tag_added: strict({ source: z.literal('tag_added'), tag: personTag }),
  field_changed: strict({
    ...{ source: z.literal('field_changed'), field: personField },
    ...{ from: maybe(scalar), to: maybe(scalar) },
  }),
  segment_entered: strict({
    source: z.literal('segment_entered'),
    segment_id: z.string().min(1).max(100),
    include_present: maybe(z.boolean()),
  }),
  date: strict({ source: z.literal('date'), every: maybe(z.enum(['year'])), ...fieldDate }),
  manual: strict({ source: z.literal('manual') }),
};
const eventTrigger = strict({ event_name: eventName, filter_rule: maybe(filterRule) });

/** Parses with the schema that a value selects: a union would report the problems of all others as well. */
function selected(select: (value: Readonly<Record<string, unknown>>) => z.ZodType | z.core.$ZodRawIssue): z.ZodType {
  return z.unknown().transform((value, context) => {
    const schema = select(given(value));
    if (!(schema instanceof z.ZodType)) {
      context.issues.push(schema);
      return z.NEVER;
    }
    const read = schema.safeParse(value, { reportInput: true });
    if (read.success) return read.data;
    context.issues.push(...(read.error.issues as z.core.$ZodRawIssue[]));
    return z.NEVER;
  });
}

const trigger = selected((config) => {
  if (has(config.event_name)) return eventTrigger;
  if (!has(config.source)) return customIssue(texts.trigger, [], config);
  const name = String(config.source);
  if (Object.hasOwn(source, name)) return source[name as keyof typeof source];
  return { code: 'invalid_value', values: Object.keys(source), path: ['source'], input: config.source };
});

/** Values with variables in them, at most as many as a rule may have parts. */
const values = z.record(z.string().min(1).max(64), z.unknown()).superRefine((all, context) => {
  if (Object.keys(all).length > segmentLimits.rules) context.addIssue(customIssue(texts.values));
});

const send = strict({
  template: maybe(strict({ id: z.string().min(1).max(100), version: maybe(z.int().min(1)), variables: maybe(values) })),
  subject: maybe(line(1, 998)),
  html: maybe(z.string().min(1).max(100_000)),
  text: maybe(z.string().min(1).max(100_000)),
  from: maybe(mailbox),
  reply_to: maybe(replyTo),
  track: maybe(tracking),
  tag: maybe(topicTag),
  max_delay: duration(30, 60).nullable().optional(),
  on_failure: maybe(z.enum(['end', 'continue'])),
}).superRefine((config, context) => {
  const { template, subject, html, text } = given(config);
  const isInline = has(html) || has(text);
  if (has(template) ? isInline : !(has(subject) && isInline)) context.addIssue(customIssue(texts.message));
  const written = (value: unknown) => (typeof value === 'string' ? value : null);
  const parts = { subject: written(subject), html: written(html), text: written(text) };
  for (const problem of templateProblems({ ...parts, preheader: null, blocks: null, variables: [] })) {
    context.addIssue(customIssue(problem.text, [...problem.path]));
  }
}, whatever);

const delay = strict({
  duration: maybe(duration(365)),
  until: maybe(
    strict({
      ...{ time: timeOfDay, zone, zone_field: maybe(personField) },
      weekdays: maybe(z.array(z.enum(weekdays)).min(1).max(7)),
    }),
  ),
  until_field: maybe(strict({ ...fieldDate, if_missing: z.enum(['continue', 'exit']) })),
}).superRefine((config, context) => {
  const { duration: length, until, until_field } = given(config);
  if (has(until_field) === (has(length) || has(until))) context.addIssue(customIssue(texts.delay));
}, whatever);

const wait = strict({
  event_name: maybe(eventName),
  step: maybe(z.string().min(1).max(64)),
  mail: maybe(z.enum(['opened', 'clicked'])),
  filter_rule: maybe(filterRule),
  timeout: duration(365)
    .nullish()
    .transform((timeout) => timeout ?? '30 days'),
  since: maybe(z.enum(['step', 'run'])),
}).superRefine((config, context) => {
  const { event_name, step, mail, filter_rule } = given(config);
  const isEvent = has(event_name) && !has(step) && !has(mail);
  const isMail = !has(event_name) && has(step) && has(mail);
  if (!isEvent && !isMail) context.addIssue(customIssue(texts.wait));
  if (isMail && has(filter_rule)) context.addIssue(customIssue(texts.filter, ['filter_rule']));
}, whatever);

const nameValue = z.union([line(1, 100), z.null(), variable]).optional();
const tags = z.array(personTag).min(1).max(50);

const update = strict({
  add_tags: maybe(tags),
  remove_tags: maybe(tags),
  fields: maybe(z.record(personField, z.union([scalar, z.null(), variable]))),
  firstName: nameValue,
  lastName: nameValue,
}).superRefine((config, context) => {
  const { add_tags, remove_tags, ...others } = given(config);
  const removed = new Set(Array.isArray(remove_tags) ? remove_tags : []);
  if (Array.isArray(add_tags) && add_tags.some((tag) => removed.has(tag))) {
    context.addIssue(customIssue(texts.both, ['add_tags']));
  }
  const isNothing = !has(add_tags) && !has(remove_tags) && Object.values(others).every((value) => value === undefined);
  if (isNothing) context.addIssue(customIssue(texts.nothing));
}, whatever);

const configs = {
  trigger,
  send_email: send,
  delay,
  wait_for_event: wait,
  condition: automationRule,
  subscriber_update: update,
  webhook: strict({ webhook_id: z.string().min(1).max(100), data: maybe(values) }),
  exit: z.preprocess((config) => config ?? {}, strict({ reason: maybe(line(1, 64)) })),
} as const;

const key = z.string().refine((text) => /^[A-Za-z0-9_-]{1,64}$/.test(text), { params: { text: texts.key } });

/** A step, whose type decides over its config. */
export const stepSchema = selected(({ type }) => {
  const name = String(type);
  const config = Object.hasOwn(configs, name) ? configs[name as keyof typeof configs] : undefined;
  return config
    ? strict({ key, type: z.literal(name), config })
    : strict({ key, type: z.enum(Object.keys(configs)), config: z.unknown() });
});

/** A goal: an event, or a rule that is read before each step. */
export const goalSchema = selected((goal) =>
  has(goal.rule) ? strict({ rule: automationRule }) : strict({ event_name: eventName, filter_rule: maybe(filterRule) }),
);
