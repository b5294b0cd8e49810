import type { Text } from '../../language/text.ts';

/** Where a merge field takes its value from. */
type MergeSource =
  | { readonly kind: 'firstName' | 'lastName' | 'email' }
  | { readonly kind: 'unsubscribe' }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'variable'; readonly name: string };

/**
 * The names that merge fields may use: the fields of a person, these and the link to unsubscribe, or the variables of a
 * template.
 */
export type MergeNames = 'person' | 'message' | 'variables';

/** `{{firstName|there}}`: the person's value, or the fallback if there is none. */
export interface MergeField {
  readonly source: MergeSource;
  readonly fallback: string;
}

/** A problem of a text. `at` is its offset in UTF-16 units. */
export interface TextProblem {
  readonly at: number;
  readonly text: Text;
}

/** A text divided into merge fields and the text between them. No piece of text is empty. */
export interface MergeText {
  readonly parts: readonly (string | MergeField)[];
  readonly problems: readonly TextProblem[];
}

const texts = {
  unclosed: {
    en: 'a merge field is opened with "{{" but not closed with "}}"',
    fr: 'un champ de fusion est ouvert par « {{ » mais n’est pas fermé par « }} »',
  },
  unknown: (name: string): Text => ({
    en: `there is no merge field "{{${name}}}": use firstName, lastName, email or fields.NAME`,
    fr: `le champ de fusion « {{${name}}} » n’existe pas : utilisez firstName, lastName, email ou fields.NOM`,
  }),
  unnameable: (name: string): Text => ({
    en: `"{{${name}}}" is not a variable name: use at most 64 letters, digits, "_", "." and "-", with a letter first`,
    fr: `« {{${name}}} » n’est pas un nom de variable : utilisez au plus 64 lettres, chiffres, « _ », « . » et « - », en commençant par une lettre`,
  }),
};

const personSources: Readonly<Record<string, MergeSource>> = {
  firstName: { kind: 'firstName' },
  lastName: { kind: 'lastName' },
  email: { kind: 'email' },
};

/** Reads `{{NAME}}` and `{{NAME|fallback}}`, ignoring spaces around name and fallback. A single brace is text. */
export function readMergeFields(text: string, names: MergeNames = 'person'): MergeText {
  const parts: (string | MergeField)[] = [];
  const problems: TextProblem[] = [];
  let done = 0;
  const plain = (until: number) => {
    if (until > done) parts.push(text.slice(done, until));
  };
  // Searched again only when it was passed, so that many open braces cost one scan.
  let close = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', done)) {
    if (close !== -1 && close < open + 2) close = text.indexOf('}}', open + 2);
    const inside = close === -1 ? '' : text.slice(open + 2, close);
    if (close === -1 || /[{}\r\n]/.test(inside)) {
      plain(open + 2);
      problems.push({ at: open, text: texts.unclosed });
      done = open + 2;
      continue;
    }
    plain(open);
    const field = mergeFieldOf(inside, names);
    if (field) parts.push(field);
    else problems.push({ at: open, text: (names === 'variables' ? texts.unnameable : texts.unknown)(nameOf(inside)) });
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
  if (names === 'message' && name === unsubscribeName) return { source: { kind: 'unsubscribe' }, fallback: '' };
  const simple = Object.hasOwn(personSources, name) ? personSources[name] : undefined;
  if (simple) return { source: simple, fallback };
  const [, own] = /^fields\.([A-Za-z0-9_]{1,64})$/.exec(name) ?? [];
  return own === undefined ? null : { source: { kind: 'field', name: own }, fallback };
}

/**
 * A piece of a message that is HTML. `markup` is sent as it is but for braces, `styles` is text where no reference
 * stands for a brace; the body begins at `start` and ends at `end`.
 */
export type HtmlPiece =
  | { readonly kind: 'markup' | 'styles'; readonly text: string }
  | { readonly kind: 'merge'; readonly field: MergeField }
  | { readonly kind: 'start' | 'end' };

/** Stands for each person's own link. */
const unsubscribeName = 'unsubscribe_url';

export const isUnsubscribe = ({ source }: MergeField): boolean => source.kind === 'unsubscribe';

/** Shortened for error messages. */
const nameOf = (inside: string): string => (inside.split('|')[0] ?? '').trim().slice(0, 80);

/** The fields of a person that merge fields use. */
export interface MergePerson {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly fields: Readonly<Record<string, string | number | boolean>>;
}

/** The value on one line, not escaped: each part of a message escapes in its own way. */
export function mergeValue({ source, fallback }: MergeField, person: MergePerson): string {
  const line = onOneLine(storedValue(source, person));
  return line === '' ? fallback : line;
}

