import type { Brand } from '../domain/workspace/brand.ts';
import type { Language } from '../language/languages.ts';
import type { Text } from '../language/text.ts';
import { brandStyle, logoView, pageStyle } from './assets.ts';
import type { PageReply } from './call.ts';
import { fill, type Html, html } from './html.ts';
import { failureTexts, fieldTexts, type PageNotice, type Question, tooLargeTexts } from './pageTexts.ts';

/** The parts of a page. */
export interface DocumentContent {
  readonly language: Language;
  /** Its name is the heading; null when no workspace is known. */
  readonly workspace: string | null;
  readonly notice: PageNotice | Question;
  readonly values?: Readonly<Record<string, string>>;
  /** A form or links, after the paragraphs. */
  readonly actions?: Html | null;
  /** The beginning of the title of a page with a mistake in it. */
  readonly titlePrefix?: Text | undefined;
  /** Must also be in the `PageReply`: the Content-Security-Policy of the page depends on it. */
  readonly brand?: Brand | null;
}

/** A whole document: inline style, no script, nothing loaded from any address. */
export function layout(content: DocumentContent): Html {
  const { language, workspace, notice } = content;
  const values = { ...(workspace === null ? {} : { workspace }), ...content.values };
  const title = notice.title[language];
  return html`<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<title>${titleOf(content)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no, address=no, email=no">
<link rel="icon" href="data:,">
${pageStyle.element}${brandStyle(content.brand)}
</head>
<body>
<div class="card">
${workspace === null ? null : html`<header>${logoView(content.brand)}<h1><bdi>${workspace}</bdi></h1></header>`}
<main>
${workspace === null ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`}
${notice.paragraphs.map((paragraph) => html`<p>${fill(paragraph[language], values)}</p>\n`)}
${content.actions ?? null}
</main>
</div>
</body>
</html>
`;
}

function titleOf({ language, workspace, notice, titlePrefix }: DocumentContent): string {
  const prefix = titlePrefix ? `${titlePrefix[language]}${fieldTexts.colon[language]}` : '';
  return `${prefix}${notice.title[language]}${workspace === null ? '' : ` – ${workspace}`}`;
}

/** A form with one button that posts to the page's own address. */
export function oneButton(question: Question, language: Language): Html {
  return html`<form method="post"><button type="submit">${question.button[language]}</button></form>`;
}

/** A link that looks like a secondary button. `url` is one of this service. */
export function linkButton(text: Text, url: string, language: Language): Html {
  return html`<p class="actions"><a class="button" href="${url}">${text[language]}</a></p>`;
}

/**
 * 500, or 503 when the same request may soon succeed. It has only the reference that finds the error in the log.
 */
export function failurePage(language: Language, reference: string, retryAfterSeconds?: number): PageReply {
  const document = layout({ language, workspace: null, notice: failureTexts, values: { reference } });
  return retryAfterSeconds === undefined ? { status: 500, document } : { status: 503, document, retryAfterSeconds };
}

/** 413: larger than any form of ours. */
export function tooLargePage(language: Language): PageReply {
  return { status: 413, document: layout({ language, workspace: null, notice: tooLargeTexts }) };
}
