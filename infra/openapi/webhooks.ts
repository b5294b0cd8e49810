import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { webhookGroup } from '../../shared/contract/routes/webhooks.ts';
import { eventBody, events } from '../../shared/contract/schemas/event.ts';
import { type EventType, eventTypes } from '../../shared/domain/webhook/eventType.ts';
import type { Language } from '../../shared/language/languages.ts';
import { textsOf } from '../../shared/language/text.ts';
import { exampleOf } from './examples.ts';
import { jsonSchemaOf } from './jsonSchema.ts';

const texts = textsOf({
  signature: {
    en: '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` under the subscription’s secret. For 24 hours after a rotation there are two `v1`. Compare in constant time, refuse a `t` older than 300 seconds.',
    fr: '`t=<secondes unix>,v1=<hex>` : HMAC-SHA256 de `<t>.<corps brut>` sous le secret de l’abonnement. Pendant 24 heures après une rotation il y a deux `v1`. Comparez en temps constant, refusez un `t` de plus de 300 secondes.',
  },
  eventId: { en: 'The event’s `id`.', fr: 'L’`id` de l’événement.' },
  eventType: { en: 'The event’s `type`.', fr: 'Le `type` de l’événement.' },
  taken: {
    en: 'Any 2xx within 15 seconds. Anything else is tried again after 30 seconds, 2 minutes, 10 minutes and 1 hour.',
    fr: 'Tout 2xx en moins de 15 secondes. Sinon, nouvelles tentatives après 30 secondes, 2 minutes, 10 minutes et 1 heure.',
  },
  receivers: {
    en: 'Receivers that verify the signature:',
    fr: 'Des récepteurs qui vérifient la signature :',
  },
});

const receivers = [
  ['Node', 'js', 'node.mjs'],
  ['Python', 'python', 'python.py'],
  ['PHP', 'php', 'php.php'],
] as const;

/** The requests that the service makes, one per event type (OpenAPI 3.1, `webhooks`). */
export function webhooksIn(language: Language): Record<string, unknown> {
  return Object.fromEntries(
    eventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `event.${type}`,
          tags: [webhookGroup.name[language]],
          security: [],
          summary: events[type].text[language],
          parameters: [
            header('Service-Signature', texts.signature[language], 't=1795226340,v1=5257a869…'),
            header('Service-Event-Id', texts.eventId[language], 'evt_01k9zq3v5c8r2m4n6p7s9t0wxy'),
            header('Service-Event-Type', texts.eventType[language], type),
          ],
          requestBody: {
            required: true,
            content: { 'application/json': contentOf(type, language) },
          },
          responses: { '2XX': { description: texts.taken[language] } },
        },
      },
    ]),
  );
}

function contentOf(type: EventType, language: Language) {
  const schema = jsonSchemaOf(eventBody(type), language, 'output');
  return { schema, example: exampleOf(schema) };
}

function header(name: string, description: string, example: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string', examples: [example] } };
}

/** What the group's description ends with: the receivers of docs/receivers, which the tests run. */
export function receiversIn(language: Language): string {
  const folder = join(import.meta.dirname, '..', '..', 'docs', 'receivers');
  const samples = receivers.map(
    ([name, fence, file]) =>
      `### ${name}\n\n\`\`\`${fence}\n${readFileSync(join(folder, file), 'utf8').trimEnd()}\n\`\`\``,
  );
  return [texts.receivers[language], ...samples].join('\n\n');
}
