import type * as z from 'zod';
import { inEachLanguage } from '../language/languages.ts';
import { type Text, text, textsOf } from '../language/text.ts';
import type { Issue } from './errors.ts';

/** Every problem that zod found, each with its path (`to[2]`, `attachments[0].content`) and a sentence per language. */
export function issuesOf(error: z.ZodError): Issue[] {
  return flattenAll(error.issues);
}

/** What has the wrong type is told once: zod measures an array's length in place of a string's all the same. */
function flattenAll(issues: readonly z.core.$ZodIssue[], parent: PropertyKey[] = []): Issue[] {
  const isWrongType = ({ code }: z.core.$ZodIssue) => code === 'invalid_type';
  const wrongTypes = new Set(issues.filter(isWrongType).map(({ path }) => pathOf(path)));
  return issues
    .filter((issue) => isWrongType(issue) || !wrongTypes.has(pathOf(issue.path)))
    .flatMap((issue) => flatten(issue, parent));
}

function flatten(issue: z.core.$ZodIssue, parent: PropertyKey[] = []): Issue[] {
  const path = [...parent, ...issue.path];
  if (issue.code === 'invalid_union') {
    const closest = closestBranch(issue.errors);
    if (closest) return flattenAll(closest, path);
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key): Issue => ({ path: pathOf([...path, key]), text: texts.unknownField }));
  }
  return [{ path: pathOf(path), text: textOf(issue) }];
}

/** The union branch whose type fits the input, if one does: its problems are the ones worth telling. */
function closestBranch(branches: z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  return branches.find((branch) => !branch.some((issue) => issue.code === 'invalid_type' && issue.path.length === 0));
}

/** `['to', 2]` becomes `to[2]`; the empty path is the whole body. */
export function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

const typeNames: Record<string, Text> = {
  string: { en: 'a string', fr: 'une chaîne' },
  number: { en: 'a number', fr: 'un nombre' },
  int: { en: 'an integer', fr: 'un entier' },
  boolean: { en: 'a boolean', fr: 'un booléen' },
  array: { en: 'an array', fr: 'un tableau' },
  object: { en: 'an object', fr: 'un objet' },
  record: { en: 'an object', fr: 'un objet' },
  null: inEachLanguage(() => 'null'),
};

const texts = textsOf({
  required: { en: 'is required', fr: 'est obligatoire' },
  unknownField: { en: 'is not a field of this request', fr: 'n’est pas un champ de cette requête' },
  malformed: { en: 'is malformed', fr: 'est mal formé' },
  url: { en: 'must be a URL', fr: 'doit être une URL' },
});

function textOf(issue: z.core.$ZodIssue): Text {
  switch (issue.code) {
    case 'custom':
      return (issue.params?.text as Text | undefined) ?? inEachLanguage(() => issue.message);
    case 'invalid_type':
      return issue.input === undefined ? texts.required : expected(issue.expected);
    case 'invalid_union':
      if ('options' in issue) return oneOf(issue.options as readonly unknown[]);
      return issue.input === undefined ? texts.required : expectedOneOf(issue.errors);
    case 'too_small':
      return bound(issue.origin, Number(issue.minimum), 'min');
    case 'too_big':
      return bound(issue.origin, Number(issue.maximum), 'max');
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_format':
      return issue.format === 'url' ? texts.url : texts.malformed;
    default:
      return texts.malformed;
  }
}

function oneOf(values: readonly unknown[]): Text {
  const named = values.map(String).join(', ');
  return { en: `must be one of: ${named}`, fr: `doit être l’une des valeurs : ${named}` };
}

function expected(type: string): Text {
  const name = typeNames[type] ?? text({ en: `of type ${type}`, fr: `de type ${type}` });
  return { en: `must be ${name.en}`, fr: `doit être ${name.fr}` };
}

/** The types that the branches of a union take. */
function expectedOneOf(branches: z.core.$ZodIssue[][]): Text {
  const types = branches.flatMap((branch) =>
    branch.flatMap((issue) => (issue.code === 'invalid_type' && issue.path.length === 0 ? [issue.expected] : [])),
  );
  const names = [...new Set(types)].map((type) => typeNames[type]);
  if (names.length === 0 || names.includes(undefined)) return texts.malformed;
  const known = names.filter((name) => name !== undefined);
  return {
    en: `must be ${known.map(({ en }) => en).join(' or ')}`,
    fr: `doit être ${known.map(({ fr }) => fr).join(' ou ')}`,
  };
}

function bound(origin: string, limit: number, side: 'min' | 'max'): Text {
  const en = side === 'min' ? 'at least' : 'at most';
  const fr = side === 'min' ? 'au moins' : 'au plus';
  if (origin === 'string') {
    if (side === 'min' && limit === 1) return { en: 'must not be empty', fr: 'ne doit pas être vide' };
    return { en: `must have ${en} ${limit} characters`, fr: `doit compter ${fr} ${limit} caractères` };
  }
  if (origin === 'array' || origin === 'set') {
    if (limit === 1) return { en: `must have ${en} one entry`, fr: `doit compter ${fr} une entrée` };
    return { en: `must have ${en} ${limit} entries`, fr: `doit compter ${fr} ${limit} entrées` };
  }
  return { en: `must be ${en} ${limit}`, fr: `doit valoir ${fr} ${limit}` };
}
