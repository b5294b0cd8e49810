import * as z from 'zod';
import { runStatuses, runStepStatuses } from '../../domain/automation/run.ts';
import { isZone } from '../../domain/zonedTime.ts';
import { customIssue, type Text, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { createAutomationRequest } from './automation.ts';
import {
  constant,
  describe,
  givenFields,
  isGiven,
  moment,
  named,
  optional,
  strictFields,
  timestamp,
} from './fields.ts';
import { addressText } from './subscriber.ts';

export const simulatedPopulations = ['open_runs', 'audience', 'replay', 'emails'] as const;
export const simulationLimits = { emails: 1000, days: 90, replayDays: 30, events: 20, people: 50_000 } as const;

const texts = textsOf({
  population: {
    en: 'Who is simulated: `audience`, everyone its trigger could start now, all at `from`, or each on their date; `open_runs`, everyone who is in it now, each from their current step and on the version that they began with; `replay`, the people of the events that were recorded in the last `replay_days`; `emails`, these people. Default: `emails` or `replay` if their fields are given, else `audience`.',
    fr: 'Les personnes simulées : `audience`, celles que son déclencheur peut faire entrer, à `from` ou chacune à sa date ; `open_runs`, celles qui y sont déjà, chacune à partir de son étape et avec sa version ; `replay`, celles des événements enregistrés ces `replay_days` derniers jours ; `emails`, ces personnes. Par défaut : `emails` ou `replay` si leurs champs sont donnés, sinon `audience`.',
  },
  replay_days: {
    en: 'Days of recorded events to replay. Default: 7.',
    fr: 'Nombre de jours d’événements enregistrés à rejouer. Par défaut : 7.',
  },
  emails: {
    en: `The people of \`emails\`, at most ${simulationLimits.emails}; the key also needs \`subscribers:read\`.`,
    fr: `Les personnes de \`emails\`, ${simulationLimits.emails} au plus ; la clé a aussi besoin de \`subscribers:read\`.`,
  },
  from: {
    en: 'When it begins. Default: now; of `replay`, `replay_days` ago.',
    fr: 'Quand elle commence. Par défaut : maintenant ; pour `replay`, il y a `replay_days` jours.',
  },
  days: { en: 'Days to simulate.', fr: 'Nombre de jours à simuler.' },
  at: {
    en: 'The moment of `at` in the answer. Default: the end.',
    fr: 'Le moment de `at` dans la réponse. Par défaut : la fin.',
  },
  zone: { en: 'Time zone of the dates. Default: UTC.', fr: 'Fuseau horaire des dates. Par défaut : UTC.' },
  assume: {
    en: 'What is taken to happen; nothing else does. A named event arrives as soon as a run waits for it, or rests while the event is one of its goals.',
    fr: 'Ce qui est supposé se produire ; rien d’autre ne se produit. Un événement nommé arrive dès qu’un parcours l’attend, ou fait une pause avec lui pour objectif.',
  },
  definition: {
    en: 'What creating takes, in place of what is stored. Open runs keep their own steps.',
    fr: 'Ce que prend la création, à la place de ce qui est enregistré. Les parcours ouverts gardent leurs étapes.',
  },
  emailsMissing: { en: 'is required for this population', fr: 'est obligatoire pour cette population' },
  emailsAlone: { en: 'belongs to the population emails', fr: 'va avec la population emails' },
  replayAlone: { en: 'belongs to the population replay', fr: 'va avec la population replay' },
  badZone: {
    en: 'must be a time zone such as Europe/Paris, or UTC',
    fr: 'doit être un fuseau horaire comme Europe/Paris, ou UTC',
  },
});

const assumptions = strictFields({
  events: describe(
    optional(z.array(z.string().min(1).max(64)).max(simulationLimits.events)),
    { en: 'Names of events.', fr: 'Des noms d’événements.' },
    [['order_paid']],
  ),
  opened: describe(optional(z.boolean()), { en: 'Messages are opened.', fr: 'Les messages sont ouverts.' }, [true]),
  clicked: describe(
    optional(z.boolean()),
    { en: 'Links in messages are clicked.', fr: 'Les liens des messages sont cliqués.' },
    [false],
  ),
});

/** A definition is read as one that is created: here it is an object, so that its fields are described once. */
const definition = named('SimulatedDefinition', z.record(z.string(), z.unknown()));

const { name, ...others } = createAutomationRequest.shape;
export const simulatedDefinition = withNameRules(z.strictObject({ ...others, name: name.optional() }), {
  unknown: 'refused',
});

const question = {
  population: describe(optional(named('SimulatedPopulation', z.enum(simulatedPopulations))), texts.population, [
    'audience',
  ]),
  replay_days: describe(optional(z.int().min(1).max(simulationLimits.replayDays)), texts.replay_days, [7]),
  emails: describe(optional(z.array(addressText).min(1).max(simulationLimits.emails)), texts.emails, [
    ['ada@example.net'],
  ]),
  from: describe(optional(moment), texts.from, ['2026-12-01T09:00:00+01:00']),
  days: describe(z.int().min(1).max(simulationLimits.days), texts.days, [14]),
  at: describe(optional(moment), texts.at, ['2026-12-08T09:00:00+01:00']),
  zone: describe(
    optional(
      z
        .string()
        .max(64)
        .refine(isZone, { params: { text: texts.badZone } }),
    ),
    texts.zone,
    ['Europe/Paris'],
  ),
  assume: describe(optional(named('SimulationAssumptions', assumptions)), texts.assume, [{ events: ['order_paid'] }]),
};

/** The population that is asked for, or that the other fields are about. */
export function populationOf<Population>({
  population,
  emails,
  replay_days: replayDays,
}: {
  readonly population?: Population;
  readonly emails?: unknown;
  readonly replay_days?: unknown;
}): NonNullable<Population> | 'audience' | 'emails' | 'replay' {
  if (population !== undefined && population !== null) return population;
  if (isGiven(emails)) return 'emails';
  return isGiven(replayDays) ? 'replay' : 'audience';
}

const fits = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.superRefine((value, context) => {
    const { population: named, emails, replay_days } = givenFields(value);
    const population = populationOf({ population: named, emails, replay_days });
    if (population === 'emails' && !isGiven(emails)) context.addIssue(customIssue(texts.emailsMissing, ['emails']));
    if (population !== 'emails' && isGiven(emails)) context.addIssue(customIssue(texts.emailsAlone, ['emails']));
    if (population !== 'replay' && isGiven(replay_days)) {
      context.addIssue(customIssue(texts.replayAlone, ['replay_days']));
    }
  }) as Schema;

export const simulateDefinitionRequest = withNameRules(
  named(
    'SimulateDefinitionRequest',
    fits(z.strictObject({ ...question, definition: describe(definition, texts.definition) })),
  ),
  { unknown: 'refused' },
);

export const simulateAutomationRequest = withNameRules(
  named(
    'SimulateAutomationRequest',
    fits(z.strictObject({ ...question, definition: describe(optional(definition), texts.definition) })),
  ),
  { unknown: 'refused' },
);

const count = (words: Text, example: number) => describe(z.int().min(0), words, [example]);
const counts = (words: Text, example: Readonly<Record<string, number>>) =>
  describe(z.record(z.string(), z.int().min(0)), words, [example]);

const day = named(
  'SimulatedDay',
  z.object({
    date: describe(z.string(), { en: 'Date in the zone.', fr: 'Date dans le fuseau.' }, ['2026-12-01']),
    step: describe(z.string(), { en: 'Key of the step.', fr: 'Clé de l’étape.' }, ['tips']),
    people: count({ en: 'Who reaches the step on this day.', fr: 'Qui atteint l’étape ce jour-là.' }, 312),
    messages: count({ en: 'Messages that it sends on this day.', fr: 'Messages qu’elle envoie ce jour-là.' }, 312),
  }),
);

const pathStep = named(
  'SimulatedStep',
  z.object({
    step: describe(z.string(), { en: 'Key of the step.', fr: 'Clé de l’étape.' }, ['tips']),
    at: timestamp({ en: 'When it is reached.', fr: 'Quand elle est atteinte.' }),
    status: describe(z.enum(runStepStatuses), { en: 'Its status at the end.', fr: 'Son statut à la fin.' }, [
      'completed',
    ]),
    reason: describe(
      z.string().nullable(),
      {
        en: 'Why a message is left out, or what an `exit` says.',
        fr: 'Pourquoi un message est omis, ou ce que dit un `exit`.',
      },
      [null],
    ),
    branch: describe(
      z.string().nullable(),
      { en: 'The connection taken, where there is a choice.', fr: 'La connexion suivie, s’il y a un choix.' },
      [null],
    ),
    completed_at: describe(z.string().nullable(), { en: 'When it is left.', fr: 'Quand elle est quittée.' }, [
      '2026-12-04T08:00:00.000Z',
    ]),
  }),
);

const path = named(
  'SimulatedPath',
  z.object({
    email: describe(z.string(), { en: 'The person.', fr: 'La personne.' }, ['ada@example.net']),
    excluded: describe(
      z.string().nullable(),
      { en: 'Why no run would start; else null.', fr: 'Pourquoi aucun parcours ne démarrerait ; sinon null.' },
      [null],
    ),
    status: describe(
      named('AutomationRunStatus', z.enum(runStatuses)).nullable(),
      { en: 'The status of the run at the end.', fr: 'Le statut du parcours à la fin.' },
      ['completed'],
    ),
    reason: describe(z.string().nullable(), { en: 'Why the run ended.', fr: 'Pourquoi le parcours a pris fin.' }, [
      'end',
    ]),
    steps: describe(z.array(pathStep), { en: 'The steps in their order.', fr: 'Les étapes dans leur ordre.' }),
  }),
);

export const automationSimulation = named(
  'AutomationSimulation',
  z.object({
    object: constant('automation_simulation'),
    people: count({ en: 'People with at least one run.', fr: 'Personnes ayant au moins un parcours.' }, 312),
    messages: count({ en: 'Messages in these days.', fr: 'Messages pendant ces jours.' }, 624),
    sampled: describe(
      z.boolean(),
      {
        en: `Whether only a part was simulated and the numbers are scaled up: above ${simulationLimits.people.toLocaleString('en')} people, or where the time of the call did not suffice.`,
        fr: `Si seule une partie a été simulée et les nombres extrapolés : au-delà de ${simulationLimits.people.toLocaleString('fr')} personnes, ou quand le temps de l’appel n’a pas suffi.`,
      },
      [false],
    ),
    at: counts(
      { en: 'By step, the people at it at that moment.', fr: 'Par étape, les personnes qui s’y trouvent à ce moment.' },
      { rest: 312 },
    ),
    timeline: describe(z.array(day), {
      en: 'By day and step; days and steps where nothing happens are left out.',
      fr: 'Par jour et par étape ; sans les jours et étapes où rien ne se passe.',
    }),
    excluded: counts(
      {
        en: 'Starts that would be refused, by reason: those of `not_started` in the statistics, and `unknown_subscriber`. Of `open_runs`: runs that would end at once, by the reason of their end.',
        fr: 'Départs qui seraient refusés, par motif : ceux de `not_started` dans les statistiques, et `unknown_subscriber`. Pour `open_runs` : parcours qui prendraient fin aussitôt, par motif de fin.',
      },
      { reentry: 4 },
    ),
    paths: describe(z.array(path).nullable(), {
      en: 'Of `emails`: the path of each person, in the order of the request; else null.',
      fr: 'Pour `emails` : le chemin de chaque personne, dans l’ordre de la requête ; sinon null.',
    }),
  }),
);
