import * as z from 'zod';
import {
  type AutomationStep,
  automationStatuses,
  type Goal,
  holdReasons,
  type QuietHours,
  type Reentry,
  type StepConnection,
} from '../../domain/automation/automation.ts';
import { ruleOperators } from '../../domain/automation/automationRule.ts';
import { automationLimits, definitionIssues } from '../../domain/automation/definitionSchema.ts';
import { startVariable } from '../../domain/automation/variables.ts';
import { type Text, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import {
  always,
  constant,
  describe,
  givenFields,
  inPlace,
  listOf,
  named,
  optional,
  pageQueryAfter,
  queryInteger,
  strictFields,
  timestamp,
} from './fields.ts';
import { mailboxText, maxReplyAddresses, oneOrMany, singleLine, trackingOptions } from './internal/message.ts';

const idExample = 'auto_01k9zq3v5c8r2m4n6p7s9t0wxy';

const texts = textsOf({
  name: { en: 'Name.', fr: 'Nom.' },
  status: {
    en: '`enabled`: runs start and go on. `draining`: runs go on, and none starts. `disabled`: no run starts or goes on, while the time of delays and waits passes.',
    fr: '`enabled` : des parcours démarrent et avancent. `draining` : les parcours avancent, et aucun ne démarre. `disabled` : aucun parcours ne démarre ni n’avance, mais les délais et les attentes continuent de courir.',
  },
  steps: {
    en: `2 to ${automationLimits.steps} steps, the first a \`trigger\`: each has a \`key\`, a \`type\` (\`trigger\`, \`send_email\`, \`delay\`, \`wait_for_event\`, \`condition\`, \`subscriber_update\`, \`webhook\`, \`exit\`) and a \`config\`, which the chapter Automations of the reference describes. The forms of the \`resend\` client are read too.`,
    fr: `De 2 à ${automationLimits.steps} étapes, la première un \`trigger\` : chacune a une clé (\`key\`), un \`type\` (\`trigger\`, \`send_email\`, \`delay\`, \`wait_for_event\`, \`condition\`, \`subscriber_update\`, \`webhook\`, \`exit\`) et une \`config\`, décrite au chapitre Automatisations de la référence. Les formes du client \`resend\` sont lues aussi.`,
  },
  connections: {
    en: 'Which step follows: `from` and `to` are keys, `type` is `default`, after a condition `condition_met` or `condition_not_met`, after a wait `event_received` or `timeout`. Where none leads on, the run is completed.',
    fr: 'Quelle étape suit : `from` et `to` sont des clés, `type` vaut `default`, après une condition `condition_met` ou `condition_not_met`, après une attente `event_received` ou `timeout`. Où aucune ne mène plus loin, le parcours est terminé.',
  },
  reentry: {
    en: 'Whether a person can be in it again: `"once"` (default), `"always"`, or `{"after_days": 1 to 400}` from the last start.',
    fr: 'Si une personne peut y revenir : `"once"` (par défaut), `"always"`, ou `{"after_days": 1 à 400}` depuis le dernier départ.',
  },
  run_key: {
    en: 'A value of the start, such as `event.order_id`: re-entry and one open run at most hold for each value, and not for the person alone.',
    fr: 'Une valeur du départ, comme `event.order_id` : le retour et un seul parcours ouvert au plus valent pour chaque valeur, et non pour la personne seule.',
  },
  goals: {
    en: `At most ${automationLimits.goals} that end a run: \`{"event_name", "filter_rule"}\` at once, \`{"rule"}\` before its next step. A rule is that of a segment, or \`{"trigger": "amount", "operator", "value"}\` (${ruleOperators.join(', ')}) on the data of the start.`,
    fr: `${automationLimits.goals} au plus, qui terminent un parcours : \`{"event_name", "filter_rule"}\` aussitôt, \`{"rule"}\` avant sa prochaine étape. Une règle est celle d’un segment, ou \`{"trigger": "amount", "operator", "value"}\` (${ruleOperators.join(', ')}) sur les données du départ.`,
  },
  topic_id: {
    en: 'The topic of its messages, which people can leave.',
    fr: 'Le type de ses messages, que les personnes peuvent quitter.',
  },
  tag: {
    en: 'The tag of that topic, in place of its id.',
    fr: 'L’étiquette de ce type, à la place de son identifiant.',
  },
  from: {
    en: 'Sender of the steps that name none. Default: the sender of the workspace.',
    fr: 'Expéditeur des étapes qui n’en nomment aucun. Par défaut : celui de l’espace.',
  },
  reply_to: {
    en: 'Reply addresses of the steps that name none.',
    fr: 'Adresses de réponse des étapes qui n’en nomment aucune.',
  },
  track: {
    en: 'Tracking (`opens`, `clicks`) of the steps that set none.',
    fr: 'Suivi (`opens`, `clicks`) des étapes qui n’en fixent aucun.',
  },
  quiet_hours: {
    en: 'When no message leaves: from `from` to `to`. A message waits for their end.',
    fr: 'Quand aucun message ne part : de `from` à `to`. Un message attend leur fin.',
  },
  after_days: { en: 'Days from the last start.', fr: 'Jours depuis le dernier départ.' },
  time: { en: 'Time of day.', fr: 'Heure.' },
  zone: { en: 'Time zone.', fr: 'Fuseau horaire.' },
  zone_field: {
    en: 'A field of the subscriber with a zone, which comes first.',
    fr: 'Un champ de l’abonné avec un fuseau, qui passe avant.',
  },
  max_delay: {
    en: 'A message that is later than this is skipped: 1 hour to 30 days, 48 hours if left out. With null it is sent all the same.',
    fr: 'Un message plus en retard que cela est omis : de 1 heure à 30 jours, 48 heures par défaut. Avec null, il part quand même.',
  },
});

const object = constant('automation');
const id = describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, [idExample]);
const name = singleLine(1, automationLimits.nameCharacters);
const status = named('AutomationStatus', z.enum(automationStatuses));

