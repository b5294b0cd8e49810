import { ValidationError } from '../../../../../contract/errors.ts';
import { weekdays } from '../../../../../domain/automation/automation.ts';
import type { Language } from '../../../../../language/languages.ts';
import type { Text } from '../../../../../language/text.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import { type FormState, field, ticks } from '../../../../layout/form.ts';
import type { Flow } from '../flow.ts';
import { fieldTexts as texts } from './fieldTexts.ts';

/** What of the workspace a form offers: pairs of a value and its name, or values alone. */
export interface Known {
  readonly events: readonly string[];
  readonly templates: readonly Choice[];
  readonly segments: readonly Choice[];
  readonly webhooks: readonly Choice[];
  readonly topics: readonly Choice[];
  readonly senders: readonly string[];
}

export type Choice = readonly [value: string, label: string];

/** What fields are drawn with. */
export interface FieldContext {
  readonly language: Language;
  /** What was posted, when the form is shown again. */
  readonly filled: FormState;
  readonly known: Known;
  readonly flow: Flow;
}

type FieldOptions = Parameters<typeof field>[2];
type Asked = Omit<FieldOptions, 'label' | 'hint'> & { readonly label: Text; readonly hint?: Text };

/** A field in the language of the operator. */
export const ask = ({ filled, language }: FieldContext, { label, hint, ...options }: Asked): Html =>
  field(filled, language, { ...options, label: label[language], ...(hint && { hint: hint[language] }) });

export const optionsOf = <Name extends string>(
  { language }: FieldContext,
  names: readonly Name[],
  labels: Readonly<Record<Name, Text>>,
): readonly Choice[] => names.map((name) => [name, labels[name][language]]);

/** Choices with the stored value among them, although it may not exist any more or be one of too many. */
export function withStored(choices: readonly Choice[], value: string | undefined, none?: string): readonly Choice[] {
  const all: readonly Choice[] = none === undefined ? choices : [['', none], ...choices];
  return value === undefined || all.some(([one]) => one === value) ? all : [...all, [value, value]];
}

/** One checkbox. */
export const tick = ({ filled, language }: FieldContext, name: string, label: Text, isOn: boolean): Html =>
  ticks(filled, language, {
    ...{ name, legend: '', choices: [{ value: 'yes', label: label[language] }] },
    chosen: isOn ? ['yes'] : [],
  });

/** Fields that belong to one choice of the select before them: a style sheet hides those of the others. */
export const ofChoice = (choices: string, body: Html): Html => html`<div class="of-choice ${choices}">${body}</div>`;

const units = ['minute', 'hour', 'day', 'week'] as const;

/** A duration such as `3 days`: a number and its unit. */
export function durationFields(
  shown: FieldContext,
  name: string,
  label: Text,
  value: string | null | undefined,
  hint?: Text,
): Html {
  const [, count = '', unit = 'day'] = /^(\d+) (minute|hour|day|week)s?$/.exec(value ?? '') ?? [];
  return html`<div class="beside">${ask(shown, { name, label, value: count, ...(hint && { hint }) })}
${ask(shown, { name: `${name}.unit`, label: texts.unit, value: unit, options: optionsOf(shown, units, texts) })}</div>`;
}

export function durationIn(form: URLSearchParams, name: string): string | undefined {
  const count = textIn(form, name);
  const unit = form.get(`${name}.unit`) ?? '';
  return count === undefined ? undefined : `${count} ${unit}${count === '1' ? '' : 's'}`;
}

export const weekdayTicks = ({ filled, language }: FieldContext, name: string, chosen: readonly string[]): Html =>
  ticks(filled, language, {
    ...{ name, legend: texts.weekdays[language], chosen },
    choices: weekdays.map((value) => ({ value, label: texts[value][language] })),
  });

/** Whether opens or clicks are counted: as it is set elsewhere, yes, or no. */
export function trackFields(
  shown: FieldContext,
  track: { opens?: boolean | undefined; clicks?: boolean | undefined } | null,
) {
  const select = (name: 'opens' | 'clicks') => {
    const value = track?.[name];
    const options = optionsOf(shown, ['', 'yes', 'no'] as const, { '': texts.asSet, yes: texts.yes, no: texts.no });
    return ask(shown, {
      ...{ name: `track.${name}`, label: texts[name], options },
      value: value === undefined ? '' : value ? 'yes' : 'no',
    });
  };
  return html`<div class="beside">${select('opens')}${select('clicks')}</div>`;
}

