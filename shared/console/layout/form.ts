import type * as z from 'zod';
import { type ErrorCode, type Issue, issuesOf, ServiceError, ValidationError } from '../../contract/errors.ts';
import { parseWithLoopback } from '../../contract/schemas/fields.ts';
import type { Language } from '../../language/languages.ts';
import { type Html, html } from '../../pages/html.ts';
import { config } from '../../platform/config.ts';
import type { ConsoleCall, ConsoleReply } from '../call.ts';
import { layoutTexts as texts } from './layoutTexts.ts';

/** The name of the field that holds the token against forgery. */
export const tokenField = 'form_token';

interface FormOptions {
  readonly action: string;
  readonly className?: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly role?: 'search';
}

/**
 * A form sent by POST, with its token. Browsers do not validate it: all messages appear at once and in one language.
 */
export function formOf(
  { formToken }: Pick<ConsoleCall, 'formToken'>,
  { action, className = 'stack', hidden = {}, role }: FormOptions,
  body: Html,
): Html {
  const fields = Object.entries({ [tokenField]: formToken, ...hidden });
  return html`<form method="post" action="${action}" class="${className}"${role ? html` role="${role}"` : null} novalidate>${fields.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}
${body}</form>`;
}

/** The submitted values and their problems, for a form that is shown again. */
export interface FormState {
  readonly values: URLSearchParams;
  readonly issues: readonly Issue[];
}

export const emptyForm: FormState = { values: new URLSearchParams(), issues: [] };

interface FieldOptions {
  readonly name: string;
  readonly label: string | Html;
  readonly hint?: string | Html;
  /** The initial value. */
  readonly value?: string;
  readonly type?: 'text' | 'email' | 'url' | 'search' | 'date' | 'time' | 'textarea';
  readonly required?: boolean;
  /** Choices: value and label. */
  readonly options?: readonly (readonly [string, string])[];
  readonly autocomplete?: string;
  /** Values that exist, offered while one is written; any other may be written too. */
  readonly suggestions?: readonly string[] | undefined;
  /** The contract's name of the field when the form's name differs. */
  readonly path?: string;
}

/** A field with its label, hint and problems. Problems use the contract's wording. */
export function field(filled: FormState, language: Language, definition: FieldOptions): Html {
  const { name, label, hint, type = 'text', options, required, autocomplete = 'off', path = name } = definition;
  const { suggestions = [] } = definition;
  const value = filled.values.get(name) ?? definition.value ?? '';
  const problems = filled.issues.filter((issue) => isOf(path, issue)).map(({ text }) => text[language]);
  const descriptions = [...(hint ? [`${name}-hint`] : []), ...(problems.length > 0 ? [`${name}-problem`] : [])];
  const described = descriptions.length > 0 ? html` aria-describedby="${descriptions.join(' ')}"` : null;
  const list = suggestions.length > 0 ? html` list="${name}-list"` : null;
  const attributes = html`id="${name}" name="${name}"${problems.length > 0 ? html` aria-invalid="true"` : null}${described}${required ? html` required` : null}${list}`;
  return html`<div class="field"><label for="${name}">${label}</label>
${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : null}${control(type, options, attributes, value, autocomplete)}${list && html`<datalist id="${name}-list">${suggestions.map((one) => html`<option value="${one}">`)}</datalist>`}
${problems.length > 0 ? html`<p class="problem" id="${name}-problem">${problems.join('; ')}</p>` : null}</div>
`;
}

function control(
  type: NonNullable<FieldOptions['type']>,
  options: FieldOptions['options'],
  attributes: Html,
  value: string,
  autocomplete: string,
): Html {
  if (options) {
    const shown = options.map(
      ([key, label]) => html`<option value="${key}"${key === value ? html` selected` : null}>${label}</option>`,
    );
    return html`<select ${attributes}>${shown}</select>`;
  }
  // Browsers drop the first line break in a textarea (HTML, 13.2.6.4.7): one more keeps it.
  if (type === 'textarea') return html`<textarea ${attributes}>\n${value}</textarea>`;
  const plain = type === 'email' || type === 'url' ? html` spellcheck="false" autocapitalize="none"` : null;
  return html`<input ${attributes} type="${type}" value="${value}" autocomplete="${autocomplete}"${plain}>`;
}

/** Checkboxes, or radio buttons. */
export function ticks(
  filled: FormState,
  language: Language,
  definition: {
    readonly name: string;
    readonly legend: string;
    readonly choices: readonly { readonly value: string; readonly label: string; readonly hint?: string }[];
    readonly chosen?: readonly string[];
    readonly type?: 'checkbox' | 'radio';
  },
): Html {
  const { name, legend, choices, chosen = [], type = 'checkbox' } = definition;
  const wasPosted = filled.values.has(name) || filled.values.has(tokenField) || filled.issues.length > 0;
  const picked = wasPosted ? filled.values.getAll(name) : chosen;
  const problems = filled.issues.filter((issue) => isOf(name, issue)).map(({ text }) => text[language]);
  const described = problems.length > 0 ? html` aria-describedby="${name}-problem"` : null;
  return html`<fieldset${described}><legend>${legend}</legend>${choices.map(
    ({ value, label, hint }) =>
      html`<label class="pick"><input type="${type}" name="${name}" value="${value}"${picked.includes(value) ? html` checked` : null}><span>${label}${hint ? html`<small>${hint}</small>` : null}</span></label>
`,
  )}${problems.length > 0 ? html`<p class="problem" id="${name}-problem">${problems.join('; ')}</p>` : null}</fieldset>`;
}

/** Problems of `tags[2]` and `fields.city` are shown at `tags` and `fields`. */
const isOf = (name: string, { path }: Issue): boolean =>
  path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);

/** The summary above a form with problems. It also lists the problems that belong to none of these fields. */
export function problemsOf({ issues }: FormState, language: Language, names: readonly string[]): Html | null {
  if (issues.length === 0) return null;
  const others = issues.filter((issue) => !names.some((name) => isOf(name, issue)));
  const lines = others.map(({ path, text }) => html`<p>${path === '' ? '' : `${path}: `}${text[language]}</p>`);
  return html`<div class="say bad" role="alert"><p>${texts.wrong[language]}</p>${lines}</div>`;
}

/** The values of a form as the schema outputs them. Throws `validation_error` with all problems. */
export function parseForm<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = parseWithLoopback(config('ALLOW_LOOPBACK'), () => schema.safeParse(value, { reportInput: true }));
  if (result.success) return result.data;
  throw new ValidationError(issuesOf(result.error));
}

/** Runs the action, or shows the form again with its values and problems. */
export async function submitForm(
  call: ConsoleCall,
  act: () => Promise<ConsoleReply>,
  show: (filled: FormState) => ConsoleReply | Promise<ConsoleReply>,
): Promise<ConsoleReply> {
  try {
    return await act();
  } catch (error) {
    const issues = issuesIn(error);
    if (issues) return show({ values: call.form, issues });
    throw error;
  }
}

/** Errors that another value in the form may correct; any other error has a page of its own. */
const correctableCodes: readonly ErrorCode[] = ['conflict', 'suppressed_recipient', 'unverified_from_domain'];

function issuesIn(error: unknown): readonly Issue[] | null {
  if (error instanceof ValidationError) return error.issues;
  if (error instanceof ServiceError && correctableCodes.includes(error.code)) return [{ path: '', text: error.text }];
  return null;
}
