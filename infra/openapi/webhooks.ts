import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routeGroups } from '../../shared/contract/groups.ts';
import { eventBody, events } from '../../shared/contract/schemas/event.ts';
import { exampleOf, namedJsonSchemaOf } from '../../shared/documentation/jsonSchema.ts';
import { standardHeaders } from '../../shared/domain/webhook/signature.ts';
import { eventTypes, type WebhookEventType } from '../../shared/domain/webhook/webhook.ts';
import type { Language } from '../../shared/language/languages.ts';
import { textsOf } from '../../shared/language/text.ts';

const texts = textsOf({
  signature: {
    en: '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the secret of the subscription. For 24 hours after a rotation there are two `v1`. Compare in constant time, and refuse a `t` older than 300 seconds.',
    fr: '`t=<secondes unix>,v1=<hex>` : HMAC-SHA256 de `<t>.<corps brut>` avec le secret de l’abonnement. Pendant 24 heures après une rotation, il y a deux `v1`. Comparez en temps constant et refusez un `t` de plus de 300 secondes.',
  },
  standardId: {
    en: 'Standard Webhooks: the event’s `id`, the same in every attempt and replay.',
    fr: 'Standard Webhooks : l’`id` de l’événement, le même à chaque tentative et à chaque renvoi.',
  },
  standardTimestamp: {
    en: 'Standard Webhooks: the time of this attempt in unix seconds.',
    fr: 'Standard Webhooks : l’heure de cette tentative, en secondes unix.',
  },
  standardSignature: {
    en: 'Standard Webhooks: `v1,<base64>`, the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` with what follows `whsec_` in the secret, decoded from base64. For 24 hours after a rotation there are two, separated by a space.',
    fr: 'Standard Webhooks : `v1,<base64>`, le HMAC-SHA256 de `<webhook-id>.<webhook-timestamp>.<corps brut>` avec ce qui suit `whsec_` dans le secret, décodé de base64. Pendant 24 heures après une rotation, il y en a deux, séparés par une espace.',
  },
  eventId: { en: 'The event’s `id`.', fr: 'L’`id` de l’événement.' },
  eventType: { en: 'The event’s `type`.', fr: 'Le `type` de l’événement.' },
  success: {
    en: 'Any 2xx within 15 seconds. Otherwise the service tries again after 30 seconds, 2 minutes, 10 minutes and 1 hour.',
    fr: 'Tout 2xx en moins de 15 secondes. Sinon, le service réessaie après 30 secondes, 2 minutes, 10 minutes et 1 heure.',
  },
  receivers: {
    en: 'Receivers that verify the signature',
    fr: 'Des récepteurs qui vérifient la signature',
  },
});

const receivers = [
  ['Node', 'js', 'node.mjs'],
  ['Python', 'python', 'python.py'],
  ['PHP', 'php', 'php.php'],
] as const;

/** The requests that the service sends, one for each event type (OpenAPI 3.1, `webhooks`). */
export function webhooksIn(language: Language): Record<string, unknown> {
  return Object.fromEntries(
    eventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `event.${type}`,
          tags: [routeGroups.webhooks.name[language]],
          security: [],
          summary: events[type].text[language],
          parameters: [
            header('Service-Signature', texts.signature[language], 't=1795226340,v1=5257a869…'),
            header('Service-Event-Id', texts.eventId[language], 'evt_01k9zq3v5c8r2m4n6p7s9t0wxy'),
            header('Service-Event-Type', texts.eventType[language], type),
            header(standardHeaders.id, texts.standardId[language], 'evt_01k9zq3v5c8r2m4n6p7s9t0wxy'),
            header(standardHeaders.timestamp, texts.standardTimestamp[language], '1795226340'),
            header(
              standardHeaders.signature,
              texts.standardSignature[language],
              'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
            ),
          ],
          requestBody: {
            required: true,
            content: { 'application/json': contentOf(type, language) },
          },
          responses: { '2XX': { description: texts.success[language] } },
        },
      },
    ]),
  );
}

function contentOf(type: WebhookEventType, language: Language) {
  const schema = namedJsonSchemaOf(eventBody(type), language, 'output');
  return { schema, example: exampleOf(schema) };
}

function header(name: string, description: string, example: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string', examples: [example] } };
}

/** The example receivers of docs/receivers, which the tests run, as Markdown. */
export function receiversIn(language: Language): string {
  const folder = join(import.meta.dirname, '..', '..', 'docs', 'receivers');
  const samples = receivers.map(
    ([name, fence, file]) =>
      `### ${name}\n\n\`\`\`${fence}\n${readFileSync(join(folder, file), 'utf8').trimEnd()}\n\`\`\``,
  );
  return [`## ${texts.receivers[language]}`, ...samples].join('\n\n');
}
