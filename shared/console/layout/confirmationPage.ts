import type { Text } from '../../language/text.ts';
import { type Html, html } from '../../pages/html.ts';
import type { ConsoleCall, ConsoleReply } from '../call.ts';
import { pathOf } from '../paths.ts';
import { emptyForm, type FormState, formOf, problemsOf } from './form.ts';
import { layoutTexts as texts } from './layoutTexts.ts';
import { type PageFiles, pageOf, type SectionName } from './page.ts';

interface ConfirmationQuestion {
  readonly section: SectionName;
  readonly parent: { readonly label: string; readonly path: string };
  readonly title: string;
  /** What will happen, and to how many. */
  readonly what: readonly (string | Html)[];
  /** The names of what it affects, each an `<li>`. */
  readonly list?: readonly Html[];
  readonly button: Text;
  readonly isDangerous?: boolean;
  /** The path that the form is posted to. */
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** Fields to fill in, such as a reason or a word to type. */
  readonly fields?: Html | null;
  readonly filled?: FormState;
  readonly names?: readonly string[];
  /** A style sheet and a script of this page alone. */
  readonly files?: PageFiles;
}

/** Asks the operator to confirm an action, with the fields that it needs. */
export function confirmationPage(call: ConsoleCall, confirmation: ConfirmationQuestion): ConsoleReply {
  const { language } = call;
  const {
    section,
    parent,
    title,
    what,
    list = [],
    button,
    isDangerous = true,
    action,
    hidden = {},
    fields = null,
  } = confirmation;
  const { filled = emptyForm, names = [], files = {} } = confirmation;
  const body = html`<section class="card">${problemsOf(filled, language, names)}${what.map((line) => html`<p>${line}</p>\n`)}${list.length > 0 ? html`<ul>${list}</ul>` : null}
${formOf(
  call,
  { action: pathOf(call, action), hidden },
  html`${fields}<div class="row"><button class="${isDangerous ? 'danger' : ''}">${button[language]}</button>
<a class="button plain" href="${pathOf(call, parent.path)}">${texts.cancel[language]}</a></div>`,
)}</section>`;
  const isWrong = filled.issues.length > 0;
  return pageOf(call, { section, parent, title, body, status: isWrong ? 422 : 200, isWrong, files });
}
