import { inJson } from '../../../documentation/literal.ts';
import type { Language } from '../../../language/languages.ts';
import { publicUrl } from '../../../platform/config.ts';
import { type Html, html } from '../../html.ts';
import { codeBlock, sampleTabs } from './codeBlock.ts';
import {
  type ApiContent,
  type ApiOperation,
  nameOf,
  type Parameter,
  type ReferenceDocument,
  type Response,
  resolved,
  type Schema,
} from './document.ts';
import { inline, markdown } from './markdown.ts';
import { referenceTexts as texts } from './referenceTexts.ts';
import { sampleCallOf } from './sampleCall.ts';
import { tryForm } from './tryForm.ts';

/** The address of the reference in a language, or of one of its chapters. */
export const referenceUrl = (language: Language, chapter = ''): string =>
  `${publicUrl()}/reference/${language}${chapter === '' ? '' : `/${chapter}`}`;

/** One operation: description, parameters, body and answers, with a call in every language beside them. */
export function operationSection(
  document: ReferenceDocument,
  { method, path, operation }: { method: string; path: string; operation: ApiOperation },
  language: Language,
): Html {
  const call = sampleCallOf(document, method, path, operation);
  const [success] = Object.values(operation.responses ?? {});
  const example = success && contentExample(document, resolved<Response>(document, success).content);
  return html`<section class="operation" id="${operation.operationId}">
${description(document, `${call.method} ${path}`, operation, language)}
<div class="examples">
${sampleTabs(operation, language)}${
  example === undefined
    ? null
    : html`<h3>${texts.answerExample[language]}</h3>\n${codeBlock(inJson(example), language)}`
}${tryForm(document, path, operation, call, language)}</div>
</section>
`;
}

/** One event: what the service sends to a webhook, with an example beside it. */
export function eventSection(
  document: ReferenceDocument,
  { name, operation }: { name: string; operation: ApiOperation },
  language: Language,
): Html {
  const example = contentExample(document, operation.requestBody?.content);
  return html`<section class="operation" id="${operation.operationId}">
${description(document, name, operation, language)}
<div class="examples">
<h3>${texts.example[language]}</h3>
${codeBlock(inJson(example), language)}</div>
</section>
`;
}

function description(document: ReferenceDocument, heading: string, operation: ApiOperation, language: Language): Html {
  const all = (operation.parameters ?? []).map((parameter) => resolved<Parameter>(document, parameter));
  // What every operation takes comes last, and what every operation may answer is in the first chapter.
  const everywhere = all.filter(({ name }) => name === 'Accept-Language');
  const parameters = [...all.filter((parameter) => !everywhere.includes(parameter)), ...everywhere];
  const responses = Object.entries(operation.responses ?? {}).filter(([status]) => status !== 'default');
  const [body] = Object.values(operation.requestBody?.content ?? {});
  return html`<div class="description">
<h2><a href="#${operation.operationId}">${operation.summary}</a></h2>
<p class="path"><code>${heading}</code></p>
${markdown(operation.description ?? '', language)}
${parameters.length > 0 ? html`<h3>${texts.parameters[language]}</h3>\n${parameterList(parameters, language)}` : null}
${body ? html`<h3>${texts.body[language]}</h3>\n${typeAndFields(document, body.schema, language)}` : null}
${responses.length > 0 ? html`<h3>${texts.answers[language]}</h3>` : null}
${responses.map(([status, response]) => answer(document, status, resolved<Response>(document, response), language))}
</div>`;
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
  const [body] = Object.values(response.content ?? {});
  if (!body) return html`<p class="answer">${head}</p>\n`;
  const example = isSuccess(status) ? undefined : contentExample(document, response.content);
  return html`<details class="answer"><summary>${head}</summary>
${typeAndFields(document, body.schema, language)}${example === undefined ? null : codeBlock(inJson(example), language)}</details>
`;
}

/** The example of a success stands beside the description. */
const isSuccess = (status: string): boolean => status.startsWith('2');

/** The fields of the body itself; what is in it and has a name of its own is linked. */
function typeAndFields(document: ReferenceDocument, schema: Schema, language: Language): Html {
  const { items, ...body } = resolved<Schema>(document, schema);
  const whole = items ? { ...body, items: resolved<Schema>(document, items) } : body;
  return fieldsOf(whole, language) ?? html`<p>${typeOf(whole, language)}</p>`;
}

