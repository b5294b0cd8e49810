import * as z from 'zod';
import { exportFormats, jobStates } from '../../domain/job.ts';
import { subscriberStatuses } from '../../domain/person/person.ts';
import { customIssue, type Text, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import {
  always,
  constant,
  describe,
  givenFields,
  isGiven,
  listOf,
  named,
  nullableTimestamp,
  optional,
  pageQueryAfter,
  timestamp,
} from './fields.ts';
import { addressText } from './subscriber.ts';

const idExample = 'job_01k9zq3v5c8r2m4n6p7s9t0wxy';

const texts = textsOf({
  one: {
    en: 'cannot be combined with "segment_id", which has subscribed people only',
    fr: 'ne se combine pas avec « segment_id », qui ne contient que des abonnés',
  },
});

export const createExportRequest = withNameRules(
  z
    .strictObject({
      format: describe(
        z.enum(exportFormats),
        {
          en: '`csv`, which an import reads back, or `jsonl`, one JSON object a line.',
          fr: '`csv`, qu’un import relit, ou `jsonl`, un objet JSON par ligne.',
        },
        ['csv'],
      ),
      status: describe(
        optional(named('SubscriberStatus', z.enum(subscriberStatuses))),
        { en: 'Only subscribers of this status.', fr: 'Seulement les abonnés de ce statut.' },
        ['subscribed'],
      ),
      segment_id: describe(
        optional(z.string().min(1).max(100)),
        {
          en: 'Only people whom a campaign to this segment would reach.',
          fr: 'Seulement les personnes qu’une campagne à ce segment atteindrait.',
        },
        ['seg_01k9zq3v5c8r2m4n6p7s9t0wxy'],
      ),
    })
    .superRefine(
      (given, context) => {
        const { status, segment_id } = givenFields(given);
        if (isGiven(status) && isGiven(segment_id)) context.addIssue(customIssue(texts.one, ['status']));
      },
      { when: always },
    ),
  { unknown: 'refused' },
);

export const eraseSubscriberRequest = withNameRules(
  z.strictObject({
    confirm: describe(
      addressText,
      { en: 'The address of the path, once more.', fr: 'L’adresse du chemin, encore une fois.' },
      ['ada@example.net'],
    ),
  }),
  { unknown: 'refused' },
);

export const jobPath = z.object({
  id: describe(z.string(), { en: 'Identifier of the job.', fr: 'Identifiant de la tâche.' }, [idExample]),
});

export const listJobsQuery = pageQueryAfter({}, idExample);

const count = (label: Text, example: number | null) => describe(z.int().nullable(), label, [example]);

/** The fields of a job, which a new import shows too. */
export const jobFields = {
  object: constant('job'),
  id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, [idExample]),
  kind: describe(
    named('JobKind', z.enum(['import', 'export', 'person_export', 'erasure'])),
    { en: 'What it does.', fr: 'Ce qu’elle fait.' },
    ['import'],
  ),
  status: describe(
    named('JobStatus', z.enum(jobStates)),
    {
      en: '`preparing`: an import that waits for its file and its start.',
      fr: '`preparing` : un import qui attend son fichier et son départ.',
    },
    ['running'],
  ),
  progress: describe(
    named(
      'JobProgress',
      z.object({
        records: describe(
          z.int(),
          {
            en: 'Lines of the file that were read; records that were written to a file, or erased.',
            fr: 'Lignes du fichier lues ; enregistrements écrits dans un fichier, ou effacés.',
          },
          [500],
        ),
        percent: count(
          {
            en: 'How much is done; null while an export or an erasure cannot know.',
            fr: 'Ce qui est fait ; null tant qu’un export ou un effacement ne peut le savoir.',
          },
          50,
        ),
        added: count({ en: 'Of an import: people added.', fr: 'Pour un import : personnes ajoutées.' }, 480),
        updated: count({ en: 'Of an import: people changed.', fr: 'Pour un import : personnes modifiées.' }, 10),
        suppressed: count({ en: 'Of an import: addresses suppressed.', fr: 'Pour un import : adresses exclues.' }, 8),
        refused: count(
          {
            en: 'Of an import: lines refused, which `download` lists.',
            fr: 'Pour un import : lignes refusées, listées par `download`.',
          },
          2,
        ),
      }),
    ),
    { en: 'How far it is.', fr: 'Son avancement.' },
  ),
  failure: describe(
    z.string().nullable(),
    { en: 'Why it failed, else null.', fr: 'Pourquoi elle a échoué ; sinon null.' },
    [null],
  ),
  download: describe(
    named(
      'JobDownload',
      z.object({
        url: describe(z.string(), { en: 'Address of the file.', fr: 'Adresse du fichier.' }, [
          'https://files.s3.eu-west-3.amazonaws.com/exports/…',
        ]),
        expires_at: timestamp({
          en: 'When the address stops working, 5 minutes after this answer.',
          fr: 'Fin de validité de l’adresse, 5 minutes après cette réponse.',
        }),
      }),
    ).nullable(),
    {
      en: 'The file of an export, or the lines that an import refused with their reasons, for a day after the end; else null.',
      fr: 'Le fichier d’un export, ou les lignes qu’un import a refusées avec leurs raisons, pendant un jour après la fin ; sinon null.',
    },
  ),
  created_at: timestamp({ en: 'When it was created.', fr: 'Date de création.' }),
  ended_at: nullableTimestamp({ en: 'When it ended, else null.', fr: 'Date de fin ; sinon null.' }),
};

export const job = z.object(jobFields);

export const jobList = listOf(job);
