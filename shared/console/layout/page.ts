import { type Language, languageTags, nameOfLanguage } from '../../language/languages.ts';
import { type Html, html } from '../../pages/html.ts';
import { assetPath } from '../assets.ts';
import type { ConsoleCall, ConsoleReply } from '../call.ts';
import { consoleRoot, pathOf, sendingPath } from '../paths.ts';
import { momentOf } from './elements.ts';
import { formOf } from './form.ts';
import { doneTexts, heldTexts, roleTexts, layoutTexts as texts } from './layoutTexts.ts';

/** The sections in the order of the navigation, each with the key to press after `g`. */
export const sections = [
  { name: 'overview', path: '', key: 'o' },
  { name: 'emails', path: '/emails', key: 'e' },
  { name: 'people', path: '/people', key: 'p' },
  { name: 'segments', path: '/segments', key: 's' },
  { name: 'campaigns', path: '/campaigns', key: 'c' },
  { name: 'automations', path: '/automations', key: 'a' },
  { name: 'suppression', path: '/suppression', key: 'x' },
  { name: 'webhooks', path: '/webhooks', key: 'w' },
  { name: 'domains', path: '/domains', key: 'd' },
  { name: 'settings', path: '/settings', key: 't' },
] as const;

export type SectionName = (typeof sections)[number]['name'];

export interface PageContent {
  readonly section: SectionName;
  readonly title: string;
  /** One line below the title. */
  readonly lead?: Html | string | null;
  /** The page above it, such as its list. */
  readonly parent?: { readonly label: string; readonly path: string };
  /** Buttons beside the title. */
  readonly actions?: Html | null;
  readonly body: Html;
  readonly status?: number;
  /** True for a form with problems: the title of the window begins with “Error”. */
  readonly isWrong?: boolean;
  /** A style sheet and a script that this page has besides. */
  readonly files?: PageFiles;
}

/** Files of `browser/`, by their names. */
export interface PageFiles {
  readonly style?: string;
  readonly script?: string;
}

/** A page of a workspace: navigation, the result of the previous form, heading, content. */
export function pageOf(call: ConsoleCall, content: PageContent): ConsoleReply {
  const { language, workspaceName } = call;
  const { title, lead, parent, actions, body, status = 200, isWrong = false, files = {} } = content;
  const done = call.query.get('done') ?? '';
  const message = Object.hasOwn(doneTexts, done) ? doneTexts[done as keyof typeof doneTexts][language] : null;
  const prefix = isWrong ? `${texts.error[language]} – ` : '';
  const document = documentOf(
    {
      language,
      title: `${prefix}${title} – ${workspaceName}`,
      styles: ['console.css', ...(files.style ? [files.style] : [])],
      scripts: ['console.js', ...(files.script ? [files.script] : [])],
    },
    html`<a class="skip" href="#main">${texts.skip[language]}</a>
${side(call, content.section)}
<main id="main" tabindex="-1">
${holdBanner(call)}
${message === null ? null : html`<div class="say good" role="status"><p>${message}</p></div>`}
${parent ? html`<p class="crumb"><a href="${pathOf(call, parent.path)}">${parent.label}</a></p>` : null}
<div class="head"><div><h1>${title}</h1>${lead ? html`<p class="lead">${lead}</p>` : null}</div>
${actions ? html`<div class="row">${actions}</div>` : null}</div>
${body}
</main>
${foot(call)}
${help(call)}`,
  );
  return { kind: 'document', status, document };
}

/** On every page while all sending is held. */
function holdBanner(call: ConsoleCall): Html | null {
  const { language, sending } = call;
  if (!sending.isHeld) return null;
  const since = sending.decision
    ? html` ${texts.heldSince[language]} ${momentOf(sending.decision.since, language)}.`
    : null;
  const link = html` <a href="${pathOf(call, sendingPath)}">${texts.heldMore[language]}</a>`;
  return html`<div class="say bad" role="status"><p>${heldTexts.held[language]}${since}${link}</p></div>`;
}