function contentExample(document: ReferenceDocument, content: ApiContent | undefined): unknown {
  const [body] = Object.values(content ?? {});
  const [named] = Object.values(body?.examples ?? {});
  return body?.example ?? (named ? resolved<{ value?: unknown }>(document, named).value : undefined);
}

/** The fields of an object with their facts; objects with a name of their own are linked. */
export function fieldsOf(schema: Schema, language: Language): Html | null {
  const inner = objectsIn(schema);
  if (inner.length === 0) return null;
  return html`${inner.map((object) => list(object, language))}`;
}

/** The objects in a schema, without those that have a name of their own. */
function objectsIn(schema: Schema): Schema[] {
  if (schema.$ref) return [];
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap(objectsIn);
  const items = schema.items ? objectsIn(schema.items) : [];
  return [...(schema.properties || isMap(schema) ? [schema] : []), ...items, ...parts];
}

const isMap = ({ additionalProperties }: Schema): boolean =>
  typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0;

function list({ properties = {}, required = [], additionalProperties }: Schema, language: Language): Html {
  const fields = Object.entries(properties).map(([name, schema]) =>
    field(html`<code>${name}</code>`, schema, { language, isRequired: required.includes(name) }),
  );
  const others = typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0;
  return html`<ul class="fields">
${fields}${others ? field(html`<em>${texts.anyName[language]}</em>`, additionalProperties, { language, isRequired: false }) : null}</ul>
`;
}

/** One field: name, type, description, and its own fields. */
export function field(
  name: Html,
  schema: Schema,
  { language, isRequired, place }: { language: Language; isRequired: boolean; place?: string | undefined },
): Html {
  const facts = [place ?? '', ...factsOf(schema, language)].filter((fact) => fact !== '');
  return html`<li>${name} <span class="type">${typeOf(schema, language)}</span>${
    isRequired ? html` <strong>${texts.required[language]}</strong>` : null
  }${schema.description ? html`<p>${inline(schema.description)}</p>` : null}${
    facts.length > 0 ? html`<p class="facts">${facts.join(' · ')}</p>` : null
  }${fieldsOf(schema, language)}</li>
`;
}

/** The type of a value in a few words. */
export function typeOf(schema: Schema, language: Language): Html {
  if (schema.$ref)
    return html`<a href="${referenceUrl(language, 'objects')}#object-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return joined(choices.map((choice) => typeOf(choice, language)));
  if (schema.items) {
    const nullable = [schema.type].flat().includes('null') ? ' | null' : '';
    return html`${texts.arrayOf[language]} ${typeOf(schema.items, language)}${nullable}`;
  }
  return html`${[schema.type ?? 'object'].flat().join(' | ')}`;
}

const joined = (parts: readonly Html[]): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : html` | ${part}`))}`;

function factsOf(schema: Schema, language: Language): string[] {
  const say = (name: keyof typeof texts) => texts[name][language];
  const [example] = schema.examples ?? [];
  return [
    schema.enum ? `${say('oneOf')} ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}` : '',
    range(schema.minLength, schema.maxLength, say('characters'), language),
    range(schema.minItems, schema.maxItems, say('entries'), language),
    range(undefined, schema.maxProperties, say('entries'), language),
    range(schema.minimum, schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum, '', language),
    schema.format ?? '',
    schema.pattern ? `${say('pattern')} ${schema.pattern}` : '',
    schema.default === undefined ? '' : `${say('usually')} ${JSON.stringify(schema.default)}`,
    example === undefined ? '' : `${say('example').toLowerCase()} ${JSON.stringify(example)}`,
  ];
}

function range(least: number | undefined, most: number | undefined, unit: string, language: Language): string {
  if (least === undefined && most === undefined) return '';
  const numbers = new Intl.NumberFormat(language);
  if (least === undefined) return `${texts.atMost[language]} ${numbers.format(most ?? 0)} ${unit}`.trim();
  if (most === undefined) return `${texts.atLeast[language]} ${numbers.format(least)} ${unit}`.trim();
  return `${numbers.format(least)}–${numbers.format(most)} ${unit}`.trim();
}
