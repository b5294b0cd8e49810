import type { Text } from '../../../language/text.ts';

/** What a merge field takes its value from. */
type MergeSource =
  | { readonly kind: 'firstName' | 'lastName' | 'email' }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'variable'; readonly name: string };

/** What may be named: what is known of a person, or whatever the sender of a template gives a value to. */
export type MergeNames = 'person' | 'variables';

/** `{{firstName|there}}`: the value of a person, or the fallback where there is none. */
export interface MergeField {
  readonly source: MergeSource;
  readonly fallback: string;
}

/** What is wrong at a place of a text, counted in UTF-16 units from its start. */
export interface TextProblem {
  readonly at: number;
  readonly text: Text;
}

/** Text and merge fields in their order; no text is empty, and no two stand side by side. */
export interface MergeText {
  readonly parts: readonly (string | MergeField)[];
  readonly problems: readonly TextProblem[];
}

const texts = {
  unclosed: {
    en: 'a merge field is opened with "{{" and not closed with "}}"',
    fr: 'un champ de fusion est ouvert par « {{ » et n’est pas fermé par « }} »',
  },
  unknown: (name: string): Text => ({
    en: `there is no merge field "{{${name}}}": there are firstName, lastName, email and fields.NAME`,
    fr: `il n’y a pas de champ de fusion « {{${name}}} » : il y a firstName, lastName, email et fields.NOM`,
  }),
  unnameable: (name: string): Text => ({
    en: `"{{${name}}}" is no name of a variable: letters, digits, "_", "." and "-", a letter first, 64 at most`,
    fr: `« {{${name}}} » n’est pas un nom de variable : lettres, chiffres, « _ », « . » et « - », une lettre d’abord, 64 au plus`,
  }),
};

const simpleSources: Readonly<Record<string, MergeSource>> = {
  firstName: { kind: 'firstName' },
  lastName: { kind: 'lastName' },
  email: { kind: 'email' },
};

/** Reads `{{NAME}}` and `{{NAME|fallback}}`; spaces around name and fallback do not count. A single brace is text. */
export function readMergeFields(text: string, names: MergeNames = 'person'): MergeText {
  const parts: (string | MergeField)[] = [];
  const problems: TextProblem[] = [];
  let done = 0;
  const plain = (until: number) => {
    if (until > done) parts.push(text.slice(done, until));
  };
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', done)) {
    const close = text.indexOf('}}', open + 2);
    const inside = text.slice(open + 2, close);
    if (close === -1 || /[{}\r\n]/.test(inside)) {
      plain(open + 2);
      problems.push({ at: open, text: texts.unclosed });
      done = open + 2;
      continue;
    }
    plain(open);
    const field = mergeFieldOf(inside, names);
    if (field) parts.push(field);
    else problems.push({ at: open, text: (names === 'person' ? texts.unknown : texts.unnameable)(nameOf(inside)) });
    done = close + 2;
  }
  plain(text.length);
  return { parts, problems };
}

export const variableName = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

function mergeFieldOf(inside: string, names: MergeNames): MergeField | null {
  const bar = inside.indexOf('|');
  const fallback = bar === -1 ? '' : inside.slice(bar + 1).trim();
  const name = nameOf(inside);
  if (names === 'variables') return variableName.test(name) ? { source: { kind: 'variable', name }, fallback } : null;
  const simple = Object.hasOwn(simpleSources, name) ? simpleSources[name] : undefined;
  if (simple) return { source: simple, fallback };
  const [, own] = /^fields\.([A-Za-z0-9_]{1,64})$/.exec(name) ?? [];
  return own === undefined ? null : { source: { kind: 'field', name: own }, fallback };
}

/** At most what a person can recognise it by. */
const nameOf = (inside: string): string => (inside.split('|')[0] ?? '').trim().slice(0, 80);

/** Whom a message is written to, as far as merge fields go. */
export interface MergePerson {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly fields: Readonly<Record<string, string | number | boolean>>;
}

/** The value on one line, as it is stored: what it is put into escapes it. */
export function mergeValue({ source, fallback }: MergeField, person: MergePerson): string {
  const line = onOneLine(storedValue(source, person));
  return line === '' ? fallback : line;
}

/** No value can begin a new header, or a paragraph that its author did not write. */
export const onOneLine = (value: string | number | boolean | null | undefined): string =>
  String(value ?? '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

function storedValue(source: MergeSource, person: MergePerson): string | number | boolean | null | undefined {
  if (source.kind === 'variable') return undefined;
  if (source.kind !== 'field') return person[source.kind];
  return Object.hasOwn(person.fields, source.name) ? person.fields[source.name] : undefined;
}
