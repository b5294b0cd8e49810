import { referencePath, referenceRoutes } from '../../contract/routes/account.ts';
import { catalogIn } from '../../documentation/catalog/catalog.ts';
import { type Language, languageTags, nameOfLanguage } from '../../language/languages.ts';
import { publicUrl } from '../../platform/config.ts';
import { getReference } from '../../services/apiReference.ts';
import type { PageCall, PageReply } from '../call.ts';
import { type Html, html } from '../html.ts';
import { layout, linkButton } from '../layout.ts';
import { startUrl } from '../start.ts';
import { referenceScript, referenceSources, referenceStyle } from './internal/assets.ts';
import { chaptersOf, type ReferenceChapter } from './internal/chapters.ts';
import { type ReferenceDocument, withEnumsInPlace } from './internal/document.ts';
import { referenceUrl } from './internal/operation.ts';
import { referenceTexts as texts } from './internal/referenceTexts.ts';

/** By address: the documents stay the same in this process, and rendering one takes some milliseconds. */
const rendered = new Map<string, Html>();

const markdownEnd = '.md';

/** The OpenAPI document as pages, one for each chapter: `/reference/en`, `/reference/en/emails`. */
export async function showReference(call: PageCall): Promise<PageReply> {
  const { parameter, chapter: slug, language: preferred } = call;
  if ((slug || parameter).endsWith(markdownEnd)) return showMarkdown(call);
  const language = languageTags.find((tag) => tag === parameter) ?? preferred;
  const key = referenceUrl(language, slug);
  const known = rendered.get(key);
  const document = known ?? (await render(language, slug));
  if (!document) return unknownChapter(language);
  rendered.set(key, document);
  return {
    status: 200,
    document,
    language,
    sources: referenceSources,
    cacheSeconds: referenceRoutes[language].cacheSeconds,
  };
}

/** The same reference for programs: `/reference/en.md`, and a chapter of it, `/reference/en/emails.md`. */
function showMarkdown({ parameter, chapter, language: preferred }: PageCall): PageReply {
  const asked = parameter.endsWith(markdownEnd) ? parameter.slice(0, -markdownEnd.length) : parameter;
  const language = languageTags.find((tag) => tag === asked);
  if (!language) return unknownChapter(preferred);
  const { text, chapters } = catalogIn(language).reference;
  const name = chapter.slice(0, -markdownEnd.length);
  const range = Object.hasOwn(chapters.ranges, name) ? chapters.ranges[name] : undefined;
  if (chapter !== '' && !range) return unknownChapter(language);
  return {
    status: 200,
    document: { type: 'text/markdown', text: range ? text.slice(...range) : text },
    language,
    cacheSeconds: referenceRoutes[language].cacheSeconds,
  };
}

function unknownChapter(language: Language): PageReply {
  const notice = { title: texts.unknownChapter, paragraphs: [] };
  const actions = linkButton(texts.title, referenceUrl(language), language);
  return { status: 404, language, document: layout({ language, workspace: null, notice, actions }) };
}

/** Null for a chapter that does not exist. */
async function render(language: Language, slug: string): Promise<Html | null> {
  const document = withEnumsInPlace((await getReference(language)) as unknown as ReferenceDocument);
  const chapters = chaptersOf(document, language);
  const chapter = chapters.find((one) => one.slug === slug);
  if (!chapter) return null;
  const title = texts.title[language];
  return html`<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<title>${slug === '' ? '' : `${chapter.title} – `}${title} – Mailroom</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${texts.description[language]}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
${referenceStyle}
</head>
<body data-base="${new URL(publicUrl()).pathname.replace(/\/$/, '')}">
<a class="skip" href="#reference">${texts.skip[language]}</a>
<header><p><a href="${referenceUrl(language)}">Mailroom <span>${title}</span></a></p>
${links(language, slug)}</header>
<nav aria-label="${texts.contents[language]}">
<input type="checkbox" id="menu"><label for="menu">${texts.menu[language]}</label>
<div class="contents">
<form role="search" hidden><label>${texts.search[language]}<input type="search" autocomplete="off"></label>
<p role="status" data-text="${texts.found[language]}"></p></form>
${chapters.map((one) => contents(one, chapter, language))}
</div>
</nav>
<main id="reference" tabindex="-1">
<h1>${chapter.title}</h1>
${chapter.content()}
${neighbours(chapters, chapter, language)}
</main>
${referenceScript}
</body>
</html>
`;
}

function links(language: Language, slug: string): Html {
  const others = languageTags.filter((tag) => tag !== language);
  return html`<ul>
<li><a href="${startUrl()}">${texts.start[language]}</a></li>
<li><a href="${publicUrl()}${referencePath(language)}">${texts.document[language]}</a></li>
${others.map((tag) => html`<li><a href="${referenceUrl(tag, slug)}" lang="${tag}" hreflang="${tag}">${nameOfLanguage(tag, tag)}</a></li>\n`)}</ul>`;
}

function contents(chapter: ReferenceChapter, shown: ReferenceChapter, language: Language): Html {
  const url = referenceUrl(language, chapter.slug);
  const items = chapter.entries.map(
    ({ id, name, words }) => html`<li><a href="${url}#${id}" data-words="${words}">${name}</a></li>\n`,
  );
  const isShown = chapter === shown;
  return html`<details${isShown ? html` open` : null}><summary>${chapter.title}</summary>
<ul>${isShown ? null : html`<li><a href="${url}" data-chapter>${texts.whole[language]}</a></li>\n`}${items}</ul></details>
`;
}

/** Links to the pages before and after this one. */
function neighbours(chapters: readonly ReferenceChapter[], shown: ReferenceChapter, language: Language): Html {
  const index = chapters.indexOf(shown);
  const link = (chapter: ReferenceChapter | undefined, direction: string) =>
    chapter && html`<a class="${direction}" href="${referenceUrl(language, chapter.slug)}">${chapter.title}</a>\n`;
  return html`<p class="neighbours">${link(chapters[index - 1], 'previous') ?? null}${link(chapters[index + 1], 'next') ?? null}</p>`;
}
