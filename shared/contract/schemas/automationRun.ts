import * as z from 'zod';
import { holdReasons } from '../../domain/automation/automation.ts';
import { runStatuses, runStepStatuses } from '../../domain/automation/run.ts';
import type { Text } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import {
  constant,
  describe,
  inPlace,
  listOf,
  named,
  nullableTimestamp,
  optional,
  pageQueryAfter,
  queryInteger,
  timestamp,
} from './fields.ts';
import { addressText } from './subscriber.ts';

const idExample = 'run_01k9zq3v5c8r2m4n6p7s9t0wxy';
const automationExample = 'auto_01k9zq3v5c8r2m4n6p7s9t0wxy';

const automationId = describe(z.string(), { en: 'The automation.', fr: 'L’automatisation.' }, [automationExample]);
const stepKey: Text = { en: 'Key of the step.', fr: 'Clé de l’étape.' };

const summary = {
  object: constant('automation_run'),
  id: describe(z.string(), { en: 'Id of the run.', fr: 'Identifiant du parcours.' }, [idExample]),
  automation_id: automationId,
  version: describe(z.int(), { en: 'The version that it runs on.', fr: 'La version qu’il suit.' }, [1]),
  email: describe(z.string(), { en: 'The person.', fr: 'La personne.' }, ['ada@example.net']),
  status: describe(named('AutomationRunStatus', z.enum(runStatuses)), { en: 'Status.', fr: 'Statut.' }, ['running']),
  reason: describe(
    z.string().nullable(),
    {
      en: 'Why it ended: `end`, `exit`, `goal`; `unsubscribed`, `bounced`, `complained`, `suppressed`, `erased`, `requested`, `stopped`, `deleted`; `send_failed`, `missing_variable`, `internal_error`. Null while it runs.',
      fr: 'Pourquoi il a pris fin : `end`, `exit`, `goal` ; `unsubscribed`, `bounced`, `complained`, `suppressed`, `erased`, `requested`, `stopped`, `deleted` ; `send_failed`, `missing_variable`, `internal_error`. Null tant qu’il court.',
    },
    [null],
  ),
  step: describe(z.string().nullable(), { en: 'Key of the step that it is at.', fr: 'Clé de l’étape où il en est.' }, [
    'rest',
  ]),
  wakes_at: nullableTimestamp({
    en: 'When a delay or a wait ends; null when it rests at none.',
    fr: 'Quand un délai ou une attente prend fin ; null sans l’un ni l’autre.',
  }),
  data: describe(
    z.record(z.string(), z.unknown()),
    { en: 'The data of its start.', fr: 'Les données de son départ.' },
    [{ order_id: 'A-42' }],
  ),
  created_at: timestamp({ en: 'When it was created, ISO 8601 UTC.', fr: 'Date de création, ISO 8601 UTC.' }),
  started_at: timestamp({ en: 'When it started, ISO 8601 UTC.', fr: 'Date de départ, ISO 8601 UTC.' }),
  completed_at: nullableTimestamp({ en: 'When it ended, ISO 8601 UTC.', fr: 'Date de fin, ISO 8601 UTC.' }),
};

