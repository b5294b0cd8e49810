import type { Route } from '../../shared/contract/route.ts';
import type { Language } from '../../shared/language/languages.ts';
import { textsOf } from '../../shared/language/text.ts';
import { errorComponent, errorSchema, errorsOf } from './errors.ts';
import { headerComponents } from './headers.ts';
import { operationOf } from './operation.ts';
import { shareRecords } from './share.ts';
import { receiversIn, webhooksIn } from './webhooks.ts';

const texts = textsOf({
  description: {
    en: 'Single emails, subscribers, campaigns and webhooks. Every response carries the rate limit of the key; every error has one shape, whose `code` never changes and whose `message` follows `Accept-Language`.',
    fr: 'E-mails à l’unité, abonnés, campagnes et webhooks. Chaque réponse porte la limite de débit de la clé ; chaque erreur a la même forme, dont le `code` ne change jamais et dont le `message` suit `Accept-Language`.',
  },
  server: { en: 'This deployment.', fr: 'Ce déploiement.' },
  language: {
    en: 'Language of the messages: English, or French when it comes first.',
    fr: 'Langue des messages : l’anglais, ou le français quand il vient en premier.',
  },
  bearer: {
    en: 'The API key as `Authorization: Bearer <API_KEY>`.',
    fr: 'La clé API dans `Authorization: Bearer <API_KEY>`.',
  },
  apiKey: {
    en: 'The API key as `X-Api-Key: <API_KEY>`: the same thing, but never both.',
    fr: 'La clé API dans `X-Api-Key: <API_KEY>` : équivalent, mais jamais les deux.',
  },
});

/** The OpenAPI 3.1 document of these routes in one language. */
export function generate(routes: readonly Route[], language: Language): Record<string, unknown> {
  const paths = pathsOf(routes, language);
  const webhooks = webhooksIn(language);
  const records = shareRecords({ paths, webhooks });
  return {
    openapi: '3.1.0',
    info: { title: 'Mailroom', version: '1.0.0', description: texts.description[language] },
    servers: [{ url: '/', description: texts.server[language] }],
    tags: tagsOf(routes, language),
    paths,
    webhooks,
    components: {
      schemas: { ...records, ...errorSchemas(routes, language) },
      headers: headerComponents(language),
      parameters: { 'Accept-Language': languageParameter(language) },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: texts.bearer[language] },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: texts.apiKey[language] },
      },
    },
  };
}

function pathsOf(routes: readonly Route[], language: Language): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = paths[route.path] ?? {};
    path[route.method.toLowerCase()] = operationOf(route, language);
    paths[route.path] = path;
  }
  return paths;
}

function tagsOf(routes: readonly Route[], language: Language): { name: string; description?: string }[] {
  const names = [...new Set(routes.map((route) => route.group[language]))];
  return names.map((name) => (name === 'Webhooks' ? { name, description: receiversIn(language) } : { name }));
}

function errorSchemas(routes: readonly Route[], language: Language): Record<string, unknown> {
  const codes = [...new Set(routes.flatMap(errorsOf))].sort();
  return Object.fromEntries(codes.map((code) => [errorComponent(code), errorSchema(code, language)]));
}

function languageParameter(language: Language): unknown {
  return {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description: texts.language[language],
    schema: { type: 'string', examples: ['en', 'fr-FR,fr;q=0.9'] },
  };
}
