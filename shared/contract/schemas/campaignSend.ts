import * as z from 'zod';
import { adviceChecks } from '../../domain/content/advice.ts';
import { withNameRules } from '../fieldNames.ts';
import { addressExamples, audienceBreakdown, requestedAddresses } from './audience.ts';
import { campaignTarget } from './campaignRecord.ts';
import { constant, describe, named } from './fields.ts';
import { namesOfTest, namesOfTime, namesOfTo } from './internal/reservedNames.ts';

/** Refuses `null`: a list or flag that is null by mistake must not become a send to everybody. */
export const sendCampaignRequest = withNameRules(
  z.object({
    to: describe(
      requestedAddresses.optional(),
      {
        en: 'Only the active subscribers among these addresses, at most 50,000. Without it: the whole target of the campaign. An empty array or `null` is refused.',
        fr: 'Seulement les abonnés actifs parmi ces adresses, 50 000 au plus. Sans ce champ : toute la cible de la campagne. Un tableau vide ou `null` est refusé.',
      },
      addressExamples,
    ),
    dry_run: describe(
      z.boolean().optional(),
      {
        en: 'If true, all checks of a real send are made, and nothing is sent.',
        fr: 'Si vrai, tous les contrôles d’un envoi réel sont faits, et rien n’est envoyé.',
      },
      [true],
    ),
  }),
  { unknown: 'ignored', reserved: [namesOfTest, namesOfTime, namesOfTo] },
);

const id = describe(z.string(), { en: 'Identifier of the campaign.', fr: 'Identifiant de la campagne.' }, [
  'camp_01k9zq3v5c8r2m4n6p7s9t0wxy',
]);
const breakdown = {
  en: 'The addresses of `to` by outcome; null without `to`.',
  fr: 'Les adresses de `to` selon leur sort ; null sans `to`.',
};

export const queuedCampaign = named(
  'QueuedCampaign',
  z.object({
    id,
    object: constant('campaign'),
    status: describe(z.literal('sending'), {
      en: 'Always `sending`, never `sent`.',
      fr: 'Toujours `sending`, jamais `sent`.',
    }),
    queued: describe(
      z.int().min(0),
      { en: 'Number of frozen recipients in the queue.', fr: 'Nombre de destinataires figés dans la file.' },
      [1200],
    ),
    target: campaignTarget,
    audience: describe(audienceBreakdown.optional(), {
      en: 'The addresses of `to` by outcome; only present with `to`.',
      fr: 'Les adresses de `to` selon leur sort ; présent seulement avec `to`.',
    }),
    note: describe(z.string(), {
      en: 'For people. Programs must not depend on it.',
      fr: 'Pour les personnes. Aucun programme ne doit en dépendre.',
    }),
  }),
);

export const sendPreview = z.object({
  id,
  object: constant('send_preview'),
  dry_run: constant(true),
  would_send: describe(z.boolean(), {
    en: 'Whether a real send would be carried out now.',
    fr: 'Si un envoi réel aurait lieu maintenant.',
  }),
  blocked_reason: describe(z.string().nullable(), {
    en: 'The exact error message of a real send; null if it would be carried out.',
    fr: 'Le message d’erreur exact d’un envoi réel ; null s’il aurait lieu.',
  }),
  recipients: describe(z.int().min(0).nullable(), {
    en: 'Number of recipients that would be queued; null if the send is refused before the count.',
    fr: 'Nombre de destinataires qui seraient mis en file ; null si l’envoi est refusé avant le comptage.',
  }),
  target: campaignTarget,
  audience: describe(audienceBreakdown.nullable(), breakdown),
  from: describe(z.string(), { en: 'Sender, as in the draft.', fr: 'Expéditeur, comme dans le brouillon.' }, [
    'Acme <news@example.com>',
  ]),
  subject: describe(z.string(), { en: 'Subject, with its merge fields.', fr: 'Objet, avec ses champs de fusion.' }, [
    '{{firstName|Hello}}, autumn is here',
  ]),
  warnings: describe(
    z.array(
      named(
        'CampaignWarning',
        z.object({
          code: describe(z.enum(adviceChecks), { en: 'Stable name of the check.', fr: 'Nom stable du contrôle.' }, [
            'preheader',
          ]),
          message: describe(
            z.string(),
            { en: 'What was found, and what to do.', fr: 'Ce qui a été constaté, et que faire.' },
            ['There is no preview text: mail clients show the first words of the message instead.'],
          ),
        }),
      ),
    ),
    {
      en: 'Warnings to check before the send. They do not prevent it.',
      fr: 'Points à vérifier avant l’envoi. Ils ne l’empêchent pas.',
    },
  ),
});
