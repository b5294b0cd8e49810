import type { ErrorCode } from '../../contract/errors.ts';
import { routeGroups } from '../../contract/groups.ts';
import type { ResponseDefinition, Route } from '../../contract/route.ts';
import { routes } from '../../contract/routes.ts';
import { everyTool } from '../../contract/toolsets.ts';
import type { Language } from '../../language/languages.ts';
import { textsOf } from '../../language/text.ts';
import { accessText, chaptersIn, errorsOf } from '../chapters.ts';
import { exampleOf, type JsonSchema, jsonSchemaOf } from '../jsonSchema.ts';

const texts = textsOf({
  title: { en: 'Mailroom: reference', fr: 'Mailroom : référence' },
  tool: { en: 'Tool: {names}.', fr: 'Outil : {names}.' },
  tools: { en: 'Tools: {names}.', fr: 'Outils : {names}.' },
  noTool: { en: 'No tool: REST only.', fr: 'Aucun outil : REST seulement.' },
  path: {
    en: 'Path (URL-encoded; not so as arguments of a tool):',
    fr: 'Chemin (encodé pour l’URL, mais pas comme argument d’un outil) :',
  },
  query: { en: 'Query:', fr: 'Paramètres :' },
  headers: { en: 'Headers:', fr: 'En-têtes :' },
  body: { en: 'Body:', fr: 'Corps :' },
  listBody: { en: 'Body: an array of {entries}, each with:', fr: 'Corps : un tableau de {entries}, chacune avec :' },
  sameListBody: {
    en: 'Body: an array of {entries}, each like the body of `{route}`.',
    fr: 'Corps : un tableau de {entries}, chacune comme le corps de `{route}`.',
  },
  answer: { en: 'Answer {status}:', fr: 'Réponse {status} :' },
  bareAnswer: { en: 'Answer {status}.', fr: 'Réponse {status}.' },
  sameAnswer: {
    en: 'Answer {status}: same fields as the answer of `{route}`.',
    fr: 'Réponse {status} : mêmes champs que la réponse de `{route}`.',
  },
  errors: { en: 'Errors: {codes}.', fr: 'Erreurs : {codes}.' },
  commonErrors: {
    en: 'Every call that needs a key may answer {codes}, and `insufficient_scope` if it needs a scope. A tool answers what its route answers. Its arguments are the fields of path, query, headers and body together. A refusal is a tool error with the same body.',
    fr: 'Tout appel qui demande une clé peut répondre {codes}, et `insufficient_scope` s’il demande une portée. Un outil répond ce que répond sa route. Ses arguments réunissent les champs du chemin, des paramètres, des en-têtes et du corps. Un refus est une erreur d’outil avec le même corps.',
  },
  example: { en: 'Example:', fr: 'Exemple :' },
  required: { en: 'required', fr: 'obligatoire' },
  characters: { en: '{range} characters', fr: '{range} caractères' },
  entries: { en: '{range} entries', fr: '{range} entrées' },
  default: { en: 'default {value}', fr: '{value} par défaut' },
  or: { en: ' or ', fr: ' ou ' },
  sameAsAbove: { en: 'as above', fr: 'comme ci-dessus' },
});

/** Errors that any call may answer with; they are described once. */
const commonErrors: readonly ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'revoked_api_key',
  'rate_limit_exceeded',
  'internal_error',
];

/** One part of the reference; its name is the same in every language. */
export interface Chapter {
  readonly name: string;
  readonly text: string;
}

/**
 * The reference in Markdown: a general chapter, then one for each group of routes, with fields, limits, errors and an
 * example. Where two routes answer the same fields, the second refers to the first.
 */
export function referenceIn(language: Language): Chapter[] {
  const firstRoutes = new Map<string, Route>();
  const groups = [...Map.groupBy(routes, ({ group }) => group)].map(([group, members]): Chapter => {
    const { name, description } = routeGroups[group];
    const sections = members.map((route) => sectionOf(route, language, firstRoutes));
    const text = [`## ${name[language]}`, description[language], ...sections].join('\n\n');
    return { name: name.en.toLowerCase().replaceAll(/\W+/g, '-'), text: `${text}\n\n` };
  });
  const common = texts.commonErrors[language].replace('{codes}', codesIn(commonErrors));
  const general = [`# ${texts.title[language]}`, chaptersIn(language), common].join('\n\n');
  return [{ name: 'general', text: `${general}\n\n` }, ...groups];
}

