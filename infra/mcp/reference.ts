import type { ErrorCode } from '../../shared/contract/errors.ts';
import type { ResponseDefinition, Route } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import { tools } from '../../shared/contract/tools.ts';
import type { Language } from '../../shared/language/languages.ts';
import { textsOf } from '../../shared/language/text.ts';
import { chaptersIn } from '../openapi/chapters.ts';
import { errorsOf } from '../openapi/errors.ts';
import { exampleOf } from '../openapi/examples.ts';
import { type JsonSchema, jsonSchemaOf } from '../openapi/jsonSchema.ts';
import { accessText } from '../openapi/operation.ts';
import { answerFieldList, fieldList } from './fields.ts';

const texts = textsOf({
  title: { en: 'Mailroom: reference', fr: 'Mailroom : référence' },
  tool: { en: 'Tool: {names}.', fr: 'Outil : {names}.' },
  tools: { en: 'Tools: {names}.', fr: 'Outils : {names}.' },
  noTool: { en: 'No tool: REST only.', fr: 'Aucun outil : REST seulement.' },
  path: { en: 'Path:', fr: 'Chemin :' },
  query: { en: 'Query:', fr: 'Paramètres :' },
  headers: { en: 'Headers:', fr: 'En-têtes :' },
  body: { en: 'Body:', fr: 'Corps :' },
  answer: { en: 'Answer {status}:', fr: 'Réponse {status} :' },
  bareAnswer: { en: 'Answer {status}.', fr: 'Réponse {status}.' },
  asIn: {
    en: 'Answer {status}: the fields of the answer of `{route}`.',
    fr: 'Réponse {status} : les champs de la réponse de `{route}`.',
  },
  errors: { en: 'Errors: {codes}.', fr: 'Erreurs : {codes}.' },
  always: {
    en: 'Every call that needs a key may answer {codes}; with a scope, `insufficient_scope` too. A tool answers what its route answers: its arguments are the fields of path, query, headers and body together, and a refusal is a tool error with the same body.',
    fr: 'Tout appel qui demande une clé peut répondre {codes} ; avec une portée, `insufficient_scope` aussi. Un outil répond ce que répond sa route : ses arguments sont ensemble les champs du chemin, des paramètres, des en-têtes et du corps, et un refus est une erreur d’outil avec le même corps.',
  },
  example: { en: 'Example:', fr: 'Exemple :' },
});

/** What any call may answer is said once. */
const always: readonly ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'revoked_api_key',
  'rate_limit_exceeded',
  'internal_error',
];

/** One part of the reference, by a name that is the same in every language. */
export interface Chapter {
  readonly name: string;
  readonly text: string;
}

/**
 * The reference in Markdown: what holds for every call, then each route with fields, limits, errors, an example. A
 * chapter refers to fields of an earlier one where an answer is the same.
 */
export function referenceIn(language: Language): Chapter[] {
  const answered = new Map<string, Route>();
  const groups = [...Map.groupBy(routes, ({ group }) => group)].map(([group, own]): Chapter => {
    const chapters = own.map((route) => chapterOf(route, language, answered));
    const text = [`## ${group.name[language]}`, group.description[language], ...chapters].join('\n\n');
    return { name: group.name.en.toLowerCase().replaceAll(/\W+/g, '-'), text: `${text}\n\n` };
  });
  const every = texts.always[language].replace('{codes}', codesIn(always));
  const general = [`# ${texts.title[language]}`, chaptersIn(language), every].join('\n\n');
  return [{ name: 'general', text: `${general}\n\n` }, ...groups];
}

function chapterOf(route: Route, language: Language, answered: Map<string, Route>): string {
  const { path, query, headers, body } = route.request;
  const parts = Object.entries({ path, query, headers, body }) as ['path', Route['request']['path']][];
  return [
    `### ${route.summary[language]}`,
    `\`${route.method} ${route.path}\` ${accessText(route, language)} ${toolText(route, language)}`,
    route.description[language],
    ...parts.flatMap(([name, schema]) =>
      schema ? [fields(texts[name][language], jsonSchemaOf(schema, language, 'input'), language)] : [],
    ),
    ...route.responses.map((response) => answerOf(route, response, language, answered)),
    ...errorsText(route, language),
    ...exampleIn(route, language),
  ].join('\n\n');
}

const codesIn = (codes: readonly ErrorCode[]): string => codes.map((code) => `\`${code}\``).join(', ');

function errorsText(route: Route, language: Language): string[] {
  const own = errorsOf(route).filter((code) => !always.includes(code) && code !== 'insufficient_scope');
  return own.length > 0 ? [texts.errors[language].replace('{codes}', codesIn(own))] : [];
}

function toolText(route: Route, language: Language): string {
  const names = tools.filter((tool) => tool.route.id === route.id).map(({ name }) => `\`${name}\``);
  const text = names.length === 0 ? texts.noTool : names.length === 1 ? texts.tool : texts.tools;
  return text[language].replace('{names}', names.join(', '));
}

const fields = (title: string, schema: JsonSchema, language: Language): string =>
  [title, ...fieldList(schema, language)].join('\n');

/** An answer that another route has given before is told by that route. */
function answerOf(
  route: Route,
  { status, schema }: ResponseDefinition,
  language: Language,
  answered: Map<string, Route>,
) {
  const json = jsonSchemaOf(schema, language, 'output');
  const say = (name: 'answer' | 'bareAnswer' | 'asIn') => texts[name][language].replace('{status}', String(status));
  const before = answered.get(JSON.stringify(json));
  if (before) {
    return say('asIn').replace('{route}', `${before.method} ${before.path}`);
  }
  answered.set(JSON.stringify(json), route);
  const list = answerFieldList(json, language);
  return list.length > 0 ? [say('answer'), ...list].join('\n') : say('bareAnswer');
}

/** One call and one answer, in as few characters as JSON takes. */
function exampleIn(route: Route, language: Language): string[] {
  const { body, example } = route.request;
  const [response] = route.responses;
  const asked = body ? (example ?? exampleOf(jsonSchemaOf(body, language, 'input'))) : undefined;
  const answer = response && (response.example ?? exampleOf(jsonSchemaOf(response.schema, language, 'output')));
  const lines = [asked, answer].filter((value) => value !== undefined).map((value) => JSON.stringify(value));
  const told = lines.filter((line) => line !== '{}');
  return told.length > 0 ? [[texts.example[language], '```json', ...told, '```'].join('\n')] : [];
}
