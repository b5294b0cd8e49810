import { referencePath } from '../../contract/routes/account.ts';
import { type Language, languageTags, nameOfLanguage } from '../../language/languages.ts';
import { publicUrl } from '../../platform/config.ts';
import { getReference } from '../../services/account/reference.ts';
import type { PageCall, PageReply } from '../call.ts';
import { type Html, html } from '../html.ts';
import { startUrl } from '../start.ts';
import { referenceScript, referenceSources, referenceStyle } from './assets.ts';
import type { Operation, ReferenceDocument, Schema } from './document.ts';
import { markdown } from './markdown.ts';
import { operationSection } from './operation.ts';
import { fieldsOf, typeOf } from './schema.ts';
import { referenceTexts as texts } from './texts.ts';

/** Rendering takes a tenth of a second, and the document is the same as long as the container lives. */
const rendered = new Map<string, Html>();

/** The OpenAPI document as a page that needs nobody else's program: `/reference/en`. */
export async function showReference(call: PageCall): Promise<PageReply> {
  const language = languageTags.find((tag) => tag === call.parameter) ?? call.language;
  const key = `${language} ${publicUrl()}`;
  const document = rendered.get(key) ?? (await render(language));
  rendered.set(key, document);
  return { status: 200, document, language, sources: referenceSources };
}

/** Where the reference in a language is shown. */
const referencePageUrl = (language: Language): string => `${publicUrl()}/reference/${language}`;

async function render(language: Language): Promise<Html> {
  const document = (await getReference(language)) as unknown as ReferenceDocument;
  const title = texts.title[language];
  return html`<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<title>${title} – Mailroom</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<style>${referenceStyle}</style>
</head>
<body>
<nav aria-label="${texts.contents[language]}">
<a class="skip" href="#reference">${texts.skip[language]}</a>
${links(language)}
<form role="search" hidden><label>${texts.search[language]}<input type="search" autocomplete="off"></label>
<p role="status" data-text="${texts.found[language]}"></p></form>
${contents(document, language)}
</nav>
<main id="reference" tabindex="-1">
<h1>${title}</h1>
<div data-rest>
<p><code>${document.servers[0]?.url ?? ''}</code></p>
<h2 id="general">${texts.general[language]}</h2>
${markdown(document.info.description)}
</div>
${document.tags.map((tag) => chapter(document, tag, language))}
<h2 id="events" data-rest>${texts.events[language]}</h2>
${eventsOf(document).map(([name, operation]) => operationSection(document, name, operation, language))}
<h2 id="objects" data-rest>${texts.schemas[language]}</h2>
${schemasOf(document).map(([name, schema]) => schemaSection(name, schema, language))}
</main>
<script>${referenceScript}</script>
</body>
</html>
`;
}

function links(language: Language): Html {
  const others = languageTags.filter((tag) => tag !== language);
  return html`<ul>
<li><a href="${startUrl()}">${texts.start[language]}</a></li>
<li><a href="${publicUrl()}${referencePath(language)}">${texts.document[language]}</a></li>
${others.map((tag) => html`<li><a href="${referencePageUrl(tag)}" lang="${tag}" hreflang="${tag}">${nameOfLanguage(tag, tag)}</a></li>\n`)}</ul>`;
}

function contents(document: ReferenceDocument, language: Language): Html {
  const items = (entries: readonly { readonly id: string; readonly name: string }[]) =>
    html`<ul>${entries.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>\n`)}</ul>`;
  const events = eventsOf(document).map(([name, { operationId }]) => ({ id: operationId, name }));
  const schemas = schemasOf(document).map(([name]) => ({ id: `object-${name}`, name }));
  return html`${items([{ id: 'general', name: texts.general[language] }])}
${document.tags.map(
  ({ name }) =>
    html`<h2>${name}</h2>${items(
      operationsOf(document, name).map(([, { operationId, summary }]) => ({ id: operationId, name: summary })),
    )}`,
)}
<h2>${texts.events[language]}</h2>${items(events)}
<h2>${texts.schemas[language]}</h2>${items(schemas)}`;
}

function chapter(
  document: ReferenceDocument,
  { name, description }: ReferenceDocument['tags'][number],
  language: Language,
): Html {
  const operations = operationsOf(document, name);
  return html`<div data-rest><h2>${name}</h2>
${markdown(description)}</div>
${operations.map(([heading, operation]) => operationSection(document, heading, operation, language))}
`;
}

function operationsOf(document: ReferenceDocument, tag: string): [string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]): [string, Operation] => [`${method.toUpperCase()} ${path}`, operation]),
  );
}

const eventsOf = (document: ReferenceDocument): [string, Operation][] =>
  Object.entries(document.webhooks).flatMap(([name, methods]) =>
    Object.values(methods).map((operation): [string, Operation] => [name, operation]),
  );

const schemasOf = ({ components }: ReferenceDocument): [string, Schema][] =>
  Object.entries(components.schemas ?? {}) as [string, Schema][];

function schemaSection(name: string, schema: Schema, language: Language): Html {
  return html`<section class="operation" id="object-${name}" data-search>
<h3><a href="#object-${name}">${name}</a></h3>
${markdown(schema.description ?? '')}
${fieldsOf(schema, language) ?? html`<p>${typeOf(schema, language)}</p>`}</section>
`;
}
