import * as z from 'zod';
import { holdReasons } from '../../../domain/campaign/campaign.ts';
import { campaignKinds, campaignStatuses } from '../../../domain/campaign/status.ts';
import type { Text } from '../../../language/text.ts';
import { describe } from '../../describe.ts';
import { optional } from '../../optional.ts';
import { templateVersion } from '../email/templateVersion.ts';
import { listOf, pageQuery } from '../list.ts';

export const campaignPath = z.object({
  id: describe(z.string(), { en: 'Identifier of the campaign.', fr: 'Identifiant de la campagne.' }, [
    'camp_01k9zq3v5c8r2m4n6p7s9t0wxy',
  ]),
});

const status = z.enum(campaignStatuses);
export const listCampaignsQuery = z.object({
  ...pageQuery,
  status: describe(
    optional(status),
    { en: 'Only campaigns of this status.', fr: 'Seulement les campagnes de ce statut.' },
    ['sent'],
  ),
});

const object = describe(z.literal('campaign'), { en: 'Always `campaign`.', fr: 'Toujours `campaign`.' });
const id = describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, ['camp_01k9zq3v5c8r2m4n6p7s9t0wxy']);
const name = describe(z.string(), { en: 'Name.', fr: 'Nom.' }, ['Autumn news']);
const timestamp = (text: Text) => describe(z.string(), text, ['2026-11-21T10:30:00.000Z']);
const moment = (text: Text) => describe(z.string().nullable(), text, ['2026-11-21T10:30:00.000Z']);
const count = (text: Text, example: number) => describe(z.int().min(0), text, [example]);
const rate = (text: Text, example: number) => describe(z.number().min(0).max(1).nullable(), text, [example]);

export const createdCampaign = z.object({
  id,
  object,
  name,
  status: describe(z.literal('draft'), { en: 'Always `draft`.', fr: 'Toujours `draft`.' }),
});

const campaignCounts = z.object({
  recipients: count(
    { en: 'The frozen list, less those who were skipped.', fr: 'La liste figée, moins les personnes écartées.' },
    1200,
  ),
  delivered: count({ en: 'Delivered, and not bounced later.', fr: 'Livrés, sans rebond ultérieur.' }, 1180),
  opened: count({ en: 'People who opened.', fr: 'Personnes ayant ouvert.' }, 640),
  clicked: count({ en: 'People who clicked.', fr: 'Personnes ayant cliqué.' }, 210),
  bounced: count({ en: 'Permanent bounces.', fr: 'Rebonds définitifs.' }, 12),
  complained: count({ en: 'Complaints.', fr: 'Plaintes.' }, 0),
  unsubscribed: count({ en: 'People who left through this campaign.', fr: 'Personnes parties par cette campagne.' }, 4),
});

const campaignRates = z.object({
  delivered: rate(
    { en: 'Of the recipients; null while there are none.', fr: 'Des destinataires ; null tant qu’il n’y en a pas.' },
    0.983,
  ),
  opened: rate({ en: 'Of those delivered.', fr: 'Des messages livrés.' }, 0.542),
  clicked: rate({ en: 'Of those delivered.', fr: 'Des messages livrés.' }, 0.178),
  bounced: rate({ en: 'Of the recipients.', fr: 'Des destinataires.' }, 0.01),
});

const progress = z.object({
  queued: count(
    {
      en: 'People frozen at the send; always the sum of the next five.',
      fr: 'Personnes figées à l’envoi ; toujours la somme des cinq suivants.',
    },
    1200,
  ),
  sent: count({ en: 'Taken by the provider.', fr: 'Pris par le prestataire.' }, 800),
  skipped: count(
    {
      en: 'Left or suppressed meanwhile, or left by a cancel.',
      fr: 'Partis ou exclus entre-temps, ou laissés par une annulation.',
    },
    3,
  ),
  failed: count({ en: 'Refused by the provider.', fr: 'Refusés par le prestataire.' }, 1),
  uncertain: count(
    {
      en: 'Tried, and not known to have been taken; final after 24 hours.',
      fr: 'Essayés sans savoir s’ils ont été pris ; définitif après 24 heures.',
    },
    0,
  ),
  waiting: count({ en: 'Still to be sent.', fr: 'Encore à envoyer.' }, 396),
  paused: describe(z.boolean(), { en: 'True while it is held back.', fr: 'Vrai tant qu’elle est retenue.' }),
  reason: describe(z.enum(holdReasons).nullable(), { en: 'Why it is held back.', fr: 'Pourquoi elle est retenue.' }),
  rate: describe(
    z.number().nullable(),
    {
      en: 'Messages a second at the moment; null when it is not on its way.',
      fr: 'Messages par seconde en ce moment ; null si elle n’est pas en route.',
    },
    [12.6],
  ),
  started_at: timestamp({ en: 'When its people were frozen.', fr: 'Date du figement.' }),
  estimated_end: moment({ en: 'When it will be through at this rate.', fr: 'Fin prévue à cette cadence.' }),
});