/** The whole of a definition is read by its own parser, so that all of its problems are reported at once. */
const part = (component: string) => named(component, z.unknown().meta({ type: 'object' }));
const parts = (component: string) => z.array(part(component));

const stepExamples = [
  [
    { key: 'start', type: 'trigger', config: { event_name: 'trial_started' } },
    { key: 'end', type: 'exit' },
  ],
];
const connectionExamples = [[{ from: 'start', to: 'end' }]];

const nullable = (type: string) => ({ type: [type, 'null'] });

const reentry = z.union([
  named('AutomationReentry', z.enum(['once', 'always'])),
  named(
    'AutomationReentryAfter',
    strictFields({ after_days: describe(z.int().min(1).max(automationLimits.reentryDays), texts.after_days, [30]) }),
  ),
]);
const quietHours = named(
  'QuietHours',
  strictFields({
    from: describe(z.string().max(40), texts.time, ['21:00']),
    to: describe(z.string().max(40), texts.time, ['08:00']),
    zone: describe(z.string().max(64), texts.zone, ['Europe/Paris']),
    zone_field: describe(optional(z.string().max(64)), texts.zone_field, ['time_zone']),
  }),
);

/** What may be left out, with its text and an example. */
const settings = {
  reentry: [reentry, texts.reentry, 'once'],
  run_key: [z.string().max(200).meta({ pattern: startVariable }), texts.run_key, 'event.order_id'],
  goals: [parts('AutomationGoal').max(automationLimits.goals), texts.goals, [{ event_name: 'subscription_paid' }]],
  topic_id: [z.string().min(1).max(100), texts.topic_id, 'top_3v5c8r2m4n6p7s9t0wxy01k9zq'],
  tag: [z.string().min(1).max(513), texts.tag, 'category:product-news'],
  from: [mailboxText, texts.from, 'Shop <news@shop.example>'],
  reply_to: [oneOrMany(maxReplyAddresses), texts.reply_to, ['help@shop.example']],
  track: [trackingOptions, texts.track, { opens: true }],
  quiet_hours: [quietHours, texts.quiet_hours, { from: '21:00', to: '08:00', zone: 'Europe/Paris' }],
  max_delay: [z.string().max(20), texts.max_delay, '48 hours'],
} as const satisfies Record<string, readonly [z.ZodType, Text, unknown]>;

type SettingSchemas = typeof settings;
type Made<Wrapped> = { [Name in keyof SettingSchemas]: Wrapped };

const each = <Wrapped extends z.ZodType>(wrap: (schema: z.ZodType) => Wrapped): Made<Wrapped> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, [schema, words, example]]) => [
      name,
      describe(wrap(schema), words, [example]),
    ]),
  ) as Made<Wrapped>;

/** The problems of the steps, and between them, that need no look at the workspace. */
function withDefinitionProblems(given: unknown, context: z.RefinementCtx): void {
  const { steps, connections, goals } = givenFields(given);
  if (!Array.isArray(steps) || !Array.isArray(connections)) return;
  context.issues.push(...(definitionIssues({ steps, connections, goals }) as z.core.$ZodRawIssue[]));
}

