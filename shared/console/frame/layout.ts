import { languageTags, nameOfLanguage } from '../../language/languages.ts';
import { type Html, html } from '../../pages/html.ts';
import { scriptPath, stylePath } from '../assets/assets.ts';
import { type ConsoleCall, type ConsoleReply, placeOf } from '../call.ts';
import { consoleRoot } from '../root.ts';
import { bareDocument, type PageFiles } from './bare.ts';
import { formOf } from './form.ts';
import { icons } from './icons.ts';
import { doneTexts, roleTexts, frameTexts as texts } from './texts.ts';

/** The rooms in the order of the navigation, each with the key that follows `g`. */
export const rooms = [
  { name: 'overview', path: '', key: 'o' },
  { name: 'emails', path: '/emails', key: 'e' },
  { name: 'people', path: '/people', key: 'p' },
  { name: 'segments', path: '/segments', key: 's' },
  { name: 'campaigns', path: '/campaigns', key: 'c' },
  { name: 'suppression', path: '/suppression', key: 'x' },
  { name: 'webhooks', path: '/webhooks', key: 'w' },
  { name: 'domains', path: '/domains', key: 'd' },
  { name: 'settings', path: '/settings', key: 't' },
] as const;

export type RoomName = (typeof rooms)[number]['name'];

export interface PageContent {
  readonly room: RoomName;
  readonly title: string;
  /** One line below the title. */
  readonly lead?: Html | string | null;
  /** Where the page lies: a link to its list. */
  readonly parent?: { readonly label: string; readonly path: string };
  /** Buttons beside the title. */
  readonly actions?: Html | null;
  readonly body: Html;
  readonly status?: number;
  /** True for a form with a mistake in it, which the title of the window says first. */
  readonly isWrong?: boolean;
  /** A style and a script of this page alone. */
  readonly files?: PageFiles;
}

/** A page of a workspace: navigation, what was done just now, heading, content. */
export function pageOf(call: ConsoleCall, content: PageContent): ConsoleReply {
  const { language, workspaceName } = call;
  const { title, lead, parent, actions, body, status = 200, isWrong = false, files = {} } = content;
  const done = call.query.get('done') ?? '';
  const said = Object.hasOwn(doneTexts, done) ? doneTexts[done as keyof typeof doneTexts][language] : null;
  const prefix = isWrong ? `${texts.error[language]} – ` : '';
  const document = bareDocument(
    { language, title: `${prefix}${title} – ${workspaceName}`, style: stylePath(), script: scriptPath(), files },
    html`<a class="skip" href="#main">${texts.skip[language]}</a>
${side(call, content.room)}
<main id="main" tabindex="-1">
${said === null ? null : html`<div class="say good" role="status"><p>${said}</p></div>`}
${parent ? html`<p class="crumb"><a href="${placeOf(call, parent.path)}">${parent.label}</a></p>` : null}
<div class="head"><div><h1>${title}</h1>${lead ? html`<p class="lead">${lead}</p>` : null}</div>
${actions ? html`<div class="row">${actions}</div>` : null}</div>
${body}
</main>
${foot(call)}
${help(call)}`,
  );
  return { kind: 'document', status, document };
}

function side(call: ConsoleCall, current: RoomName): Html {
  const { language, workspaceName } = call;
  const items = rooms.map(({ name, path, key }) => {
    const isCurrent = name === current ? html` aria-current="page"` : null;
    return html`<li><a href="${placeOf(call, path)}" data-key="${key}"${isCurrent}>${icons[name]}${texts[name][language]}</a></li>
`;
  });
  return html`<header class="side"><div class="who"><a href="${consoleRoot()}"><span class="mark">${icons.mark}</span>
<span><b><bdi>${workspaceName}</bdi></b></span><span class="quiet">, ${texts.workspaces[language]}</span></a></div>
<nav aria-label="${texts.rooms[language]}"><ul>${items}</ul></nav></header>`;
}

function foot(call: ConsoleCall): Html {
  const { language, context, request } = call;
  const { name, role } = context.actor;
  const others = languageTags.filter((tag) => tag !== language);
  const back = `${consoleRoot()}${request.path}`;
  return html`<footer class="foot"><span><bdi>${name}</bdi>, ${roleTexts[role][language]}</span>
${others.map((tag) => formOf(call, { action: `${consoleRoot()}/language`, className: '', hidden: { language: tag, back } }, html`<button class="link" lang="${tag}">${nameOfLanguage(tag, tag)}</button>`))}
${formOf(call, { action: `${consoleRoot()}/sign-out`, className: '' }, html`<button class="link">${texts.signOut[language]}</button>`)}
<button class="link" type="button" data-opens-help>${texts.shortcuts[language]}</button></footer>`;
}

function help({ language }: ConsoleCall): Html {
  const rows = rooms.map(
    ({ name, key }) =>
      html`<tr><td><kbd>g</kbd> ${texts.thenPress[language]} <kbd>${key}</kbd></td><td>${texts[name][language]}</td></tr>`,
  );
  return html`<dialog data-help aria-labelledby="help-title"><h2 id="help-title">${texts.shortcuts[language]}</h2>
<table><tbody><tr><td><kbd>/</kbd></td><td>${texts.shortcutSearch[language]}</td></tr>${rows}
<tr><td><kbd>?</kbd></td><td>${texts.shortcutHelp[language]}</td></tr></tbody></table>
<form method="dialog"><button class="plain">${texts.close[language]}</button></form></dialog>`;
}
