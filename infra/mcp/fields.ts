import type { Language } from '../../shared/language/languages.ts';
import { textsOf } from '../../shared/language/text.ts';
import type { JsonSchema } from '../openapi/jsonSchema.ts';

const texts = textsOf({
  required: { en: 'required', fr: 'obligatoire' },
  characters: { en: '{range} characters', fr: '{range} caractères' },
  entries: { en: '{range} entries', fr: '{range} entrées' },
  usually: { en: '{value} when left out', fr: '{value} par défaut' },
  or: { en: ' or ', fr: ' ou ' },
  blocks: { en: 'as above', fr: 'comme ci-dessus' },
});

/** Deeper than this, fields are those of something that is told on its own. */
const deepest = 4;

/** The fields of an object as a Markdown list: name, type, limits, description; what they hold is indented below. */
export function fieldList(schema: JsonSchema, language: Language): string[] {
  return listOf(schema, language, new Set(), 0);
}

/** The same of an answer, whose fields are there or not without anybody having to give them. */
export const answerFieldList = (schema: JsonSchema, language: Language): string[] =>
  fieldList(withoutRequired(schema), language);

function withoutRequired(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'required' && Array.isArray(value) ? undefined : value)),
  );
}

function listOf(schema: JsonSchema, language: Language, told: Set<string>, depth: number): string[] {
  const required = (schema.required ?? []) as string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return properties.flatMap(([name, field]) => {
    const facts = [typeOf(field, language), ...limitsOf(field, language)];
    if (required.includes(name)) facts.push(texts.required[language]);
    const line = `${'  '.repeat(depth)}- \`${name}\` (${facts.join(', ')})`;
    return [`${line}${described(field)}`, ...innerOf(field, language, told, depth + 1)];
  });
}

const described = ({ description }: JsonSchema): string => (description ? `: ${description}` : '');

/** The fields of the objects that a field holds, each kind of object once. */
function innerOf(field: JsonSchema, language: Language, told: Set<string>, depth: number): string[] {
  const objects = objectsIn(field);
  if (objects.length === 0 || depth > deepest) return [];
  const print = JSON.stringify(objects);
  if (told.has(print)) return [`${'  '.repeat(depth)}- ${texts.blocks[language]}`];
  told.add(print);
  return objects.flatMap((object) => {
    const kind = kindOf(object);
    if (kind === undefined) return listOf(object, language, told, depth);
    const { type: _, ...properties } = object.properties as Record<string, JsonSchema>;
    const rest = listOf({ ...object, properties }, language, told, depth + 1);
    return [`${'  '.repeat(depth)}- \`${kind}\``, ...rest];
  });
}

/** Of objects that are told apart by their `type`, that type. */
function kindOf({ properties }: JsonSchema): string | undefined {
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
  const named = first === 'array' && items ? listed(typeOf(items, language)) : first;
  return [named, ...others].join(texts.or[language]);
}

const listed = (type: string): string => (type.includes(' ') ? `(${type})[]` : `${type}[]`);

function limitsOf(field: JsonSchema, language: Language): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = field;
  const limits = [
    rangeOf(minLength, maxLength, texts.characters[language]),
    rangeOf(minItems, maxItems, texts.entries[language]),
    rangeOf(minimum, maximum, '{range}'),
  ];
  if (field.default !== undefined)
    limits.push(texts.usually[language].replace('{value}', JSON.stringify(field.default)));
  return limits.filter((limit) => limit !== undefined);
}

function rangeOf(least: unknown, most: unknown, text: string): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  const range = most === undefined ? `≥ ${least}` : least === undefined ? `≤ ${most}` : `${least}–${most}`;
  return text.replace('{range}', range);
}