function side(call: ConsoleCall, current: SectionName): Html {
  const { language, workspaceName } = call;
  const items = sections.map(({ name, path, key }) => {
    const isCurrent = name === current ? html` aria-current="page"` : null;
    return html`<li><a href="${pathOf(call, path)}" data-key="${key}"${isCurrent}>${icons[name]}${texts[name][language]}</a></li>
`;
  });
  return html`<header class="side"><div class="who"><a href="${consoleRoot()}"><span class="mark">${icons.mark}</span>
<span><b><bdi>${workspaceName}</bdi></b></span><span class="quiet">, ${texts.workspaces[language]}</span></a></div>
<nav aria-label="${texts.sections[language]}"><ul>${items}</ul></nav></header>`;
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
  const rows = sections.map(
    ({ name, key }) =>
      html`<tr><td><kbd>g</kbd> ${texts.thenPress[language]} <kbd>${key}</kbd></td><td>${texts[name][language]}</td></tr>`,
  );
  return html`<dialog data-help aria-labelledby="help-title"><h2 id="help-title">${texts.shortcuts[language]}</h2>
<table><tbody><tr><td><kbd>/</kbd></td><td>${texts.shortcutSearch[language]}</td></tr>${rows}
<tr><td><kbd>?</kbd></td><td>${texts.shortcutHelp[language]}</td></tr></tbody></table>
<form method="dialog"><button class="plain">${texts.close[language]}</button></form></dialog>`;
}

interface Head {
  readonly language: Language;
  readonly title: string;
  /** Files of `browser/`, by their names. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  /** The page that the browser opens next, at once and without a click. */
  readonly nextUrl?: string | undefined;
}

/** A whole document around a body. */
export function documentOf({ language, title, styles, scripts, nextUrl }: Head, body: Html): Html {
  return html`<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no, address=no, email=no">
${nextUrl === undefined ? null : html`<meta http-equiv="refresh" content="0; url=${nextUrl}">`}
<link rel="icon" href="data:,">
${styles.map((name) => html`<link rel="stylesheet" href="${assetPath(name)}">\n`)}${scripts.map((name) => html`<script type="module" src="${assetPath(name)}"></script>\n`)}</head>
<body>
${body}
</body>
</html>
`;
}

/** On a grid of 24, in the colour of the text beside it; hidden from screen readers. */
const icon = (path: Html): Html =>
  html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${path}</svg>`;

const icons = {
  mark: icon(html`<path d="M3 6h18v12H3z"/><path d="m3 7 9 7 9-7"/>`),
  overview: icon(html`<path d="M4 20V10M10 20V4M16 20v-8M21 20H3"/>`),
  emails: icon(html`<path d="M4 4h16v16H4zM4 13h5l1.5 3h3L15 13h5"/>`),
  people: icon(
    html`<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20a6.5 6.5 0 0 1 13 0M16 5a3.5 3.5 0 0 1 0 6.5M18 14.5a6.5 6.5 0 0 1 3.5 5.5"/>`,
  ),
  segments: icon(html`<path d="M3 5h18l-7 8v6l-4-2v-4z"/>`),
  campaigns: icon(html`<path d="M21 3 3 10.5l7 3.5 3.5 7z"/><path d="m21 3-11 11"/>`),
  automations: icon(
    html`<circle cx="6" cy="5" r="2"/><circle cx="6" cy="19" r="2"/><circle cx="18" cy="12" r="2"/><path d="M6 7v10M6 12h10"/>`,
  ),
  suppression: icon(html`<circle cx="12" cy="12" r="9"/><path d="m5.7 5.7 12.6 12.6"/>`),
  webhooks: icon(html`<path d="M9 7 4 12l5 5M15 7l5 5-5 5"/>`),
  domains: icon(html`<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18"/>`),
  settings: icon(
    html`<path d="M4 7h10M18 7h2M4 17h2M10 17h10"/><circle cx="16" cy="7" r="2"/><circle cx="8" cy="17" r="2"/>`,
  ),
} as const;
