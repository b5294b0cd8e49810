import * as z from 'zod';
import { campaignKinds, campaignStatuses } from '../../domain/campaign/campaign.ts';
import { progressReasons } from '../../domain/campaign/progress.ts';
import type { Text } from '../../language/text.ts';
import {
  constant,
  describe,
  listOf,
  named,
  nullableTimestamp,
  optional,
  pageQuery,
  templateVersion,
  timestamp,
} from './fields.ts';

export const campaignPath = z.object({
  id: describe(z.string(), { en: 'Identifier of the campaign.', fr: 'Identifiant de la campagne.' }, [
    'camp_01k9zq3v5c8r2m4n6p7s9t0wxy',
  ]),
});

const status = named('CampaignStatus', z.enum(campaignStatuses));
export const listCampaignsQuery = z.object({
  ...pageQuery,
  status: describe(
    optional(status),
    { en: 'Only campaigns of this status.', fr: 'Seulement les campagnes de ce statut.' },
    ['sent'],
  ),
});

const object = constant('campaign');
const id = describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, ['camp_01k9zq3v5c8r2m4n6p7s9t0wxy']);
const name = describe(z.string(), { en: 'Name.', fr: 'Nom.' }, ['Autumn news']);
const count = (text: Text, example: number) => describe(z.int().min(0), text, [example]);
const rate = (text: Text, example: number) => describe(z.number().min(0).max(1).nullable(), text, [example]);

const idAndName = (text: { id: Text; name: Text }, id: string, name: string) =>
  z.object({
    id: describe(z.string(), text.id, [id]),
    name: describe(z.string().nullable(), text.name, [name]),
  });

/** The target of a campaign, in every response before a send. */
export const campaignTarget = describe(
  named(
    'CampaignTarget',
    z.object({
      segment: describe(
        idAndName(
          {
            id: { en: 'Identifier of the segment.', fr: 'Identifiant du segment.' },
            name: { en: 'Its name; null if it was deleted.', fr: 'Son nom ; null s’il a été supprimé.' },
          },
          'seg_01k9zq3v5c8r2m4n6p7s9t0wxy',
          'Paris',
        ).nullable(),
        {
          en: 'Only people in this segment; null: the whole list.',
          fr: 'Seulement ce segment ; null : toute la liste.',
        },
      ),
      topic: describe(
        idAndName(
          {
            id: { en: 'Identifier of the topic.', fr: 'Identifiant du type d’e-mail.' },
            name: { en: 'Its name.', fr: 'Son nom.' },
          },
          'top_3v5c8r2m4n6p7s9t0wxy01k9zq',
          'Newsletter',
        ).nullable(),
        {
          en: 'Without the people who left this topic; null: no topic.',
          fr: 'Sans les personnes qui ont quitté ce type d’e-mail ; null : aucun type.',
        },
      ),
    }),
  ),
  { en: 'The people the campaign is for.', fr: 'Les personnes à qui la campagne est destinée.' },
);

export const createdCampaign = named(
  'CreatedCampaign',
  z.object({
    id,
    object,
    name,
    status: constant('draft'),
    target: campaignTarget,
  }),
);

const campaignCounts = named(
  'CampaignCounts',
  z.object({
    recipients: count(
      { en: 'The frozen list without skipped people.', fr: 'La liste figée sans les personnes écartées.' },
      1200,
    ),
    delivered: count(
      { en: 'Delivered messages that did not bounce later.', fr: 'Messages livrés, sans rebond ultérieur.' },
      1180,
    ),
    opened: count({ en: 'People who opened the message.', fr: 'Personnes qui ont ouvert le message.' }, 640),
    clicked: count({ en: 'People who clicked a link.', fr: 'Personnes ayant cliqué.' }, 210),
    bounced: count({ en: 'Permanent bounces.', fr: 'Rebonds définitifs.' }, 12),
    complained: count({ en: 'Complaints.', fr: 'Plaintes.' }, 0),
    unsubscribed: count(
      { en: 'People who unsubscribed through this campaign.', fr: 'Personnes désabonnées par cette campagne.' },
      4,
    ),
  }),
);

const campaignRates = named(
  'CampaignRates',
  z.object({
    delivered: rate(
      {
        en: 'Share of the recipients; null while there are none.',
        fr: 'Part des destinataires ; null tant qu’il n’y en a pas.',
      },
      0.983,
    ),
    opened: rate({ en: 'Share of the delivered messages.', fr: 'Part des messages livrés.' }, 0.542),
    clicked: rate({ en: 'Share of the delivered messages.', fr: 'Part des messages livrés.' }, 0.178),
    bounced: rate({ en: 'Share of the recipients.', fr: 'Part des destinataires.' }, 0.01),
  }),
);