const stepOfRun = named(
  'AutomationRunStep',
  z.object({
    key: describe(z.string(), stepKey, ['tips']),
    type: describe(z.string(), { en: 'Type of the step.', fr: 'Type de l’étape.' }, ['send_email']),
    status: describe(z.enum(runStepStatuses), { en: 'Status of the step.', fr: 'Statut de l’étape.' }, ['completed']),
    reason: describe(
      z.string().nullable(),
      {
        en: 'Why a message was left out (`left_topic`, `too_late`, `frequency_cap`, `quota_exceeded`, `reputation_blocked`) or waits (`frequency_cap`), or what an `exit` says.',
        fr: 'Pourquoi un message n’est pas parti (`left_topic`, `too_late`, `frequency_cap`, `quota_exceeded`, `reputation_blocked`) ou attend (`frequency_cap`), ou ce que dit un `exit`.',
      },
      [null],
    ),
    output: describe(
      z.record(z.string(), z.unknown()).nullable(),
      {
        en: 'Of a message `email_id` and `outcome` (`sent`, or `unknown` without proof); of a decision `branch`; of a wait the `event`.',
        fr: 'D’un message `email_id` et `outcome` (`sent`, ou `unknown` sans preuve) ; d’une décision `branch` ; d’une attente `event`.',
      },
      [{ email_id: 'email_01k9zq3v5c8r2m4n6p7s9t0wxy', outcome: 'sent' }],
    ),
    error: describe(z.string().nullable(), { en: 'Why it failed.', fr: 'Pourquoi elle a échoué.' }, [null]),
    started_at: timestamp({ en: 'When the run reached it.', fr: 'Quand le parcours l’a atteinte.' }),
    completed_at: nullableTimestamp({ en: 'When the run left it.', fr: 'Quand le parcours l’a quittée.' }),
    created_at: timestamp({ en: 'The same as `started_at`.', fr: 'Identique à `started_at`.' }),
  }),
);

/** Without its steps, as lists and webhook events show it. */
export const automationRunSummary = named('AutomationRunSummary', z.object(summary));

export const automationRun = named(
  'AutomationRun',
  z.object({
    ...summary,
    steps: describe(z.array(stepOfRun), {
      en: 'The steps that it has reached, in their order.',
      fr: 'Les étapes atteintes, dans leur ordre.',
    }),
  }),
);

export const automationRunList = listOf(automationRunSummary);

const runId = describe(z.string().max(100), { en: 'Id of the run.', fr: 'Identifiant du parcours.' }, [idExample]);

export const automationRunPath = z.object({
  id: describe(z.string().max(100), { en: 'Id of the automation.', fr: 'Identifiant de l’automatisation.' }, [
    automationExample,
  ]),
  runId,
});

const anyStatus = `(?:${runStatuses.join('|')})`;

export const listAutomationRunsQuery = pageQueryAfter(
  {
    status: describe(
      z
        .string()
        .max(100)
        .regex(new RegExp(`^${anyStatus}(?:,${anyStatus})*$`))
        .optional(),
      {
        en: `Only runs of these statuses (${runStatuses.join(', ')}), separated by commas.`,
        fr: `Seulement ces statuts (${runStatuses.join(', ')}), séparés par des virgules.`,
      },
      ['running,failed'],
    ),
    email: describe(
      addressText.optional(),
      { en: 'Only the last 10 runs of this person.', fr: 'Seulement les 10 derniers parcours de cette personne.' },
      ['ada@example.net'],
    ),
  },
  idExample,
);

export const startAutomationRunRequest = withNameRules(
  z.strictObject({
    email: describe(addressText, { en: 'The subscriber.', fr: 'L’abonné.' }, ['ada@example.net']),
    data: describe(
      optional(z.record(z.string(), z.unknown())),
      {
        en: 'What its steps read as `event.x`: 4 kB at most.',
        fr: 'Ce que ses étapes lisent par `event.x` : 4 ko au plus.',
      },
      [{ order_id: 'A-42' }],
    ),
  }),
  { unknown: 'refused' },
);

export const automationStatsQuery = z.object({
  version: describe(
    queryInteger(1, 1_000_000).optional(),
    { en: 'The version; the newest by default.', fr: 'La version ; la plus récente par défaut.' },
    [1],
  ),
});

const count = (text: Text) => describe(z.int(), text, [12]);
const counts = (text: Text, example: object) => describe(z.record(z.string(), z.int()), text, [example]);

