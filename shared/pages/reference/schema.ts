import type { Language } from '../../language/languages.ts';
import { type Html, html } from '../html.ts';
import { nameOf, type Schema } from './document.ts';
import { inline } from './markdown.ts';
import { referenceTexts as texts } from './texts.ts';

/** The fields of an object with all that is known of each; what has a name of its own is linked, not repeated. */
export function fieldsOf(schema: Schema, language: Language): Html | null {
  const inner = objectsIn(schema);
  if (inner.length === 0) return null;
  return html`${inner.map((object) => list(object, language))}`;
}

/** The objects of which a schema consists, without going into those that have a name. */
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

/** One field: its name, what it takes, what it means, and its own fields. */
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

/** What kind of value it is, as few words as do. */
export function typeOf(schema: Schema, language: Language): Html {
  if (schema.$ref) return html`<a href="#object-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
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
