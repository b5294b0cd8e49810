import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema } from '../../shared/documentation/jsonSchema.ts';

/** Values that a JSON Schema of the contract allows: mostly similar to its examples, else of any length and script. */
export function valuesOf(schema: JsonSchema): Arbitrary<unknown> {
  const examples = (schema.examples ?? []) as unknown[];
  const kinds = examples.flatMap((example) => [fc.constant(example), ...kindOf(example)]);
  return fc.oneof(...kinds.map((arbitrary) => ({ arbitrary, weight: 6 })), { arbitrary: madeOf(schema), weight: 1 });
}

/** Values similar to an example, where its form shows what it is. */
function kindOf(example: unknown): Arbitrary<unknown>[] {
  if (typeof example !== 'string') return [];
  const [, domain] = /^[^/]+@([\w.-]+)>?$/.exec(example) ?? [];
  if (domain) return [fc.tuple(displayNames, localParts).map(([name, local]) => mailbox(name, `${local}@${domain}`))];
  if (/^https:/.test(example))
    return [
      visible.map((text) => new URL(encodeURI(text), example).href),
      visible.map((text) => `https://example.com/${text}`),
    ];
  if (/^\w+\.pdf$/.test(example))
    return [fc.tuple(visible, fc.constantFrom('pdf', 'txt', 'eml', 'ICS', 'x')).map((name) => name.join('.'))];
  return /^\w+=$/.test(example) ? [fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64'))] : [];
}

/** Visible characters only: for a name, or a part of a path. */
const visible = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .map((text) => text.replace(/[\s\p{C}<>"\\/#?%:=]/gu, 'x'));
const displayNames = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.replace(/\p{C}/gu, '')),
  fc.constantFrom(
    '=?utf-8?Q?ceo=40bank.com?=',
    'Doe, Jane',
    'Team [QA]',
    'a@b.com',
    'J. Doe (Acme)',
    '日本 語',
    '\\',
    '"',
  ),
);
const localParts = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,20}$/),
  fc.stringMatching(/^"[A-Za-z0-9!#$,;:@()<>.-]{1,20}"$/),
);

/** Quoted, or as people write it. */
const mailbox = (name: string, address: string): string => {
  if (name === '') return address;
  return name.length % 2 === 0 ? `${name} <${address}>` : `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`;
};

function madeOf(schema: JsonSchema): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  if (schema.anyOf) return fc.oneof(...(schema.anyOf as JsonSchema[]).map(valuesOf));
  const types = [schema.type ?? 'object'].flat() as (keyof typeof byType)[];
  return fc.oneof(...types.map((type) => byType[type](schema)));
}

const byType = {
  string: textsOf,
  integer: ({ minimum = -1000, maximum = 1000 }: JsonSchema) =>
    fc.integer({ min: minimum as number, max: maximum as number }),
  number: () => fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: ({ items, minItems = 0, maxItems = 4 }: JsonSchema) =>
    fc.uniqueArray(valuesOf((items ?? {}) as JsonSchema), {
      minLength: minItems as number,
      maxLength: Math.min(maxItems as number, 4),
      selector: (item) => (item as { name?: unknown } | null)?.name ?? item,
    }),
  object: objectsOf,
};

function textsOf({ pattern, minLength = 0, maxLength = 2000 }: JsonSchema): Arbitrary<string> {
  const [least, most] = [minLength as number, maxLength as number];
  if (pattern) {
    return fc.stringMatching(new RegExp(pattern as string), { size: 'small' }).map((text) => text.slice(0, most));
  }
  const short = { minLength: least, maxLength: Math.min(most, 40) };
  return fc.oneof(
    fc.string({ ...short, unit: 'binary' }),
    fc.string({ ...short, unit: 'grapheme' }),
    fc.string({ ...short }),
    fc.constantFrom(...nasty).filter((text) => text.length >= least && text.length <= most),
    fc.constant('😀'.repeat(Math.min(most, 5000))),
  );
}

/** Strings that have broken parsers of mail, headers, URLs and JSON. */
const nasty = [
  '=?utf-8?Q?ceo=40bank.com?= <ada@example.net>',
  '"a\\"b"@example.net',
  'Ada "the" (first) <ada@example.net>',
  'ada@xn--bcher-kva.example',
  'ada@bücher.example',
  '<ada@example.net>',
  'https://bücher.example/ü?é#ñ',
  'https://user:pass@example.com/',
  'http://[::1]:80/',
  'a\r\nBcc: eve@example.net',
  '__proto__',
  'constructor',
  'exe',
  '../../etc/passwd',
  'x.tar.gz',
  'SGVsbG8=',
  '\u0000',
  '\u2028',
  '\u202etxt.exe',
  'ﬁ',
  '{{firstName}}',
  '%00',
];

function objectsOf({ properties = {}, required = [], additionalProperties, propertyNames }: JsonSchema) {
  const fields = Object.entries(properties as Record<string, JsonSchema>);
  const known = fc.record(Object.fromEntries(fields.map(([name, schema]) => [name, valuesOf(schema)])), {
    requiredKeys: required as string[],
  });
  if (typeof additionalProperties !== 'object' || additionalProperties === null) return known;
  const { pattern } = (propertyNames ?? {}) as { pattern?: string };
  const names = pattern
    ? fc.stringMatching(new RegExp(pattern))
    : fc.oneof(fc.string(), fc.constantFrom('X-A', 'From'));
  return fc.dictionary(names, valuesOf(additionalProperties as JsonSchema), { maxKeys: 3 });
}

/** A JSON value of a type that the schema refuses; not null, which means absence. */
export function valuesOfOtherTypes(schema: JsonSchema): Arbitrary<unknown> {
  const branches = [schema, ...((schema.anyOf ?? []) as JsonSchema[])];
  const taken = new Set(branches.flatMap(({ type }) => type ?? []));
  const others: [string, Arbitrary<unknown>][] = [
    ['string', fc.constantFrom('text', '', '1', 'true')],
    ['integer', fc.constantFrom(0, 1, -1, 1.5)],
    ['boolean', fc.boolean()],
    ['array', fc.constantFrom([{}], [[]], [1])],
    ['object', fc.constantFrom({ a: {} }, { length: 1 })],
  ];
  return fc.oneof(...others.filter(([type]) => !taken.has(type)).map(([, values]) => values));
}