const progress = named(
  'CampaignProgress',
  z.object({
    queued: count(
      {
        en: 'People on the frozen list; always the sum of the next five.',
        fr: 'Personnes de la liste figée ; toujours la somme des cinq suivants.',
      },
      1200,
    ),
    sent: count({ en: 'Accepted by the provider.', fr: 'Acceptés par le prestataire.' }, 800),
    skipped: count(
      {
        en: 'Unsubscribed or suppressed since the send, or not sent because of a cancellation.',
        fr: 'Désabonnés ou exclus depuis l’envoi, ou non envoyés à cause d’une annulation.',
      },
      3,
    ),
    failed: count({ en: 'Refused by the provider.', fr: 'Refusés par le prestataire.' }, 1),
    uncertain: count(
      {
        en: 'Sent with an unknown outcome; final after 24 hours.',
        fr: 'Envoyés avec une issue inconnue ; définitif après 24 heures.',
      },
      0,
    ),
    waiting: count({ en: 'Still to be sent.', fr: 'Encore à envoyer.' }, 396),
    paused: describe(
      z.boolean(),
      { en: 'True while the send is on hold.', fr: 'Vrai tant que l’envoi est suspendu.' },
      [false],
    ),
    reason: describe(
      z.enum(progressReasons).nullable(),
      {
        en: 'Why nothing is sent at present: the reason of a hold (`paused` is then true), or `ab_test` (the test waits for its decision), `outcome_unknown` (of some calls it is not known yet whom they reached), `provider_pace` (the account’s rate is taken by other mail), `worker_lost` (another worker takes over within minutes). Null while messages go out.',
        fr: 'Pourquoi rien n’est envoyé en ce moment : la raison d’une suspension (`paused` est alors vrai), ou `ab_test` (le test attend sa décision), `outcome_unknown` (on ne sait pas encore qui certains appels ont atteint), `provider_pace` (la cadence du compte est prise par d’autres messages), `worker_lost` (un autre processus prend le relais en quelques minutes). Null tant que des messages partent.',
      },
      [null],
    ),
    rate: describe(
      z.number().nullable(),
      {
        en: 'Messages per second, as measured since the start, or since the last interruption ended; null while nothing is sent.',
        fr: 'Messages par seconde, mesurés depuis le début, ou depuis la fin de la dernière interruption ; null si rien n’est envoyé.',
      },
      [12.6],
    ),
    started_at: timestamp({ en: 'When the list was frozen.', fr: 'Date à laquelle la liste a été figée.' }),
    estimated_end: nullableTimestamp({
      en: 'Expected end at this rate; null without a rate, and until an A/B test is decided.',
      fr: 'Fin prévue à cette cadence ; null sans cadence, et tant qu’un test A/B n’est pas décidé.',
    }),
  }),
);

/** The fields of both the report and the record. The contract names them in camelCase. */
const summary = {
  id,
  name,
  subject: describe(z.string(), { en: 'Subject.', fr: 'Objet.' }, ['Autumn is here']),
  status: describe(status, { en: 'Status.', fr: 'Statut.' }, ['sending']),
  kind: describe(named('CampaignKind', z.enum(campaignKinds)), { en: 'Kind.', fr: 'Sorte.' }, ['regular']),
  fromName: describe(z.string().nullable(), { en: 'Name of the sender.', fr: 'Nom de l’expéditeur.' }, ['Acme']),
  fromEmail: describe(z.string(), { en: 'Address of the sender.', fr: 'Adresse de l’expéditeur.' }, [
    'news@example.com',
  ]),
  sentAt: nullableTimestamp({
    en: 'When every recipient had an outcome.',
    fr: 'Date à laquelle chaque destinataire avait une issue.',
  }),
  scheduledAt: nullableTimestamp({ en: 'When it is scheduled to be sent.', fr: 'Date d’envoi prévue.' }),
  updatedAt: timestamp({ en: 'When it last changed.', fr: 'Date du dernier changement.' }),
};