/** `firstRoutes`: by the schema of an answer or a body, the first route that gives or takes it. */
function sectionOf(route: Route, language: Language, firstRoutes: Map<string, Route>): string {
  const { path, query, headers } = route.request;
  const parts = Object.entries({ path, query, headers }) as ['path', Route['request']['path']][];
  return [
    `### ${route.summary[language]}`,
    `\`${route.method} ${route.path}\` ${accessText(route, language)} ${toolText(route, language)}`,
    route.description[language],
    ...parts.flatMap(([name, schema]) =>
      schema
        ? [[texts[name][language], ...fieldList(jsonSchemaOf(schema, language, 'input'), language)].join('\n')]
        : [],
    ),
    ...bodyText(route, language, firstRoutes),
    ...route.responses.map((response) => answerText(route, response, language, firstRoutes)),
    ...errorsText(route, language),
    ...exampleText(route, language),
  ].join('\n\n');
}

/** The fields of a body. Of a list, those of its entries, or the call that takes one of them alone. */
function bodyText(route: Route, language: Language, firstRoutes: Map<string, Route>): string[] {
  if (!route.request.body) return [];
  const json = jsonSchemaOf(route.request.body, language, 'input');
  const keyOf = ({ $schema: _, ...schema }: JsonSchema) => `body ${JSON.stringify(schema)}`;
  if (json.type !== 'array') {
    if (!firstRoutes.has(keyOf(json))) firstRoutes.set(keyOf(json), route);
    return [[texts.body[language], ...fieldList(json, language)].join('\n')];
  }
  const items = json.items as JsonSchema;
  const entries = rangeText(json.minItems, json.maxItems, texts.entries[language]) ?? '';
  const first = firstRoutes.get(keyOf(items));
  const text = (first ? texts.sameListBody : texts.listBody)[language].replace('{entries}', entries);
  if (first) return [text.replace('{route}', `${first.method} ${first.path}`)];
  return [[text, ...fieldList(items, language)].join('\n')];
}

const codesIn = (codes: readonly ErrorCode[]): string => codes.map((code) => `\`${code}\``).join(', ');

function errorsText(route: Route, language: Language): string[] {
  const codes = errorsOf(route).filter((code) => !commonErrors.includes(code) && code !== 'insufficient_scope');
  return codes.length > 0 ? [texts.errors[language].replace('{codes}', codesIn(codes))] : [];
}

function toolText(route: Route, language: Language): string {
  const names = everyTool.filter((tool) => tool.route.id === route.id).map(({ name }) => `\`${name}\``);
  const text = names.length === 0 ? texts.noTool : names.length === 1 ? texts.tool : texts.tools;
  return text[language].replace('{names}', names.join(', '));
}

function answerText(
  route: Route,
  { status, schema }: ResponseDefinition,
  language: Language,
  firstRoutes: Map<string, Route>,
): string {
  const json = jsonSchemaOf(schema, language, 'output');
  const say = (name: 'answer' | 'bareAnswer' | 'sameAnswer') => texts[name][language].replace('{status}', `${status}`);
  const first = firstRoutes.get(JSON.stringify(json));
  if (first) return say('sameAnswer').replace('{route}', `${first.method} ${first.path}`);
  firstRoutes.set(JSON.stringify(json), route);
  const list = fieldList(withoutRequired(json), language);
  return list.length > 0 ? [say('answer'), ...list].join('\n') : say('bareAnswer');
}

/** One request body and one answer, as compact JSON. */
function exampleText(route: Route, language: Language): string[] {
  const { body, example } = route.request;
  const [response] = route.responses;
  const request = body ? (example ?? exampleOf(jsonSchemaOf(body, language, 'input'))) : undefined;
  const answer = response && (response.example ?? exampleOf(jsonSchemaOf(response.schema, language, 'output')));
  const lines = [request, answer]
    .filter((value) => value !== undefined)
    .map((value) => JSON.stringify(value))
    .filter((line) => line !== '{}');
  return lines.length > 0 ? [[texts.example[language], '```json', ...lines, '```'].join('\n')] : [];
}