export function trackIn(form: URLSearchParams) {
  const of = (name: string) => {
    const value = form.get(`track.${name}`);
    return value === 'yes' || value === 'no' ? value === 'yes' : undefined;
  };
  const track = compact({ opens: of('opens'), clicks: of('clicks') });
  return Object.keys(track).length > 0 ? track : undefined;
}

/* What was posted. */

export const textIn = (form: URLSearchParams, name: string): string | undefined => form.get(name)?.trim() || undefined;

/** A body, whose own spaces stay. Browsers send line breaks as CRLF. */
export function bodyIn(form: URLSearchParams, name: string): string | undefined {
  const value = form.get(name)?.replaceAll('\r\n', '\n') ?? '';
  return value.trim() === '' ? undefined : value;
}

/** A number; any other text stays one, for the contract to report. */
export function numberIn(form: URLSearchParams, name: string): number | string | undefined {
  const value = textIn(form, name);
  return value !== undefined && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
}

export const isTicked = (form: URLSearchParams, name: string): boolean => form.get(name) === 'yes';

/** Entries, one a line: a name of a mailbox and a tag may contain commas. */
export function listIn(form: URLSearchParams, name: string): string[] | undefined {
  const entries = (form.get(name) ?? '').split('\n').map((entry) => entry.trim());
  const given = [...new Set(entries.filter((entry) => entry !== ''))];
  return given.length > 0 ? given : undefined;
}

/** An object without its undefined fields. */
export const compact = (value: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));

/* Values of a step: `{{event.plan}}` stands for a variable, and what reads as JSON is what it says. */

/** The value that a text stands for. */
export function readValue(text: string): unknown {
  const [, path] = /^\{\{\s*([\w.-]+)\s*\}\}$/.exec(text) ?? [];
  if (path !== undefined) return { var: path };
  if (!/^(?:[["{]|-?\d|true$|false$|null$)/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'number' && String(value) !== text ? text : value;
  } catch {
    return text;
  }
}

const isVariable = (value: unknown): value is { readonly var: string } =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).join() === 'var' &&
  'var' in value &&
  typeof value.var === 'string';

/** The text that stands for a value; undefined has none. */
export function writtenValue(value: unknown): string {
  if (value === undefined) return '';
  if (isVariable(value)) return `{{${value.var}}}`;
  const isPlain =
    typeof value === 'string' && value === value.trim() && !/[\r\n]/.test(value) && readValue(value) === value;
  return isPlain ? value : JSON.stringify(value);
}

const isPlainName = (name: string): boolean => /^[^\s={](?:[^=\r\n]*[^\s=])?$/.test(name);

/** One value a line: `city = Paris`. With names that a line cannot hold, the whole as JSON. */
export function writtenValues(values: Readonly<Record<string, unknown>> = {}): string {
  const entries = Object.entries(values);
  if (!entries.every(([name]) => isPlainName(name))) return JSON.stringify(values, null, 2);
  return entries.map(([name, value]) => `${name} = ${writtenValue(value)}`).join('\n');
}

/** Throws `validation_error` for a line without a sign. */
export function valuesIn(form: URLSearchParams, name: string): Record<string, unknown> | undefined {
  const text = (form.get(name) ?? '').trim();
  const json = text.startsWith('{') ? readValue(text.replaceAll('\r\n', '\n')) : text;
  if (typeof json === 'object' && json !== null) return json as Record<string, unknown>;
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const wrong = lines.find((line) => !line.includes('='));
  if (wrong !== undefined) throw new ValidationError([{ path: name, text: withoutSign(wrong) }]);
  const values = lines.map((line): [string, unknown] => {
    const at = line.indexOf('=');
    return [line.slice(0, at).trim(), readValue(line.slice(at + 1).trim())];
  });
  return values.length > 0 ? Object.fromEntries(values) : undefined;
}

const withoutSign = (line: string): Text => ({
  en: texts.withoutSign.en.replace('{line}', () => line.slice(0, 80)),
  fr: texts.withoutSign.fr.replace('{line}', () => line.slice(0, 80)),
});
