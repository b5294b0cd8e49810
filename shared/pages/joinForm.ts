import type { Issue } from '../contract/errors.ts';
import { fieldTexts, joinQuestion } from '../contract/pageTexts.ts';
import type { Workspace } from '../domain/workspace/workspace.ts';
import type { Language } from '../language/languages.ts';
import type { Text } from '../language/text.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

/** What a person typed, shown again as it was when something is wrong with it. */
export interface JoinFields {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Whose form it is. */
type JoinedWorkspace = Pick<Workspace, 'name' | 'form'>;

const emptyFields: JoinFields = { email: '', firstName: '', lastName: '' };

/** A field that no person sees and most robots fill in. */
export const trapField = 'website';

interface Field {
  readonly name: keyof JoinFields;
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

/** The form, empty or with what was typed and what is wrong with it. Browsers leave the checking to us: one language. */
export function joinForm(
  language: Language,
  workspace: JoinedWorkspace,
  given: JoinFields = emptyFields,
  issues: readonly Issue[] = [],
): Html {
  const wrong = issues.length > 0;
  const summary = wrong ? html`<p class="alert" role="alert">${fieldTexts.errorSummary[language]}</p>` : null;
  const form = html`<form method="post" novalidate>
${fields.map((field) => fieldView(field, given[field.name], problemOf(field, given, issues, language), language))}
<div class="trap" aria-hidden="true"><label for="${trapField}">${fieldTexts.trap[language]}</label><input id="${trapField}" name="${trapField}" type="text" tabindex="-1" autocomplete="off"></div>
<button type="submit">${joinQuestion.button[language]}</button>
</form>`;
  const own = (workspace.form?.text ?? '').split(/\n+/).filter((line) => line.trim() !== '');
  const privacyUrl = workspace.form?.privacyUrl;
  return layout({
    language,
    workspace: workspace.name,
    notice: joinQuestion,
    titlePrefix: wrong ? fieldTexts.errorTitle : undefined,
    actions: html`${own.map((line) => html`<p>${line}</p>\n`)}${summary}${form}${privacyUrl === undefined ? null : privacyLink(privacyUrl, language)}`,
  });
}

/** What the form says to whoever fills it in, line by line. */
export function formText(language: Language, { name, form }: JoinedWorkspace) {
  const { title, paragraphs, button } = joinQuestion;
  const said = [title, ...paragraphs, ...fields.map(({ label }) => label), button].map((one) => one[language]);
  const own = [form?.text, form?.privacyUrl].filter((line) => line !== undefined);
  return { text: [...said.map((line) => line.replace('{workspace}', () => name)), ...own].join('\n'), language };
}

/** In a page of its own: the form may stand in a frame. */
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