export const automationStats = named(
  'AutomationStats',
  z.object({
    object: constant('automation_stats'),
    automation_id: automationId,
    version: describe(z.int(), { en: 'The version.', fr: 'La version.' }, [1]),
    runs: describe(
      named(
        'AutomationRunCounts',
        z.object({
          started: count({ en: 'Started.', fr: 'Commencés.' }),
          running: count({ en: 'Running now.', fr: 'En cours.' }),
          completed: count({ en: 'Completed.', fr: 'Terminés.' }),
          cancelled: count({ en: 'Cancelled.', fr: 'Annulés.' }),
          failed: count({ en: 'Failed.', fr: 'Échoués.' }),
        }),
      ),
      { en: 'Its runs.', fr: 'Ses parcours.' },
    ),
    reasons: counts({ en: 'Ended runs by reason.', fr: 'Parcours terminés par raison.' }, { end: 10 }),
    not_started: counts(
      {
        en: 'Refused starts, by reason: `not_subscribed`, `already_running`, `reentry`, `too_many_starts`, `filtered`, `too_old`, `loop`; `disabled` (of `POST …/runs` only: the automation is not enabled).',
        fr: 'Départs refusés, par motif : `not_subscribed`, `already_running`, `reentry`, `too_many_starts`, `filtered`, `too_old`, `loop` ; `disabled` (pour `POST …/runs` seulement : l’automatisation n’est pas activée).',
      },
      { already_running: 2 },
    ),
    steps: describe(
      z.array(
        named(
          'AutomationStepStats',
          z.object({
            key: describe(z.string(), stepKey, ['tips']),
            type: describe(z.string(), { en: 'Type of the step.', fr: 'Type de l’étape.' }, ['send_email']),
            entered: count({ en: 'Runs that reached it.', fr: 'Parcours qui l’ont atteinte.' }),
            waiting: count({ en: 'Runs that are at it now.', fr: 'Parcours qui y sont.' }),
            completed: count({ en: 'Runs that completed it.', fr: 'Parcours qui l’ont terminée.' }),
            skipped: counts(
              { en: 'Messages that were left out, by reason.', fr: 'Messages non partis, par raison.' },
              {
                too_late: 1,
              },
            ),
            failed: count({ en: 'Runs in which it failed.', fr: 'Parcours où elle a échoué.' }),
            left: count({ en: 'Runs that ended there.', fr: 'Parcours qui y ont pris fin.' }),
            branches: counts(
              { en: 'Runs by the connection they took.', fr: 'Parcours par connexion suivie.' },
              { timeout: 3 },
            ),
            email: describe(
              named(
                'AutomationStepEmail',
                z.object({
                  sent: count({ en: 'Accepted by the provider.', fr: 'Acceptés par le prestataire.' }),
                  unknown: count({
                    en: 'Of which it is unknown whether they were sent.',
                    fr: 'Dont l’envoi est incertain.',
                  }),
                  delivered: count({ en: 'Delivered.', fr: 'Livrés.' }),
                  opened: count({ en: 'Opened.', fr: 'Ouverts.' }),
                  clicked: count({ en: 'Clicked.', fr: 'Cliqués.' }),
                  bounced: count({ en: 'Bounced.', fr: 'Rejetés.' }),
                  complained: count({ en: 'Reported as spam.', fr: 'Signalés comme indésirables.' }),
                  unsubscribed: count({
                    en: 'Runs that ended by unsubscribing after it.',
                    fr: 'Parcours terminés par un désabonnement après lui.',
                  }),
                }),
              ).optional(),
              { en: 'Of a message.', fr: 'D’un message.' },
            ),
          }),
        ),
      ),
      { en: 'Its steps.', fr: 'Ses étapes.' },
    ),
  }),
);

/** What the event that sends wait, or go on, says. */
export const automationHeldEvent = named(
  'AutomationHeldEventData',
  z.object({
    automation_id: automationId,
    name: describe(z.string(), { en: 'Its name.', fr: 'Son nom.' }, ['Trial']),
    held: describe(
      inPlace(
        z.object({
          reason: describe(z.enum(holdReasons), { en: 'Why its sends wait.', fr: 'Pourquoi ses envois attendent.' }, [
            'template_deleted',
          ]),
          since: timestamp({ en: 'Since when.', fr: 'Depuis quand.' }),
        }),
      ).nullable(),
      { en: 'Why its sends wait; null: they go on.', fr: 'Pourquoi ses envois attendent ; null : ils reprennent.' },
    ),
  }),
);