export const campaign = named(
  'CampaignSummary',
  z.object({
    object,
    ...summary,
    preheader: describe(z.string().nullable(), { en: 'Preheader.', fr: 'Texte d’aperçu.' }, ['What is new in October']),
    segment_id: describe(z.string().nullable(), { en: 'Identifier of the segment.', fr: 'Identifiant du segment.' }, [
      null,
    ]),
    tag: describe(z.string().nullable(), { en: 'Topic of the campaign.', fr: 'Type d’e-mail de la campagne.' }, [
      'category:newsletter',
    ]),
    topic_id: describe(z.string().nullable(), { en: 'Identifier of the topic.', fr: 'Identifiant du type d’e-mail.' }, [
      null,
    ]),
    template: describe(templateVersion.optional(), {
      en: 'The template that it was copied from, if any.',
      fr: 'Le modèle dont elle est la copie, s’il y en a un.',
    }),
    created_at: timestamp({ en: 'When it was created.', fr: 'Date de création.' }),
    progress: describe(progress.nullable(), {
      en: 'Progress of the send; null before it.',
      fr: 'Avancement de l’envoi ; null avant.',
    }),
    counts: describe(campaignCounts, {
      en: 'Numbers of people, each counted once.',
      fr: 'Nombres de personnes, comptées une fois chacune.',
    }),
    rates: describe(campaignRates, { en: 'Between 0 and 1.', fr: 'Entre 0 et 1.' }),
  }),
);

export const campaignList = listOf(campaign);

const breakdownRow = named(
  'CampaignReportShare',
  z.object({
    label: describe(z.string(), { en: 'Label.', fr: 'Libellé.' }, ['Mobile']),
    count: count({ en: 'People.', fr: 'Personnes.' }, 320),
    share: describe(
      z.number().min(0).max(1),
      { en: 'Share of the people counted.', fr: 'Part des personnes comptées.' },
      [0.5],
    ),
  }),
);
const rows = (text: Text) => describe(z.array(breakdownRow).max(5), text);

export const campaignReport = named(
  'CampaignReport',
  z.object({
    campaign: describe(z.object(summary), { en: 'The campaign.', fr: 'La campagne.' }),
    counts: describe(campaignCounts, {
      en: 'Numbers of people, each counted once.',
      fr: 'Nombres de personnes, comptées une fois chacune.',
    }),
    rates: describe(campaignRates, { en: 'Between 0 and 1.', fr: 'Entre 0 et 1.' }),
    timeline: describe(
      z.array(
        z.object({
          label: describe(
            z.string(),
            {
              en: 'Hours since the message was sent to the person.',
              fr: 'Heures depuis l’envoi du message à la personne.',
            },
            ['0-6h'],
          ),
          opened: count({ en: 'First opens.', fr: 'Premières ouvertures.' }, 400),
          clicked: count({ en: 'First clicks.', fr: 'Premiers clics.' }, 120),
        }),
      ),
      {
        en: 'Eight windows of six hours; empty until the campaign is sent.',
        fr: 'Huit fenêtres de six heures ; vide tant que la campagne n’est pas partie.',
      },
    ),
    audience: describe(
      z.object({
        total: count(
          {
            en: 'People who opened without a privacy relay.',
            fr: 'Personnes ayant ouvert sans relais de confidentialité.',
          },
          480,
        ),
        proxiedShare: describe(
          z.number().min(0).max(1),
          {
            en: 'Share of the opens through a privacy relay.',
            fr: 'Part des ouvertures par un relais de confidentialité.',
          },
          [0.25],
        ),
        device: rows({ en: 'Top five devices.', fr: 'Les cinq premiers appareils.' }),
        os: rows({ en: 'Top five operating systems.', fr: 'Les cinq premiers systèmes.' }),
        client: rows({ en: 'Top five mail clients.', fr: 'Les cinq premières messageries.' }),
      }),
      {
        en: 'The devices and programs of people who opened.',
        fr: 'Appareils et programmes des personnes ayant ouvert.',
      },
    ),
    links: describe(
      z.array(
        named(
          'CampaignLink',
          z.object({
            url: describe(z.string(), { en: 'Address.', fr: 'Adresse.' }, ['https://example.com/new']),
            clicks: count({ en: 'People who clicked it.', fr: 'Personnes ayant cliqué.' }, 150),
          }),
        ),
      ),
      { en: 'Links, from most to least clicked.', fr: 'Liens, du plus au moins cliqué.' },
    ),
    html: describe(z.string(), {
      en: 'The message as rendered at send time; empty before.',
      fr: 'Le message tel qu’il a été rendu à l’envoi ; vide avant.',
    }),
    ab_test: describe(
      z
        .object({
          winner: describe(z.int().nullable(), {
            en: 'Index of the winning variant; null until the decision.',
            fr: 'Indice de la variante gagnante ; null avant la décision.',
          }),
          decide_at: nullableTimestamp({ en: 'Time of the decision.', fr: 'Date de la décision.' }),
        })
        .nullable(),
      { en: 'The A/B test; null for a regular campaign.', fr: 'Le test A/B ; null pour une campagne ordinaire.' },
    ),
  }),
);
