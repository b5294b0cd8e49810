import * as z from 'zod';
import type { Text } from '../../../language/text.ts';
import { describe } from '../../describe.ts';
import { optional } from '../../optional.ts';
import { audienceBreakdown, lookAlikesOfTo, requestedAddresses } from '../audience.ts';

/** What callers write who mean `dry_run`: a look-alike that was ignored would send. */
const lookAlikes = [
  ...['dryRun', 'DryRun', 'dry-run', 'Dry-Run', 'DRY-RUN', 'Dry_Run', 'DRY_RUN', 'dryrun', 'DRYRUN', 'dry'],
  ...['test', 'Test', 'test_mode', 'testMode', 'simulate', 'simulation', 'preview', 'Preview'],
];

const text: Text = {
  en: 'is not a field of this request; the field is `dry_run`',
  fr: 'n’est pas un champ de cette requête ; le champ est `dry_run`',
};

const lookAlike = z
  .unknown()
  .refine((value) => value === undefined, { params: { text } })
  .optional()
  .meta({ hidden: true });

export const sendCampaignRequest = z.object({
  ...lookAlikesOfTo,
  ...(Object.fromEntries(lookAlikes.map((name) => [name, lookAlike])) as Record<string, typeof lookAlike>),
  to: requestedAddresses,
  dry_run: describe(
    optional(z.boolean()),
    {
      en: 'True: every check of a real send is done, and nothing is sent.',
      fr: 'Vrai : tous les contrôles d’un envoi réel sont faits, et rien n’est envoyé.',
    },
    [true],
  ),
});

const id = describe(z.string(), { en: 'Identifier of the campaign.', fr: 'Identifiant de la campagne.' }, [
  'camp_01k9zq3v5c8r2m4n6p7s9t0wxy',
]);
const breakdown = {
  en: 'What becomes of each address of `to`; null without `to`.',
  fr: 'Ce que devient chaque adresse de `to` ; null sans `to`.',
};

export const queuedCampaign = z.object({
  id,
  object: describe(z.literal('campaign'), { en: 'Always `campaign`.', fr: 'Toujours `campaign`.' }),
  status: describe(z.literal('sending'), {
    en: 'Always `sending`, never `sent`.',
    fr: 'Toujours `sending`, jamais `sent`.',
  }),
  queued: describe(
    z.int().min(0),
    { en: 'Recipients frozen in the queue.', fr: 'Destinataires figés dans la file.' },
    [1200],
  ),
  audience: describe(audienceBreakdown.optional(), {
    en: 'What becomes of each address of `to`; only there when `to` was given.',
    fr: 'Ce que devient chaque adresse de `to` ; présent seulement si `to` est donné.',
  }),
  note: describe(z.string(), {
    en: 'For people; no logic may depend on it.',
    fr: 'Pour les personnes ; aucune logique ne doit en dépendre.',
  }),
});

export const sendPreview = z.object({
  id,
  object: describe(z.literal('send_preview'), { en: 'Always `send_preview`.', fr: 'Toujours `send_preview`.' }),
  dry_run: describe(z.literal(true), { en: 'Always true.', fr: 'Toujours vrai.' }),
  would_send: describe(z.boolean(), {
    en: 'Whether a real send now would go out.',
    fr: 'Si un envoi réel partirait maintenant.',
  }),
  blocked_reason: describe(z.string().nullable(), {
    en: 'The very message that a real send would answer; null when it would go out.',
    fr: 'Le message même qu’un envoi réel renverrait ; null s’il partirait.',
  }),
  recipients: describe(z.int().min(0).nullable(), {
    en: 'How many would be queued; null when it is refused before they are counted.',
    fr: 'Combien seraient mis en file ; null si le refus précède le compte.',
  }),
  audience: describe(audienceBreakdown.nullable(), breakdown),
});