/** In an answer, "required" would say nothing: it is the service that gives the fields. */
function withoutRequired(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'required' && Array.isArray(value) ? undefined : value)),
  );
}

/** Fields below this depth are not listed. */
const maxDepth = 4;

/** The fields of an object as a Markdown list: name, type, limits and description, with inner fields indented below. */
const fieldList = (schema: JsonSchema, language: Language): string[] => listOf(schema, language, new Set(), 0);

/** `listed`: the inner objects that were listed before, as JSON, so that each is listed once. */
function listOf(schema: JsonSchema, language: Language, listed: Set<string>, depth: number): string[] {
  const required = (schema.required ?? []) as string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return properties.flatMap(([name, field]) => {
    const facts = [typeOf(field, language), ...limitsOf(field, language)];
    if (required.includes(name)) facts.push(texts.required[language]);
    const description = field.description ? `: ${field.description}` : '';
    const line = `${'  '.repeat(depth)}- \`${name}\` (${facts.join(', ')})${description}`;
    return [line, ...innerFields(field, language, listed, depth + 1)];
  });
}

function innerFields(field: JsonSchema, language: Language, listed: Set<string>, depth: number): string[] {
  const objects = objectsIn(field);
  if (objects.length === 0 || depth > maxDepth) return [];
  const keys = objects.map((object) => JSON.stringify(object));
  if (keys.every((key) => listed.has(key))) return [`${'  '.repeat(depth)}- ${texts.sameAsAbove[language]}`];
  for (const key of keys) listed.add(key);
  return objects.flatMap((object) => {
    const type = discriminatorOf(object);
    if (type === undefined) return listOf(object, language, listed, depth);
    const { type: _, ...properties } = object.properties as Record<string, JsonSchema>;
    const rest = listOf({ ...object, properties }, language, listed, depth + 1);
    return [`${'  '.repeat(depth)}- \`${type}\``, ...rest];
  });
}

/** The value of `type` in a union whose members are told apart by it. */
function discriminatorOf({ properties }: JsonSchema): string | undefined {
  return (properties as { type?: { const?: string } } | undefined)?.type?.const;
}

function objectsIn(field: JsonSchema): JsonSchema[] {
  const branches = [...branchesOf(field), field.items].filter((inner): inner is JsonSchema => isSchema(inner));
  return field.properties ? [field] : branches.flatMap(objectsIn);
}

const isSchema = (value: unknown): boolean => typeof value === 'object' && value !== null;
const branchesOf = (field: JsonSchema): JsonSchema[] =>
  [field.anyOf, field.oneOf].flat().filter(isSchema) as JsonSchema[];

function typeOf(field: JsonSchema, language: Language): string {
  if (field.const !== undefined) return `\`${JSON.stringify(field.const)}\``;
  if (Array.isArray(field.enum)) return field.enum.map((value) => `\`${String(value)}\``).join(' | ');
  const branches = [...new Set(branchesOf(field).map((branch) => typeOf(branch, language)))];
  if (branches.length > 0) return branches.join(texts.or[language]);
  const types = [field.type].flat().filter((type) => typeof type === 'string');
  const [first, ...others] = types.length > 0 ? types : ['object'];
  const items = field.items as JsonSchema | undefined;
  const name = first === 'array' && items ? arrayOf(typeOf(items, language)) : first;
  return [name, ...others].join(texts.or[language]);
}

const arrayOf = (type: string): string => (type.includes(' ') ? `(${type})[]` : `${type}[]`);

function limitsOf(field: JsonSchema, language: Language): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = field;
  const limits = [
    rangeText(minLength, maxLength, texts.characters[language]),
    rangeText(minItems, maxItems, texts.entries[language]),
    rangeText(minimum, maximum, '{range}'),
  ];
  if (field.default !== undefined) {
    limits.push(texts.default[language].replace('{value}', JSON.stringify(field.default)));
  }
  return limits.filter((limit) => limit !== undefined);
}

function rangeText(min: unknown, max: unknown, text: string): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  const range = max === undefined ? `≥ ${min}` : min === undefined ? `≤ ${max}` : `${min}–${max}`;
  return text.replace('{range}', range);
}
