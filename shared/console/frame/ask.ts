import type { Text } from '../../language/text.ts';
import { type Html, html } from '../../pages/html.ts';
import { type ConsoleCall, type ConsoleReply, placeOf } from '../call.ts';
import type { PageFiles } from './bare.ts';
import { type Filled, formOf, problemsOf, untouched } from './form.ts';
import { pageOf, type RoomName } from './layout.ts';
import { frameTexts as texts } from './texts.ts';

interface Question {
  readonly room: RoomName;
  readonly parent: { readonly label: string; readonly path: string };
  readonly title: string;
  /** What will happen, and how many it meets. */
  readonly what: readonly (string | Html)[];
  /** What it meets, by name: `<li>` each. */
  readonly list?: readonly Html[];
  readonly button: Text;
  readonly isDangerous?: boolean;
  /** Where the answer is posted. */
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** Fields that the answer needs, such as a reason or a word to type. */
  readonly fields?: Html | null;
  readonly filled?: Filled;
  readonly names?: readonly string[];
  /** A style and a script of this question alone. */
  readonly files?: PageFiles;
}

/** The second step of what cannot be taken back. */
export function askPage(call: ConsoleCall, question: Question): ConsoleReply {
  const { language } = call;
  const {
    room,
    parent,
    title,
    what,
    list = [],
    button,
    isDangerous = true,
    action,
    hidden = {},
    fields = null,
  } = question;
  const { filled = untouched, names = [], files = {} } = question;
  const body = html`<section class="card">${problemsOf(filled, language, names)}${what.map((line) => html`<p>${line}</p>\n`)}${list.length > 0 ? html`<ul>${list}</ul>` : null}
${formOf(
  call,
  { action: placeOf(call, action), hidden },
  html`${fields}<div class="row"><button class="${isDangerous ? 'danger' : ''}">${button[language]}</button>
<a class="button plain" href="${placeOf(call, parent.path)}">${texts.cancel[language]}</a></div>`,
)}</section>`;
  const isWrong = filled.issues.length > 0;
  return pageOf(call, { room, parent, title, body, status: isWrong ? 422 : 200, isWrong, files });
}
