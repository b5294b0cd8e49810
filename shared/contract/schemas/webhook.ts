import * as z from 'zod';
import { deliveryStatuses } from '../../domain/webhook/delivery.ts';
import { deliveredTypes, eventTypes, testEventType } from '../../domain/webhook/webhook.ts';
import { checkWebhookUrl, maxWebhookUrlLength, webhookUrlProblemTexts } from '../../domain/webhook/webhookUrl.ts';
import { customIssue, textsOf } from '../../language/text.ts';
import {
  constant,
  describe,
  isLoopbackAllowed,
  listOf,
  named,
  optional,
  pageQuery,
  timestamp,
  withDefault,
} from './fields.ts';

const idExample = 'whk_01k9zq3v5c8r2m4n6p7s9t0wxy';
const deliveryIdExample = 'whd_01k9zq5b7d9f1h3k5m7p9r1t3v';
const urlExample = 'https://example.com/webhooks/mailroom';

const url = z
  .string()
  .max(maxWebhookUrlLength)
  .superRefine((value, context) => {
    const problem = checkWebhookUrl(value, { allowLoopback: isLoopbackAllowed() });
    // `max` already reports that.
    if (problem && problem !== 'url_too_long') context.addIssue(customIssue(webhookUrlProblemTexts[problem]));
  });

export const maxNameCharacters = 80;
const name = z.string().trim().min(1).max(maxNameCharacters);
const eventType = named('EventType', z.enum(eventTypes));
const events = z
  .array(eventType)
  .min(1)
  .max(100)
  .transform((types) => [...new Set(types)]);

