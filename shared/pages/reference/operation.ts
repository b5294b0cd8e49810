import type { Language } from '../../language/languages.ts';
import { type Html, html } from '../html.ts';
import {
  type Content,
  type Operation,
  type Parameter,
  type ReferenceDocument,
  type Response,
  resolved,
} from './document.ts';
import { inline, markdown } from './markdown.ts';
import { field, fieldsOf, typeOf } from './schema.ts';
import { referenceTexts as texts } from './texts.ts';

/** One operation or event: what it is for, what it takes, what it answers. `heading` is `POST /api/v1/emails`. */
export function operationSection(
  document: ReferenceDocument,
  heading: string,
  operation: Operation,
  language: Language,
): Html {
  const parameters = (operation.parameters ?? []).map((parameter) => resolved<Parameter>(document, parameter));
  const responses = Object.entries(operation.responses ?? {});
  return html`<section class="operation" id="${operation.operationId}" data-search>
<h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
<p class="path"><code>${heading}</code></p>
${markdown(operation.description ?? '')}
${parameters.length > 0 ? html`<h4>${texts.parameters[language]}</h4>\n${parameterList(parameters, language)}` : null}
${operation.requestBody ? html`<h4>${texts.body[language]}</h4>\n${contentOf(document, operation.requestBody.content, language)}` : null}
${responses.length > 0 ? html`<h4>${texts.answers[language]}</h4>` : null}
${responses.map(([status, response]) => answer(document, status, resolved<Response>(document, response), language))}
</section>
`;
}

const places: Readonly<Record<string, keyof typeof texts>> = { path: 'inPath', query: 'inQuery', header: 'inHeader' };

function parameterList(parameters: readonly Parameter[], language: Language): Html {
  const items = parameters.map(({ name, in: place, required = false, description, schema }) =>
    field(
      html`<code>${name}</code>`,
      { ...schema, ...(description !== undefined && { description }) },
      { language, isRequired: required, place: texts[places[place] ?? 'inHeader'][language] },
    ),
  );
  return html`<ul class="fields">
${items}</ul>
`;
}

function answer(document: ReferenceDocument, status: string, response: Response, language: Language): Html {
  const head = html`<code>${status}</code> ${inline(response.description)}`;
  if (!response.content) return html`<p class="answer">${head}</p>\n`;
  return html`<details class="answer"><summary>${head}</summary>
${contentOf(document, response.content, language)}</details>
`;
}

function contentOf(document: ReferenceDocument, content: Content, language: Language): Html {
  const [body] = Object.values(content);
  if (!body) return html``;
  const fields = fieldsOf(body.schema, language);
  const [named] = Object.values(body.examples ?? {});
  const example = body.example ?? (named ? resolved<{ value?: unknown }>(document, named).value : undefined);
  return html`${fields ?? html`<p>${typeOf(body.schema, language)}</p>`}${
    example === undefined
      ? null
      : html`<p class="label">${texts.example[language]}</p>
<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>`
  }
`;
}