/** Line breaks become spaces, so that no value can start a header or a paragraph of its own. */
export const onOneLine = (value: string | number | boolean | null | undefined): string =>
  String(value ?? '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

function storedValue(source: MergeSource, person: MergePerson): string | number | boolean | null | undefined {
  if (source.kind === 'variable' || source.kind === 'unsubscribe') return undefined;
  if (source.kind !== 'field') return person[source.kind];
  return Object.hasOwn(person.fields, source.name) ? person.fields[source.name] : undefined;
}

/** Where a variable of the template takes its value from. */
export type VariableSource =
  | { readonly kind: 'merge'; readonly field: MergeField }
  | { readonly kind: 'unsubscribe' }
  /** `isMarkup`: inserted into HTML as it is. */
  | { readonly kind: 'constant'; readonly text: string; readonly isMarkup?: true };

export type MessagePart = 'subject' | 'html' | 'text';

/** One use of a value in one part. SES inserts it unescaped, so each part needs its own escaping. */
export interface Variable {
  readonly name: string;
  readonly part: MessagePart;
  readonly source: VariableSource;
}

/** A message as an inline template of SES: only `{{name}}` has a meaning in it. */
export interface MessageTemplate {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly variables: readonly Variable[];
  /** The web links of the message, each once, in order of appearance. */
  readonly links: readonly string[];
}

/**
 * Collects the variables and links of a message while its parts are written. Each use gets a variable of its own. Runs
 * of `{`, `}` and `\` in text become variables as well, since SES would interpret them.
 */
export class TemplateWriter {
  readonly variables: Variable[] = [];
  readonly #links = new Set<string>();
  readonly #constants = new Map<string, string>();

  get links(): readonly string[] {
    return [...this.#links];
  }

  /** Adds a variable and returns its placeholder. */
  placeholder(part: MessagePart, source: VariableSource): string {
    const name = `${part.charAt(0)}${this.variables.length}`;
    this.variables.push({ name, part, source });
    return `{{${name}}}`;
  }

  /** Literal text for the subject or the text part. */
  plain(part: 'subject' | 'text', text: string): string {
    return text.replace(/[{}\\]+/g, (run) => this.placeholder(part, { kind: 'constant', text: run }));
  }

  /** Markup for the HTML part, where references may stand for braces. */
  markup(html: string): string {
    return html.replace(/[{}\\]/g, (character) => references[character] ?? character);
  }

  /** The same for a style sheet, where references have no meaning. SES leaves single braces as they are. */
  styles(css: string): string {
    return css.replace(/[{}\\]{2,}|\\/g, (run) => {
      const known =
        this.#constants.get(run) ?? this.placeholder('html', { kind: 'constant', text: run, isMarkup: true });
      this.#constants.set(run, known);
      return known;
    });
  }

  /** The use of a merge field. */
  field(part: MessagePart, field: MergeField): string {
    return this.placeholder(part, isUnsubscribe(field) ? { kind: 'unsubscribe' } : { kind: 'merge', field });
  }

  /** Literal text for the HTML part or one of its attributes. */
  html(text: string): string {
    return escapeHtml(text);
  }

  link(href: string): void {
    if (/^https?:/.test(href)) this.#links.add(href);
  }
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '{': '&#123;',
  '}': '&#125;',
  '\\': '&#92;',
};

/** Escapes braces and backslashes as well, which SES would interpret. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'{}\\]/g, (character) => references[character] ?? character);

/** The default values of a call: fallbacks and constants. */
export function defaultData({ variables }: Pick<MessageTemplate, 'variables'>): Record<string, string> {
  return Object.fromEntries(variables.map((variable) => [variable.name, inPart(variable, fallbackOf(variable))]));
}

/** The values of one person that differ from the defaults. */
export function personalData(
  { variables }: Pick<MessageTemplate, 'variables'>,
  person: MergePerson,
  unsubscribeUrl: string,
): Record<string, string> {
  const own = variables.flatMap((variable): [string, string][] => {
    const { source } = variable;
    if (source.kind === 'constant') return [];
    if (source.kind === 'unsubscribe') return [[variable.name, inPart(variable, unsubscribeUrl)]];
    const value = mergeValue(source.field, person);
    return value === source.field.fallback ? [] : [[variable.name, inPart(variable, value)]];
  });
  return Object.fromEntries(own);
}

function fallbackOf({ source }: Variable): string {
  if (source.kind === 'merge') return source.field.fallback;
  return source.kind === 'constant' ? source.text : '';
}

function inPart({ part, source }: Variable, value: string): string {
  const isMarkup = source.kind === 'constant' && source.isMarkup === true;
  return part === 'html' && !isMarkup ? escapeHtml(value) : value;
}

/** Fills a template as SES does: for previews and single emails. */
export function substitute(text: string, data: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) =>
    Object.hasOwn(data, name) ? (data[name] ?? '') : placeholder,
  );
}