export const createAutomationRequest = withNameRules(
  z
    .strictObject({
      name: describe(name, texts.name, ['Trial']),
      status: describe(optional(status), texts.status, ['disabled']),
      steps: describe(parts('AutomationStep'), texts.steps, stepExamples),
      connections: describe(parts('AutomationConnection'), texts.connections, connectionExamples),
      ...each((schema) => optional(schema)),
    })
    .superRefine(withDefinitionProblems, { when: always }),
  { unknown: 'refused' },
);

export const updateAutomationRequest = withNameRules(
  z
    .strictObject({
      name: describe(name.optional(), texts.name, ['Trial']),
      status: describe(status.optional(), texts.status, ['disabled']),
      steps: describe(parts('AutomationStep').optional(), texts.steps, stepExamples),
      connections: describe(parts('AutomationConnection').optional(), texts.connections, connectionExamples),
      ...each((schema) => schema.nullable().optional()),
    })
    .superRefine(withDefinitionProblems, { when: always }),
  { unknown: 'refused' },
);

export const automationPath = z.object({
  id: describe(z.string(), { en: 'Identifier of the automation.', fr: 'Identifiant de l’automatisation.' }, [
    idExample,
  ]),
});

export const listAutomationsQuery = pageQueryAfter(
  {
    status: describe(status.optional(), { en: 'Only those of this status.', fr: 'Seulement celles de ce statut.' }, [
      'enabled',
    ]),
  },
  idExample,
);

export const getAutomationQuery = z.object({
  version: describe(
    queryInteger(1, 999_999).optional(),
    { en: 'Version to read. Default: the newest.', fr: 'Version à lire. Par défaut : la plus récente.' },
    [1],
  ),
});

const head = {
  object,
  id,
  name: describe(z.string(), texts.name, ['Trial']),
  status: describe(status, texts.status, ['enabled']),
  version: describe(
    z.int().min(1),
    {
      en: 'Increases with every change of more than name and status. A run ends on the version that it began with.',
      fr: 'Augmente à chaque changement d’autre chose que le nom et le statut. Un parcours se termine avec la version de son début.',
    },
    [1],
  ),
  held: describe(
    inPlace(
      z.object({
        reason: describe(named('AutomationHoldReason', z.enum(holdReasons)), { en: 'Why.', fr: 'Pourquoi.' }),
        since: timestamp({ en: 'Since when.', fr: 'Depuis quand.' }),
      }),
    ).nullable(),
    {
      en: 'Why no message can be sent at the moment; messages wait until the cause ends.',
      fr: 'Pourquoi aucun message ne peut partir en ce moment ; les messages attendent que la cause cesse.',
    },
    [null],
  ),
  created_at: timestamp({ en: 'When it was created.', fr: 'Date de création.' }),
  updated_at: timestamp({ en: 'When it last changed.', fr: 'Date du dernier changement.' }),
};

const shown = <T>(component: string) => named(component, z.custom<T>().meta({ type: 'object' }));
const nullableText = (words: Text, example: string | null) => describe(z.string().nullable(), words, [example]);
const asIs = <T>(words: Text, examples: readonly unknown[], json: Record<string, unknown>) =>
  describe(z.custom<T>().meta(json), words, examples);

export const automation = named(
  'Automation',
  z.object({
    ...head,
    steps: describe(z.array(shown<AutomationStep>('AutomationStep')), texts.steps, stepExamples),
    connections: describe(
      z.array(shown<StepConnection>('AutomationConnection')),
      texts.connections,
      connectionExamples,
    ),
    reentry: asIs<Reentry>(texts.reentry, ['once'], { type: ['string', 'object'] }),
    run_key: nullableText(texts.run_key, null),
    goals: asIs<readonly Goal[]>(texts.goals, [[]], { type: 'array', items: { type: 'object' } }),
    topic_id: nullableText(texts.topic_id, null),
    tag: nullableText(texts.tag, null),
    from: nullableText(texts.from, null),
    reply_to: describe(z.array(z.string()).nullable(), texts.reply_to, [null]),
    track: asIs<{ opens?: boolean | undefined; clicks?: boolean | undefined } | null>(
      texts.track,
      [null],
      nullable('object'),
    ),
    quiet_hours: asIs<QuietHours | null>(texts.quiet_hours, [null], nullable('object')),
    max_delay: nullableText(texts.max_delay, null),
  }),
);

export const automationList = listOf(named('AutomationSummary', z.object(head)));

export const stoppedAutomation = named(
  'StoppedAutomation',
  z.object({
    object,
    id,
    status: describe(z.literal('disabled'), { en: 'Always `disabled`.', fr: 'Toujours `disabled`.' }),
  }),
);

export const deletedAutomation = named('DeletedAutomation', z.object({ object, id, deleted: constant(true) }));
