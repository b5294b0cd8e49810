import { fieldTexts, type Notice, type Question } from '../contract/pageTexts.ts';
import type { Brand } from '../domain/workspace/brand.ts';
import type { Language } from '../language/languages.ts';
import type { Text } from '../language/text.ts';
import { brandStyle, logoView } from './brandStyle.ts';
import { fill, type Html, html } from './html.ts';
import { styleSheet } from './style.ts';

/** What stands on a page besides its texts. */
export interface PageContent {
  readonly language: Language;
  /** Its name is the heading; null where a link tells of no workspace. */
  readonly workspace: string | null;
  readonly notice: Notice | Question;
  readonly values?: Readonly<Record<string, string>>;
  /** A form or links, after the paragraphs. */
  readonly actions?: Html | null;
  /** Said first, as the title of a page with a mistake in it should be. */
  readonly titlePrefix?: Text | undefined;
  /** How the workspace looks; the reply bears it too, for the policy of the page. */
  readonly brand?: Brand | null;
}

/** A whole document: one style of its own, no script, and nothing fetched from anywhere. */
export function layout(content: PageContent): Html {
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
<style>${styleSheet}</style>${brandStyle(content.brand)}
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

function titleOf({ language, workspace, notice, titlePrefix }: PageContent): string {
  const prefix = titlePrefix ? `${titlePrefix[language]}${fieldTexts.colon[language]}` : '';
  return `${prefix}${notice.title[language]}${workspace === null ? '' : ` – ${workspace}`}`;
}

/** A form with one button that posts to the page's own address. */
export function oneButton(question: Question, language: Language): Html {
  return html`<form method="post"><button type="submit">${question.button[language]}</button></form>`;
}

/** A link that looks like a button of less weight. `url` is one of this service. */
export function linkButton(text: Text, url: string, language: Language): Html {
  return html`<p class="actions"><a class="button" href="${url}">${text[language]}</a></p>`;
}