const texts = textsOf({
  name: { en: 'Name, at most 80 characters.', fr: 'Nom, 80 caractères au plus.' },
  nameOrHost: {
    en: 'Name, at most 80 characters. Default: the host of `url`.',
    fr: 'Nom, 80 caractères au plus. Par défaut : l’hôte de `url`.',
  },
  url: {
    en: 'Receiving address: https, without credentials or fragment, on a public host.',
    fr: 'Adresse de réception : https, sans identifiants ni fragment, sur un hôte public.',
  },
  events: { en: 'Event types to deliver, at least one.', fr: 'Types d’événements à livrer, au moins un.' },
  enabled: {
    en: '`false` suspends deliveries and keeps the log. When it is `true` again, deliveries that are still within their retry period are made.',
    fr: '`false` suspend les livraisons et garde le journal. De nouveau `true`, les livraisons encore dans leur délai de reprise sont faites.',
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
      en: '`true` creates a new secret. For 24 hours, the previous one signs too: `v1=…,v1=…`. At most 10 secrets are valid at a time.',
      fr: '`true` crée un nouveau secret. Pendant 24 heures, le précédent signe aussi : `v1=…,v1=…`. 10 secrets au plus sont valides à la fois.',
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

export const webhook = named(
  'Webhook',
  z.object({
    id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, [idExample]),
    object: constant('webhook'),
    name: describe(z.string(), { en: 'Name.', fr: 'Nom.' }, ['Orders']),
    url: describe(z.string(), { en: 'Receiving address.', fr: 'Adresse de réception.' }, [urlExample]),
    events: describe(z.array(eventType), { en: 'Event types that are delivered.', fr: 'Types d’événements livrés.' }, [
      ['email.delivered', 'email.bounced'],
    ]),
    enabled: describe(
      z.boolean(),
      { en: 'False while deliveries are suspended.', fr: 'Faux tant que les livraisons sont suspendues.' },
      [true],
    ),
    disabled_reason: describe(
      z.enum(['failing']).nullable(),
      {
        en: '`failing` if the service disabled it after three days of failures without interruption, else null.',
        fr: '`failing` si le service l’a désactivé après trois jours d’échecs sans interruption ; sinon null.',
      },
      [null],
    ),
    failing_since: describe(
      z.string().nullable(),
      {
        en: 'Since when every attempt has failed, ISO 8601 UTC; null after one that was accepted.',
        fr: 'Depuis quand chaque tentative échoue, ISO 8601 UTC ; null après une tentative acceptée.',
      },
      [null],
    ),
    created_at: timestamp({ en: 'When it was created, ISO 8601 UTC.', fr: 'Date de création, ISO 8601 UTC.' }),
    updated_at: timestamp({ en: 'When it last changed.', fr: 'Date de dernier changement.' }),
  }),
);

export const webhookWithSecret = named(
  'WebhookWithSecret',
  webhook.extend({
    secret: describe(
      z.string(),
      {
        en: 'The secret for signatures. The whole text is the key of the HMAC-SHA256 in `Service-Signature`; what follows `whsec_`, decoded from base64, is the key in `webhook-signature`.',
        fr: 'Le secret des signatures. Tout le texte est la clé du HMAC-SHA256 de `Service-Signature` ; ce qui suit `whsec_`, décodé de base64, est la clé de `webhook-signature`.',
      },
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
    ),
  }),
);

export const webhookList = listOf(webhook);

export const deletedWebhook = named(
  'DeletedWebhook',
  z.object({
    object: constant('webhook'),
    id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, [idExample]),
    deleted: describe(
      z.boolean(),
      { en: 'Always true; the delivery log is deleted too.', fr: 'Toujours vrai ; le journal est supprimé aussi.' },
      [true],
    ),
  }),
);

const status = describe(
  named('WebhookDeliveryStatus', z.enum(deliveryStatuses)),
  {
    en: '`delivered`: answered 2xx in time. `pending`: another attempt will follow, or is suspended. `failed`: no further attempt.',
    fr: '`delivered` : réponse 2xx à temps. `pending` : une autre tentative suivra, ou est suspendue. `failed` : plus aucune tentative.',
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
    en: 'Why it is not delivered, for people; null if it is.',
    fr: 'Pourquoi ce n’est pas livré, pour les personnes ; null si ça l’est.',
  },
  [null],
);
const deliveryId = describe(z.string(), { en: 'Identifier of the delivery.', fr: 'Identifiant de la livraison.' }, [
  deliveryIdExample,
]);

export const delivery = named(
  'WebhookDelivery',
  z.object({
    id: deliveryId,
    object: constant('webhook_delivery'),
    event_id: describe(
      z.string(),
      {
        en: 'Identifier of the event, stable across attempts.',
        fr: 'Identifiant de l’événement, stable d’une tentative à l’autre.',
      },
      ['evt_01k9zq5b7c2e4g6j8m0p2r4t6v'],
    ),
    event_type: describe(
      named('DeliveredEventType', z.enum(deliveredTypes)),
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
      { en: 'Duration of the last attempt, in milliseconds.', fr: 'Durée de la dernière tentative, en millisecondes.' },
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
  }),
);

export const deliveryList = listOf(delivery);

const loggedAttempt = named(
  'WebhookAttempt',
  z.object({
    at: timestamp({ en: 'When the attempt ended.', fr: 'Fin de la tentative.' }),
    replay: describe(
      z.boolean(),
      {
        en: 'True if the attempt was requested by a replay.',
        fr: 'Vrai si la tentative a été demandée par un renvoi.',
      },
      [false],
    ),
    response_status: describe(
      z.int().nullable(),
      { en: 'Status code of the answer; null without an answer.', fr: 'Code de la réponse ; null sans réponse.' },
      [200],
    ),
    error: describe(
      z.string().nullable(),
      {
        en: 'Why it failed, for people; null if it succeeded.',
        fr: 'Pourquoi elle a échoué, pour les personnes ; null si elle a réussi.',
      },
      [null],
    ),
    duration_ms: describe(z.int(), { en: 'Duration in milliseconds.', fr: 'Durée en millisecondes.' }, [84]),
  }),
);

const eventText = z.string().meta({ contentMediaType: 'application/json', contentSchema: { component: 'Event' } });

export const deliveryDetail = named(
  'WebhookDeliveryDetail',
  delivery.extend({
    headers: describe(
      z.record(z.string(), z.string()),
      {
        en: 'Headers of every attempt, except `Service-Signature`, which is new each time.',
        fr: 'En-têtes de chaque tentative, sauf `Service-Signature`, qui est nouvelle à chaque fois.',
      },
      [{ 'Service-Event-Type': 'email.delivered' }],
    ),
    body: describe(eventText, { en: 'The posted body, byte for byte.', fr: 'Le corps envoyé, octet pour octet.' }, [
      '{"id":"evt_01k9zq5b7c2e4g6j8m0p2r4t6v","type":"email.delivered"}',
    ]),
    attempt_log: describe(z.array(loggedAttempt), {
      en: 'The first 50 attempts, oldest first.',
      fr: 'Les 50 premières tentatives, de la plus ancienne à la plus récente.',
    }),
  }),
);

export const testResult = z.object({
  object: constant('webhook_test'),
  delivery_id: deliveryId,
  status,
  attempts,
  response_status: responseStatus,
  error,
});

export const replayResult = named(
  'WebhookReplay',
  z.object({
    object: constant('webhook_delivery'),
    id: deliveryId,
    status,
    attempts,
    response_status: responseStatus,
    error,
  }),
);
