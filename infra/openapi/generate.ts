import { type GroupName, routeGroups } from '../../shared/contract/groups.ts';
import type { Route } from '../../shared/contract/route.ts';
import { errorType } from '../../shared/contract/schemas/errorBody.ts';
import { chaptersIn, errorsOf } from '../../shared/documentation/chapters.ts';
import { namedJsonSchemaOf } from '../../shared/documentation/jsonSchema.ts';
import { defaultLanguage, type Language, languageTags, nameOfLanguage } from '../../shared/language/languages.ts';
import { textsOf } from '../../shared/language/text.ts';
import { errorExample, errorSchema, headerComponents, responseComponents } from './errorResponses.ts';
import { operationOf } from './operation.ts';
import { segmentRules } from './segmentRule.ts';
import { type Parts, shareParameters, shareSchemas } from './shareSchemas.ts';
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
  const codes = [...new Set(routes.flatMap(errorsOf))].sort();
  const errors = Object.fromEntries(codes.map((code) => [errorType(code), errorSchema(code, language)]));
  const rules = Object.entries(segmentRules).map(([name, rule]) => [name, namedJsonSchemaOf(rule, language, 'input')]);
  const parts = { paths, webhooks, errors, segmentRules: Object.fromEntries(rules) } as unknown as Parts;
  const schemas = shareSchemas(parts);
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
      schemas,
      examples: Object.fromEntries(codes.map((code) => [errorType(code), errorExample(code, language)])),
      responses: responseComponents(routes, language),
      headers: headerComponents(language),
      parameters: {
        'Accept-Language': languageParameter(language),
        ...shareParameters({ ...parts.paths, ...parts.webhooks }),
      },
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
