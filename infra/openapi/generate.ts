import { type GroupName, routeGroups } from '../../shared/contract/groups.ts';
import type { Route } from '../../shared/contract/route.ts';
import { chaptersIn, errorsOf } from '../../shared/documentation/chapters.ts';
import { defaultLanguage, type Language, languageTags, nameOfLanguage } from '../../shared/language/languages.ts';
import { textsOf } from '../../shared/language/text.ts';
import { errorComponent, errorExample, errorSchema, headerComponents, responseComponents } from './errorResponses.ts';
import { operationOf } from './operation.ts';
import { shareRecords } from './sharedRecords.ts';
import { receiversIn, webhooksIn } from './webhooks.ts';

const texts = textsOf({
  server: { en: 'This deployment.', fr: 'Ce déploiement.' },
  language: {
    en: 'Language of the messages: {languages}. Only the first preference is read; the default is {default}.',
    fr: 'Langue des messages : {languages}. Seule la première préférence est lue ; par défaut, {default}.',
  },
  bearer: {
    en: 'The API key as `Authorization: Bearer <API_KEY>`. `X-Api-Key: <API_KEY>` works too, but do not send both.',
    fr: 'La clé API dans `Authorization: Bearer <API_KEY>`. `X-Api-Key: <API_KEY>` convient aussi, mais n’envoyez pas les deux.',
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
      responses: responseComponents(routes, language),
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

function tagsOf(
  routes: readonly Route[],
  language: Language,
): { name: string; description: string; 'x-slug': string }[] {
  return [...new Set(routes.map(({ group }) => group))].map((group) => ({
    name: routeGroups[group].name[language],
    description: descriptionOf(group, language),
    'x-slug': group,
  }));
}

function descriptionOf(group: GroupName, language: Language): string {
  const { description } = routeGroups[group];
  return group === 'webhooks' ? `${description[language]}\n\n${receiversIn(language)}` : description[language];
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