/** What the report and the record share; in camelCase as the contract names them. */
const summary = {
  id,
  name,
  subject: describe(z.string(), { en: 'Subject.', fr: 'Objet.' }, ['Autumn is here']),
  status: describe(status, { en: 'Status.', fr: 'Statut.' }, ['sending']),
  kind: describe(z.enum(campaignKinds), { en: 'Kind.', fr: 'Sorte.' }, ['regular']),
  fromName: describe(z.string().nullable(), { en: 'Name of the sender.', fr: 'Nom de l’expéditeur.' }, ['Acme']),
  fromEmail: describe(z.string(), { en: 'Address of the sender.', fr: 'Adresse de l’expéditeur.' }, [
    'news@example.com',
  ]),
  sentAt: moment({ en: 'When everybody had an outcome.', fr: 'Date à laquelle chacun avait une issue.' }),
  scheduledAt: moment({ en: 'When it is to go out.', fr: 'Date d’envoi prévue.' }),
  updatedAt: timestamp({ en: 'When it last changed.', fr: 'Date du dernier changement.' }),
};

export const campaign = z.object({
  object,
  ...summary,
  preheader: describe(z.string().nullable(), { en: 'Preheader.', fr: 'Texte d’aperçu.' }),
  segment_id: describe(z.string().nullable(), { en: 'Its segment.', fr: 'Son segment.' }),
  tag: describe(z.string().nullable(), { en: 'The kind of mail that it is.', fr: 'Le type d’e-mail qu’elle est.' }, [
    'category:newsletter',
  ]),
  template: describe(templateVersion.optional(), {
    en: 'The template that it began as a copy of; absent when there was none.',
    fr: 'Le modèle dont elle est partie ; absent s’il n’y en avait pas.',
  }),
  created_at: timestamp({ en: 'When it was made.', fr: 'Date de création.' }),
  progress: describe(progress.nullable(), {
    en: 'How far it is; null before a send.',
    fr: 'Où elle en est ; null avant un envoi.',
  }),
  counts: describe(campaignCounts, { en: 'People, each counted once.', fr: 'Personnes, comptées une fois chacune.' }),
  rates: describe(campaignRates, { en: 'Between 0 and 1.', fr: 'Entre 0 et 1.' }),
});

export const campaignList = listOf(campaign);

const breakdownRow = z.object({
  label: describe(z.string(), { en: 'Label.', fr: 'Libellé.' }, ['Mobile']),
  count: count({ en: 'People.', fr: 'Personnes.' }, 320),
  share: describe(
    z.number().min(0).max(1),
    { en: 'Share of the people counted.', fr: 'Part des personnes comptées.' },
    [0.5],
  ),
});
const rows = (text: Text) => describe(z.array(breakdownRow).max(5), text);

export const campaignReport = z.object({
  campaign: describe(z.object(summary), { en: 'The campaign.', fr: 'La campagne.' }),
  counts: describe(campaignCounts, { en: 'People, each counted once.', fr: 'Personnes, comptées une fois chacune.' }),
  rates: describe(campaignRates, { en: 'Between 0 and 1.', fr: 'Entre 0 et 1.' }),
  timeline: describe(
    z.array(
      z.object({
        label: describe(
          z.string(),
          { en: 'Hours since the send of each person.', fr: 'Heures depuis l’envoi à chaque personne.' },
          ['0-6h'],
        ),
        opened: count({ en: 'First opens.', fr: 'Premières ouvertures.' }, 400),
        clicked: count({ en: 'First clicks.', fr: 'Premiers clics.' }, 120),
      }),
    ),
    {
      en: 'Eight windows of six hours; empty until the campaign has gone out.',
      fr: 'Huit fenêtres de six heures ; vide tant que la campagne n’est pas partie.',
    },
  ),
  audience: describe(
    z.object({
      total: count(
        { en: 'People who opened with a device of their own.', fr: 'Personnes ayant ouvert avec un appareil à elles.' },
        480,
      ),
      proxiedShare: describe(
        z.number().min(0).max(1),
        {
          en: 'Share of the opens that came through a privacy relay.',
          fr: 'Part des ouvertures venues d’un relais de confidentialité.',
        },
        [0.25],
      ),
      device: rows({ en: 'Devices, the top five.', fr: 'Appareils, les cinq premiers.' }),
      os: rows({ en: 'Systems, the top five.', fr: 'Systèmes, les cinq premiers.' }),
      client: rows({ en: 'Mail clients, the top five.', fr: 'Messageries, les cinq premières.' }),
    }),
    { en: 'With what they opened.', fr: 'Avec quoi elles ont ouvert.' },
  ),
  links: describe(
    z.array(
      z.object({
        url: describe(z.string(), { en: 'Address.', fr: 'Adresse.' }, ['https://example.com/new']),
        clicks: count({ en: 'People who clicked it.', fr: 'Personnes ayant cliqué.' }, 150),
      }),
    ),
    { en: 'Links, the most clicked first.', fr: 'Liens, les plus cliqués d’abord.' },
  ),
  html: describe(z.string(), {
    en: 'The message as rendered at the send; empty before.',
    fr: 'Le message tel que rendu à l’envoi ; vide avant.',
  }),
  ab_test: describe(
    z
      .object({
        winner: describe(z.int().nullable(), {
          en: 'Index of the winner; null until it is decided.',
          fr: 'Indice de la gagnante ; null avant la décision.',
        }),
        decide_at: moment({ en: 'When it is decided.', fr: 'Date de la décision.' }),
      })
      .nullable(),
    { en: 'The A/B test; null for a regular campaign.', fr: 'Le test A/B ; null pour une campagne ordinaire.' },
  ),
});
