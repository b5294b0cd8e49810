import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../html.ts';
import { type ApiOperation, type Parameter, type ReferenceDocument, resolved, type Schema } from './document.ts';
import { headingsIn, inline, markdown } from './markdown.ts';
import { eventSection, fieldsOf, operationSection, referenceUrl, typeOf } from './operation.ts';
import { referenceTexts as texts } from './referenceTexts.ts';

/** One page of the reference. */
export interface ReferenceChapter {
  /** The end of its address; empty for the first page. */
  readonly slug: string;
  readonly title: string;
  readonly entries: readonly ChapterEntry[];
  /** Renders what follows the heading. */
  readonly content: () => Html;
}

/** A line of the contents. */
interface ChapterEntry {
  readonly id: string;
  readonly name: string;
  /** What the search looks into besides the name. */
  readonly words: string;
}

interface PathOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

/** All pages of the reference, in the order of the contents. */
export function chaptersOf(document: ReferenceDocument, language: Language): ReferenceChapter[] {
  const chapters = document.tags.map((tag) => chapterOf(document, tag, language));
  return [general(document, chapters, language), ...chapters, events(document, language), objects(document, language)];
}

function general(
  document: ReferenceDocument,
  chapters: readonly ReferenceChapter[],
  language: Language,
): ReferenceChapter {
  const { description } = document.info;
  return {
    slug: '',
    title: texts.general[language],
    entries: [
      ...headingsIn(description).map((heading) => ({ ...heading, words: '' })),
      { id: 'examples', name: texts.samplesTitle[language], words: 'curl TypeScript Python' },
    ],
    content: () => html`<div class="text">
<p><code>${document.servers[0]?.url ?? ''}</code></p>
${markdown(description, language)}
<h2 id="examples">${texts.samplesTitle[language]}</h2>
<p>${inline(texts.samplesText[language])}</p>
<h2 id="operations">${texts.operations[language]}</h2>
${document.tags.map(
  (tag, index) => html`<h3><a href="${referenceUrl(language, tag['x-slug'])}">${chapters[index]?.title ?? ''}</a></h3>
<ul class="operations">${operationsOf(document, tag.name).map(
    ({ method, path, operation }) =>
      html`<li><a href="${referenceUrl(language, tag['x-slug'])}#${operation.operationId}">${operation.summary}</a> <code>${method.toUpperCase()} ${path}</code></li>\n`,
  )}</ul>
`,
)}</div>
`,
  };
}

function chapterOf(
  document: ReferenceDocument,
  { name, description, 'x-slug': slug }: ReferenceDocument['tags'][number],
  language: Language,
): ReferenceChapter {
  const operations = operationsOf(document, name);
  return {
    slug,
    title: name,
    entries: operations.map((one) => ({
      id: one.operation.operationId,
      name: one.operation.summary,
      words: wordsOf(document, one),
    })),
    content: () => html`<div class="text">
${markdown(description, language)}</div>
${operations.map((operation) => operationSection(document, operation, language))}`,
  };
}

function operationsOf(document: ReferenceDocument, tag: string): PathOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

/** Path, parameters and fields of an operation. */
function wordsOf(document: ReferenceDocument, { method, path, operation }: PathOperation): string {
  const parameters = (operation.parameters ?? []).map((one) => resolved<Parameter>(document, one).name);
  const [body] = Object.values(operation.requestBody?.content ?? {});
  const schema = body && resolved<Schema>(document, body.schema);
  const fields = Object.keys((schema?.items ? resolved<Schema>(document, schema.items) : schema)?.properties ?? {});
  const names = [...new Set([...parameters, ...fields])].filter((name) => name !== 'Accept-Language');
  return [method, path, operation.operationId, ...names].join(' ').toLowerCase();
}

function events(document: ReferenceDocument, language: Language): ReferenceChapter {
  const all = Object.entries(document.webhooks).flatMap(([name, methods]) =>
    Object.values(methods).map((operation) => ({ name, operation })),
  );
  return {
    slug: 'events',
    title: texts.events[language],
    entries: all.map(({ name, operation }) => ({
      id: operation.operationId,
      name,
      words: operation.summary.toLowerCase(),
    })),
    content: () => html`<div class="text"><p>${texts.eventsIntro[language]}</p></div>
${all.map((event) => eventSection(document, event, language))}`,
  };
}

function objects(document: ReferenceDocument, language: Language): ReferenceChapter {
  const all = Object.entries(document.components.schemas ?? {}) as [string, Schema][];
  return {
    slug: 'objects',
    title: texts.schemas[language],
    entries: all.map(([name, { title = '' }]) => ({ id: `object-${name}`, name, words: title })),
    content: () => html`<div class="text"><p>${texts.objectsIntro[language]}</p>
${all.map(([name, schema]) => objectSection(name, schema, language))}</div>
`,
  };
}

function objectSection(name: string, schema: Schema, language: Language): Html {
  return html`<section class="object" id="object-${name}">
<h2><a href="#object-${name}">${name}</a></h2>
${markdown(schema.description ?? '', language)}
${fieldsOf(schema, language) ?? html`<p>${typeOf(schema, language)}</p>`}</section>
`;
}
