import * as z from 'zod';
import { campaign, campaignTarget } from './campaignRecord.ts';
import { constant, describe, named, timestamp } from './fields.ts';

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
        en: 'Addresses that answers go to, as written; null: the sender.',
        fr: 'Adresses auxquelles vont les réponses, telles qu’écrites ; null : l’expéditeur.',
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
