import type { Issue } from '../contract/errors.ts';
import type { Brand } from '../domain/workspace/brand.ts';
import type { FormField, Workspace } from '../domain/workspace/workspace.ts';
import type { Language } from '../language/languages.ts';
import type { Text } from '../language/text.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { fieldTexts, joinQuestion } from './pageTexts.ts';

/** The values of the form, shown again when something is wrong with them. */
export interface JoinFields {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Answers to the workspace's own questions by the names of their fields. */
  readonly own: Readonly<Record<string, string>>;
}

type JoinedWorkspace = Pick<Workspace, 'name' | 'form'> & { readonly brand?: Brand | null };

const emptyFields: JoinFields = { email: '', firstName: '', lastName: '', own: {} };

/** A hidden field that most robots fill in. */
export const trapField = 'website';

/** The hidden field that proves that the form was fetched. */
export const tokenField = 'form_token';

/** What a form shows besides its questions. */
export interface FilledForm {
  readonly token?: string;
  readonly fields?: JoinFields;
  readonly issues?: readonly Issue[];
  /** True when the form was open for too long and must be submitted again. */
  readonly isStale?: boolean;
}

/** The form's name of a workspace's own field, which cannot clash with our names. */
export const ownFieldName = (name: string): string => `field-${name}`;

interface Field {
  readonly name: 'email' | 'firstName' | 'lastName';
  readonly label: Text;
  readonly problem: Text;
  readonly type: 'email' | 'text';
  readonly autocomplete: string;
}

const fields: readonly Field[] = [
  {
    name: 'email',
    label: fieldTexts.email,
    problem: fieldTexts.emailProblem,
    type: 'email',
    autocomplete: 'email',
  },
  {
    name: 'firstName',
    label: fieldTexts.firstName,
    problem: fieldTexts.nameProblem,
    type: 'text',
    autocomplete: 'given-name',
  },
  {
    name: 'lastName',
    label: fieldTexts.lastName,
    problem: fieldTexts.nameProblem,
    type: 'text',
    autocomplete: 'family-name',
  },
];

/** The form, empty or with its values and problems. Browsers do not validate it, so that messages have one language. */
export function joinForm(
  language: Language,
  workspace: JoinedWorkspace,
  { token = '', fields: given = emptyFields, issues = [], isStale = false }: FilledForm = {},
): Html {
  const wrong = issues.length > 0 || isStale;
  const alert = isStale ? fieldTexts.stale : fieldTexts.errorSummary;
  const summary = wrong ? html`<p class="alert" role="alert">${alert[language]}</p>` : null;
  const form = html`<form method="post" novalidate>
${fields.map((field) => fieldView(field, given[field.name], problemOf(field, given, issues, language), language))}
${ownFields(workspace).map((field) => ownFieldView(field, given.own[field.name] ?? '', ownProblem(field, issues, language), language))}
<div class="trap" aria-hidden="true"><label for="${trapField}">${fieldTexts.trap[language]}</label><input id="${trapField}" name="${trapField}" type="text" tabindex="-1" autocomplete="off"></div>
<input type="hidden" name="${tokenField}" value="${token}">
<button type="submit">${joinQuestion.button[language]}</button>
</form>`;
  const own = (workspace.form?.text ?? '').split(/\n+/).filter((line) => line.trim() !== '');
  const privacyUrl = workspace.form?.privacyUrl;
  return layout({
    language,
    workspace: workspace.name,
    brand: workspace.brand ?? null,
    notice: joinQuestion,
    titlePrefix: wrong ? fieldTexts.errorTitle : undefined,
    actions: html`${own.map((line) => html`<p>${line}</p>\n`)}${summary}${form}${privacyUrl === undefined ? null : privacyLink(privacyUrl, language)}`,
  });
}

/** The text of the form, line by line: it is stored with the consent. */
export function formText(language: Language, { name, form }: JoinedWorkspace) {
  const { title, paragraphs, button } = joinQuestion;
  const lines = [title, ...paragraphs, ...fields.map(({ label }) => label), button].map((one) => one[language]);
  const asked = (form?.fields ?? []).map(({ label, choices = [] }) => [label, ...choices].join(' / '));
  const own = [...asked, form?.text, form?.privacyUrl].filter((line) => line !== undefined);
  return { text: [...lines.map((line) => line.replace('{workspace}', () => name)), ...own].join('\n'), language };
}

/** Opens in a new tab: the form may be in a frame. */
const privacyLink = (url: string, language: Language): Html =>
  html`\n<p class="note"><a href="${url}" target="_blank" rel="noopener">${fieldTexts.privacy[language]}</a></p>`;

function problemOf(field: Field, given: JoinFields, issues: readonly Issue[], language: Language): string | null {
  const issue = issues.find(({ path }) => path === field.name);
  if (!issue) return null;
  if (field.name === 'email' && given.email.trim() === '') return fieldTexts.emailMissing[language];
  return field.problem[language].replace('{problem}', () => issue.text[language]);
}

function fieldView(field: Field, value: string, problem: string | null, language: Language): Html {
  const { name, type } = field;
  const invalid = problem === null ? null : html` aria-invalid="true" aria-describedby="${name}-problem"`;
  const required = name === 'email' ? html` required` : null;
  const keyboard = type === 'email' ? html` spellcheck="false" autocapitalize="none"` : null;
  return html`<div class="field"><label for="${name}">${field.label[language]}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${field.autocomplete}" value="${value}"${required}${keyboard}${invalid}>
${problem === null ? null : html`<p class="problem" id="${name}-problem">${problem}</p>`}</div>
`;
}

const ownFields = ({ form }: JoinedWorkspace): readonly FormField[] => form?.fields ?? [];

const ownProblem = ({ name }: FormField, issues: readonly Issue[], language: Language): string | null => {
  const issue = issues.find(({ path }) => path === `fields.${name}`);
  return issue ? fieldTexts.answerProblem[language].replace('{problem}', () => issue.text[language]) : null;
};

/** A field of the workspace's own is never required. */
function ownFieldView(field: FormField, value: string, problem: string | null, language: Language): Html {
  const name = ownFieldName(field.name);
  const invalid = problem === null ? null : html` aria-invalid="true" aria-describedby="${name}-problem"`;
  return html`<div class="field"><label for="${name}">${fieldTexts.optional[language].replace('{label}', () => field.label)}</label>
${field.choices ? choiceView(name, field.choices, value, language) : html`<input id="${name}" name="${name}" type="text" autocomplete="off" value="${value}"${invalid}>`}
${problem === null ? null : html`<p class="problem" id="${name}-problem">${problem}</p>`}</div>
`;
}

const choiceView = (name: string, choices: readonly string[], value: string, language: Language): Html =>
  html`<select id="${name}" name="${name}"><option value="">${fieldTexts.noChoice[language]}</option>
${choices.map((choice) => html`<option${choice === value ? html` selected` : null}>${choice}</option>\n`)}</select>`;
