import type { Issue } from '../../contract/errors.ts';
import type { Language } from '../../language/languages.ts';
import { type Html, html } from '../../pages/html.ts';
import type { ConsoleCall } from '../call.ts';
import { frameTexts as texts } from './texts.ts';

/** The name of the field that holds the token against forgery. */
export const tokenField = 'form_token';

interface FormWanted {
  readonly action: string;
  readonly className?: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly role?: 'search';
}

/** A form that posts, with its token. Browsers leave the checking to us: one language, and every problem at once. */
export function formOf(
  { formToken }: Pick<ConsoleCall, 'formToken'>,
  { action, className = 'stack', hidden = {}, role }: FormWanted,
  body: Html,
): Html {
  const fields = Object.entries({ [tokenField]: formToken, ...hidden });
  return html`<form method="post" action="${action}" class="${className}"${role ? html` role="${role}"` : null} novalidate>${fields.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}
${body}</form>`;
}

/** What was typed and what is wrong with it, where a form is shown again. */
export interface Filled {
  readonly values: URLSearchParams;
  readonly issues: readonly Issue[];
}

export const untouched: Filled = { values: new URLSearchParams(), issues: [] };

interface FieldWanted {
  readonly name: string;
  readonly label: string | Html;
  readonly hint?: string | Html;
  /** What stands there before anything was typed. */
  readonly value?: string;
  readonly type?: 'text' | 'email' | 'url' | 'search' | 'date' | 'time' | 'textarea';
  readonly required?: boolean;
  /** Choices: value and label. */
  readonly options?: readonly (readonly [string, string])[];
  readonly autocomplete?: string;
  /** What the contract calls the field, where the form's name is another. */
  readonly path?: string;
}

/** A field with its label, its hint and what is wrong with it, in the contract's own words. */
export function field(filled: Filled, language: Language, wanted: FieldWanted): Html {
  const { name, label, hint, type = 'text', options, required, autocomplete = 'off', path = name } = wanted;
  const value = filled.values.get(name) ?? wanted.value ?? '';
  const problems = filled.issues.filter((issue) => isOf(path, issue)).map(({ text }) => text[language]);
  const told = [...(hint ? [`${name}-hint`] : []), ...(problems.length > 0 ? [`${name}-problem`] : [])];
  const described = told.length > 0 ? html` aria-describedby="${told.join(' ')}"` : null;
  const attributes = html`id="${name}" name="${name}"${problems.length > 0 ? html` aria-invalid="true"` : null}${described}${required ? html` required` : null}`;
  return html`<div class="field"><label for="${name}">${label}</label>
${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : null}${control(type, options, attributes, value, autocomplete)}
${problems.length > 0 ? html`<p class="problem" id="${name}-problem">${problems.join('; ')}</p>` : null}</div>
`;
}

function control(
  type: NonNullable<FieldWanted['type']>,
  options: FieldWanted['options'],
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
  // A line break at the beginning of a textarea is dropped by browsers (HTML, 13.2.6.4.7): one more keeps it.
  if (type === 'textarea') return html`<textarea ${attributes}>\n${value}</textarea>`;
  const plain = type === 'email' || type === 'url' ? html` spellcheck="false" autocapitalize="none"` : null;
  return html`<input ${attributes} type="${type}" value="${value}" autocomplete="${autocomplete}"${plain}>`;
}

/** Choices of which several may be ticked. */
export function ticks(
  filled: Filled,
  language: Language,
  wanted: {
    readonly name: string;
    readonly legend: string;
    readonly choices: readonly { readonly value: string; readonly label: string; readonly hint?: string }[];
    readonly chosen?: readonly string[];
    readonly type?: 'checkbox' | 'radio';
  },
): Html {
  const { name, legend, choices, chosen = [], type = 'checkbox' } = wanted;
  const picked = filled.values.has(name) || filled.issues.length > 0 ? filled.values.getAll(name) : chosen;
  const problems = filled.issues.filter((issue) => isOf(name, issue)).map(({ text }) => text[language]);
  const described = problems.length > 0 ? html` aria-describedby="${name}-problem"` : null;
  return html`<fieldset${described}><legend>${legend}</legend>${choices.map(
    ({ value, label, hint }) =>
      html`<label class="pick"><input type="${type}" name="${name}" value="${value}"${picked.includes(value) ? html` checked` : null}><span>${label}${hint ? html`<small>${hint}</small>` : null}</span></label>
`,
  )}${problems.length > 0 ? html`<p class="problem" id="${name}-problem">${problems.join('; ')}</p>` : null}</fieldset>`;
}

/** `tags[2]` and `fields.city` are told at `tags` and `fields`. */
const isOf = (name: string, { path }: Issue): boolean =>
  path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);

/** Said before a form that is shown again; with what belongs to none of its fields. */
export function problemsOf({ issues }: Filled, language: Language, names: readonly string[]): Html | null {
  if (issues.length === 0) return null;
  const others = issues.filter((issue) => !names.some((name) => isOf(name, issue)));
  const lines = others.map(({ path, text }) => html`<p>${path === '' ? '' : `${path}: `}${text[language]}</p>`);
  return html`<div class="say bad" role="alert"><p>${texts.wrong[language]}</p>${lines}</div>`;
}
