import * as z from 'zod';
import { deliveryStatuses } from '../../domain/webhook/delivery.ts';
import { deliveredTypes, eventTypes, testEventType } from '../../domain/webhook/eventType.ts';
import { checkWebhookUrl, maxWebhookUrlLength, webhookUrlProblemTexts } from '../../domain/webhook/webhookUrl.ts';
import { custom } from '../../language/issue.ts';
import { type Text, textsOf } from '../../language/text.ts';
import { describe } from '../describe.ts';
import { isLoopbackAllowed } from '../loopback.ts';
import { optional, withDefault } from '../optional.ts';
import { listOf, pageQuery } from './list.ts';

const idExample = 'whk_01k9zq3v5c8r2m4n6p7s9t0wxy';
const deliveryIdExample = 'whd_01k9zq5b7d9f1h3k5m7p9r1t3v';
const urlExample = 'https://example.com/webhooks/mailroom';

const object = <T extends string>(name: T) =>
  describe(z.literal(name), { en: `Always \`${name}\`.`, fr: `Toujours \`${name}\`.` });
const timestamp = (text: Text) => describe(z.string(), text, ['2026-11-21T10:30:00.000Z']);

const url = z
  .string()
  .max(maxWebhookUrlLength)
  .superRefine((value, context) => {
    const problem = checkWebhookUrl(value, { allowLoopback: isLoopbackAllowed() });
    // The schema's own bound tells that.
    if (problem && problem !== 'url_too_long') context.addIssue(custom(webhookUrlProblemTexts[problem]));
  });

export const maxNameCharacters = 80;
const name = z.string().trim().min(1).max(maxNameCharacters);
const events = z
  .array(z.enum(eventTypes))
  .min(1)
  .max(100)
  .transform((types) => [...new Set(types)]);

const texts = textsOf({
  name: { en: 'Name, at most 80 characters.', fr: 'Nom, 80 caractères au plus.' },
  nameOrHost: {
    en: 'Name, at most 80 characters. The host of `url` when left out.',
    fr: 'Nom, 80 caractères au plus. L’hôte de `url` s’il est absent.',
  },
  url: {
    en: 'Receiving address: https, without credentials or fragment, on a public host.',
    fr: 'Adresse de réception : https, sans identifiants ni fragment, sur un hôte public.',
  },
  events: { en: 'Event types to deliver, at least one.', fr: 'Types d’événements à livrer, au moins un.' },
  enabled: {
    en: '`false` holds deliveries back and keeps the log; once `true` again, what is still within its retry window is sent.',
    fr: '`false` retient les livraisons et garde le journal ; de nouveau `true`, ce qui est encore dans son délai de reprise est envoyé.',
  },
});

export const createWebhookRequest = z.object({
  name: describe(optional(name), texts.nameOrHost, ['Orders']),
  url: describe(url, texts.url, [urlExample]),
  events: describe(events, texts.events, [['email.delivered', 'email.bounced']]),
  enabled: describe(withDefault(z.boolean(), true), texts.enabled, [true]),
});

export const updateWebhookRequest = z.object({
  name: describe(optional(name), texts.name, ['Orders']),
  url: describe(optional(url), texts.url, [urlExample]),
  events: describe(optional(events), texts.events, [['email.delivered', 'email.bounced']]),
  enabled: describe(optional(z.boolean()), texts.enabled, [true]),
  rotate_secret: describe(
    optional(z.boolean()),
    {
      en: '`true` makes a new secret. The one before it goes on signing beside it for 24 hours: `v1=…,v1=…`. At most 10 are valid at once.',
      fr: '`true` crée un nouveau secret. Le précédent continue de signer à côté pendant 24 heures : `v1=…,v1=…`. 10 au plus sont valides à la fois.',
    },
    [false],
  ),
});

export const webhookPath = z.object({
  id: describe(z.string(), { en: 'Identifier of the subscription.', fr: 'Identifiant de l’abonnement.' }, [idExample]),
});

export const deliveryPath = webhookPath.extend({
  deliveryId: describe(z.string(), { en: 'Identifier of the delivery.', fr: 'Identifiant de la livraison.' }, [
    deliveryIdExample,
  ]),
});

export const listWebhooksQuery = z.object(pageQuery);
export const listDeliveriesQuery = z.object(pageQuery);

export const webhook = z.object({
  id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, [idExample]),
  object: object('webhook'),
  name: describe(z.string(), { en: 'Name.', fr: 'Nom.' }, ['Orders']),
  url: describe(z.string(), { en: 'Receiving address.', fr: 'Adresse de réception.' }, [urlExample]),
  events: describe(
    z.array(z.enum(eventTypes)),
    { en: 'Event types that are delivered.', fr: 'Types d’événements livrés.' },
    [['email.delivered', 'email.bounced']],
  ),
  enabled: describe(
    z.boolean(),
    { en: 'False while deliveries are held back.', fr: 'Faux tant que les livraisons sont retenues.' },
    [true],
  ),
  disabled_reason: describe(
    z.enum(['failing']).nullable(),
    {
      en: '`failing` when the service disabled it because it had failed for three days running; else null.',
      fr: '`failing` si le service l’a désactivé après trois jours d’échecs sans interruption ; sinon null.',
    },
    [null],
  ),
  created_at: timestamp({ en: 'When it was created, ISO 8601 UTC.', fr: 'Date de création, ISO 8601 UTC.' }),
  updated_at: timestamp({ en: 'When it last changed.', fr: 'Date de dernier changement.' }),
});

