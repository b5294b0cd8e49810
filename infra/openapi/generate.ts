import type { Group, Route } from '../../shared/contract/route.ts';
import { webhookGroup } from '../../shared/contract/routes/webhooks.ts';
import { defaultLanguage, type Language, languageTags, nameOfLanguage } from '../../shared/language/languages.ts';
import { textsOf } from '../../shared/language/text.ts';
import { chaptersIn } from './chapters.ts';
import { errorComponent, errorExample, errorSchema, errorsOf } from './errors.ts';
import { headerComponents } from './headers.ts';
import { operationOf } from './operation.ts';
import { shareRecords } from './share.ts';
import { responseComponents } from './transport.ts';
import { receiversIn, webhooksIn } from './webhooks.ts';

const texts = textsOf({
  server: { en: 'This deployment.', fr: 'Ce déploiement.' },
  language: {
    en: 'Language of the messages: {languages}. Only the first preference counts; otherwise {default}.',
    fr: 'Langue des messages : {languages}. Seule la première préférence compte ; sinon {default}.',
  },
  bearer: {
    en: 'The API key as `Authorization: Bearer <API_KEY>`. `X-Api-Key: <API_KEY>` does as well, but never both.',
    fr: 'La clé API dans `Authorization: Bearer <API_KEY>`. `X-Api-Key: <API_KEY>` convient aussi, mais jamais les deux.',
  },
});

/** The OpenAPI 3.1 document of these routes in one language. */
export function generate(routes: readonly Route[], language: Language): Record<string, unknown> {
  const paths = pathsOf(routes, language);
  const webhooks = webhooksIn(language);
  const records = shareRecords({ paths, webhooks });
  const codes = [...new Set(routes.flatMap(errorsOf))].sort();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mailroom',
      version: '1.0.0',
      description: chaptersIn(language),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: texts.server[language] }],
    tags: tagsOf(routes, language),
    paths,
    webhooks,
    components: {
      schemas: {
        ...records,
        ...Object.fromEntries(codes.map((code) => [errorComponent(code), errorSchema(code, language)])),
      },
      examples: Object.fromEntries(codes.map((code) => [errorComponent(code), errorExample(code, language)])),
      responses: responseComponents(language),
      headers: headerComponents(language),
      parameters: { 'Accept-Language': languageParameter(language) },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: texts.bearer[language] } },
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

function tagsOf(routes: readonly Route[], language: Language): { name: string; description: string }[] {
  return [...new Set(routes.map(({ group }) => group))].map((group) => ({
    name: group.name[language],
    description: descriptionOf(group, language),
  }));
}

function descriptionOf(group: Group, language: Language): string {
  const { description } = group;
  return group === webhookGroup ? `${description[language]} ${receiversIn(language)}` : description[language];
}

function languageParameter(language: Language): unknown {
  const names = languageTags.map((tag) => nameOfLanguage(tag, language)).join(', ');
  return {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description: texts.language[language]
      .replace('{languages}', names)
      .replace('{default}', nameOfLanguage(defaultLanguage, language)),
    schema: { type: 'string', examples: ['en', 'fr-FR,fr;q=0.9'] },
  };
}
