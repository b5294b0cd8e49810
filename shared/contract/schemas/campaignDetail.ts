import * as z from 'zod';
import type { Text } from '../../language/text.ts';
import { campaign, campaignTarget } from './campaignRecord.ts';
import { abTestCriterion } from './campaignRequest.ts';
import { constant, describe, named, nullableTimestamp, timestamp } from './fields.ts';
import { shownBlocks } from './internal/campaignContent.ts';

const people = (text: Text, example: number) => describe(z.int().min(0), text, [example]);

const writtenTest = named(
  'CampaignAbTest',
  z.object({
    test_share: describe(
      z.number(),
      { en: 'Share of the recipients who get a test message.', fr: 'Part des destinataires du test.' },
      [0.2],
    ),
    decide_by: describe(abTestCriterion, { en: 'How the winner is chosen.', fr: 'Critère de choix de la gagnante.' }, [
      'opens',
    ]),
    wait_hours: describe(
      z.int(),
      {
        en: 'Hours until the decision.',
        fr: 'Heures avant la décision.',
      },
      [4],
    ),
    winner: describe(
      z.int().nullable(),
      {
        en: 'Index of the winner, or null.',
        fr: 'Indice de la gagnante, ou null.',
      },
      [null],
    ),
    decide_at: nullableTimestamp({ en: 'Time of the decision.', fr: 'Date de la décision.' }),
    variants: describe(
      z.array(
        named(
          'CampaignAbTestVariant',
          z.object({
            name: describe(z.string().nullable(), { en: 'Name of the variant.', fr: 'Nom de la variante.' }, ['A']),
            subject: describe(z.string(), { en: 'Subject.', fr: 'Objet.' }, ['See what is new']),
            recipients: people(
              { en: 'People who test it; 0 before the send.', fr: 'Personnes qui la testent ; 0 avant l’envoi.' },
              120,
            ),
            opened: people({ en: 'Of these, people who opened it.', fr: 'Dont celles qui l’ont ouverte.' }, 60),
            clicked: people({ en: 'Of these, people who clicked a link.', fr: 'Dont celles qui ont cliqué.' }, 20),
          }),
        ),
      ),
      {
        en: 'The variants, in their order.',
        fr: 'Les variantes, dans leur ordre.',
      },
    ),
  }),
);

const scheduleFailure = describe(
  z
    .object({
      code: describe(z.string(), { en: 'Code of the error.', fr: 'Code de l’erreur.' }, ['validation_error']),
      message: describe(z.string(), { en: 'Why it was refused.', fr: 'Pourquoi elle a été refusée.' }, [
        'Nobody would receive this campaign: its audience is empty.',
      ]),
      at: timestamp({ en: 'When it was refused.', fr: 'Quand elle a été refusée.' }),
    })
    .nullable(),
  {
    en: 'Why its schedule sent nothing, until it is scheduled again or sent; else null.',
    fr: 'Pourquoi sa programmation n’a rien envoyé, jusqu’à une nouvelle programmation ou un envoi ; sinon null.',
  },
  [null],
);

/** A campaign as a call about it answers: also what a list leaves out. */
export const campaignDetail = named(
  'Campaign',
  campaign.extend({
    from: describe(z.string(), { en: 'Sender, as written.', fr: 'Expéditeur, tel qu’écrit.' }, [
      'Acme <news@example.com>',
    ]),
    reply_to: describe(
      z.array(z.string()).nullable(),
      {
        en: 'Where answers go; null: the sender.',
        fr: 'Où vont les réponses ; null : l’expéditeur.',
      },
      [null],
    ),
    track: describe(
      z.object({
        opens: describe(
          z.boolean().optional(),
          { en: 'Whether opens are tracked.', fr: 'Si les ouvertures sont suivies.' },
          [false],
        ),
        clicks: describe(
          z.boolean().optional(),
          { en: 'Whether clicks are tracked.', fr: 'Si les clics sont suivis.' },
          [false],
        ),
      }),
      {
        en: 'Tracking of its messages; what is left out follows the workspace.',
        fr: 'Suivi de ses messages ; ce qui manque suit le réglage de l’espace.',
      },
    ),
    target: campaignTarget,
    text: describe(
      z.string().nullable(),
      {
        en: 'The body if written as text; of a test, that of the first variant.',
        fr: 'Le corps s’il est écrit en texte ; d’un test, celui de la première variante.',
      },
      [null],
    ),
    content: describe(shownBlocks.nullable(), { en: 'If written as blocks.', fr: 'S’il est écrit en blocs.' }, [null]),
    html: describe(z.string().nullable(), { en: 'If written as HTML.', fr: 'S’il est écrit en HTML.' }, [null]),
    plain_text: describe(z.string().nullable(), { en: 'Its text part.', fr: 'Sa partie texte.' }, [null]),
    ab_test: describe(writtenTest.nullable(), {
      en: 'The A/B test; null for a regular campaign.',
      fr: 'Le test A/B ; null pour une campagne ordinaire.',
    }),
    revision: describe(
      z.int().min(0),
      {
        en: 'Number of edits so far. A call that names it is refused after a further edit.',
        fr: 'Nombre de modifications jusqu’ici. Un appel qui la nomme est refusé après une modification de plus.',
      },
      [0],
    ),
    schedule_failure: scheduleFailure,
  }),
);

/** A campaign as its events report it: without what was written. */
export const campaignOfEvent = named('CampaignEventData', campaign.extend({ schedule_failure: scheduleFailure }));

export const deletedCampaign = z.object({
  object: constant('campaign'),
  id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, ['camp_01k9zq3v5c8r2m4n6p7s9t0wxy']),
  deleted: constant(true),
});