export const webhookWithSecret = webhook.extend({
  secret: describe(
    z.string(),
    {
      en: 'What deliveries are signed with: the key of the HMAC-SHA256 in `Service-Signature`, all of this text.',
      fr: 'Ce qui signe les livraisons : la clé du HMAC-SHA256 de `Service-Signature`, tout ce texte.',
    },
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
  ),
});

export const webhookList = listOf(webhook);

export const deletedWebhook = z.object({
  object: object('webhook'),
  id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, [idExample]),
  deleted: describe(
    z.boolean(),
    { en: 'Always true; the delivery log goes with it.', fr: 'Toujours vrai ; le journal disparaît avec.' },
    [true],
  ),
});

const status = describe(
  z.enum(deliveryStatuses),
  {
    en: '`delivered`: answered 2xx in time. `pending`: an attempt is to come, or held back. `failed`: given up.',
    fr: '`delivered` : réponse 2xx à temps. `pending` : une tentative est à venir, ou retenue. `failed` : abandonnée.',
  },
  ['delivered'],
);
const attempts = describe(z.int(), { en: 'Attempts made.', fr: 'Tentatives faites.' }, [1]);
const responseStatus = describe(
  z.int().nullable(),
  {
    en: 'Status code that the receiver returned at the last attempt; null without an answer.',
    fr: 'Code renvoyé par le destinataire à la dernière tentative ; null sans réponse.',
  },
  [200],
);
const error = describe(
  z.string().nullable(),
  {
    en: 'Why it is not delivered, for humans; null when it is.',
    fr: 'Pourquoi ce n’est pas livré, pour un humain ; null si ça l’est.',
  },
  [null],
);
const deliveryId = describe(z.string(), { en: 'Identifier of the delivery.', fr: 'Identifiant de la livraison.' }, [
  deliveryIdExample,
]);

export const delivery = z.object({
  id: deliveryId,
  object: object('webhook_delivery'),
  event_id: describe(
    z.string(),
    {
      en: 'Identifier of the event, stable across attempts.',
      fr: 'Identifiant de l’événement, stable d’une tentative à l’autre.',
    },
    ['evt_01k9zq5b7c2e4g6j8m0p2r4t6v'],
  ),
  event_type: describe(
    z.enum(deliveredTypes),
    {
      en: `Type of the event; \`${testEventType}\` for a test call.`,
      fr: `Type de l’événement ; \`${testEventType}\` pour un appel de test.`,
    },
    ['email.delivered'],
  ),
  status,
  attempts,
  response_status: responseStatus,
  response_body: describe(
    z.string().nullable(),
    {
      en: 'First 1,000 characters of the receiver’s last answer.',
      fr: 'Les 1 000 premiers caractères de la dernière réponse du destinataire.',
    },
    ['ok'],
  ),
  error,
  duration_ms: describe(
    z.int().nullable(),
    { en: 'What the last attempt took, in milliseconds.', fr: 'Durée de la dernière tentative, en millisecondes.' },
    [84],
  ),
  next_attempt_at: describe(
    z.string().nullable(),
    {
      en: 'When the next attempt is due; null when there is none.',
      fr: 'Date de la prochaine tentative ; null s’il n’y en a pas.',
    },
    [null],
  ),
  created_at: timestamp({ en: 'When the event happened.', fr: 'Date de l’événement.' }),
  updated_at: timestamp({ en: 'When the delivery last changed.', fr: 'Date de dernier changement de la livraison.' }),
});

export const deliveryList = listOf(delivery);

const loggedAttempt = z.object({
  at: timestamp({ en: 'When the attempt ended.', fr: 'Fin de la tentative.' }),
  replay: describe(z.boolean(), { en: 'True when somebody asked for it.', fr: 'Vrai si quelqu’un l’a demandée.' }, [
    false,
  ]),
  response_status: describe(
    z.int().nullable(),
    { en: 'Status code of the answer; null without one.', fr: 'Code de la réponse ; null sans réponse.' },
    [200],
  ),
  error: describe(
    z.string().nullable(),
    {
      en: 'Why it failed, for humans; null when it did not.',
      fr: 'Pourquoi elle a échoué, pour un humain ; sinon null.',
    },
    [null],
  ),
  duration_ms: describe(z.int(), { en: 'What it took, in milliseconds.', fr: 'Sa durée, en millisecondes.' }, [84]),
});

export const deliveryDetail = delivery.extend({
  headers: describe(
    z.record(z.string(), z.string()),
    {
      en: 'Headers that each attempt has, besides `Service-Signature`, which is made anew.',
      fr: 'En-têtes de chaque tentative, outre `Service-Signature`, refaite à chaque fois.',
    },
    [{ 'Service-Event-Type': 'email.delivered' }],
  ),
  body: describe(z.string(), { en: 'What is posted, byte for byte.', fr: 'Ce qui est envoyé, octet pour octet.' }, [
    '{"id":"evt_01k9zq5b7c2e4g6j8m0p2r4t6v","type":"email.delivered"}',
  ]),
  attempt_log: describe(z.array(loggedAttempt), {
    en: 'Each attempt, the oldest first. Beyond 50 they are only counted.',
    fr: 'Chaque tentative, de la plus ancienne à la plus récente. Au-delà de 50, elles sont seulement comptées.',
  }),
});

export const testResult = z.object({
  object: object('webhook_test'),
  delivery_id: deliveryId,
  status,
  attempts,
  response_status: responseStatus,
  error,
});

export const replayResult = z.object({
  object: object('webhook_delivery'),
  id: deliveryId,
  status,
  attempts,
  response_status: responseStatus,
  error,
});
