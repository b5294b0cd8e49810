import { Components, pascal } from '../../infra/openapi/components.ts';
import { generate } from '../../infra/openapi/generate.ts';
import { routes } from '../../shared/contract/routes.ts';
import { sampleOrigin } from '../../shared/contract/sampleOrigin.ts';
import { segmentRule } from '../../shared/domain/segment/segmentRule.ts';
import { inEachLanguage, languageTags } from '../../shared/language/languages.ts';
import { walk } from './walk.ts';

type Schema = Record<string, unknown>;

const documents = inEachLanguage((language) => generate(routes, language));
const schemasOf = (document: object) =>
  (document as { components: { schemas: Record<string, Schema> } }).components.schemas;

/** Every schema below one that is in place, and the number of objects around it. Branches beside fields are conditions. */
function* inner(schema: Schema, path: string, depth = 0): Generator<{ path: string; schema: Schema; depth: number }> {
  yield { path, schema, depth };
  const isObject = schema.properties !== undefined;
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  for (const [name, one] of properties) yield* inner(one, `${path}.${name}`, depth + 1);
  const others = [schema.items, schema.additionalProperties, ...(isObject ? [] : [schema.anyOf, schema.oneOf].flat())];
  for (const one of others) if (typeof one === 'object') yield* inner(one as Schema, path, depth + (isObject ? 1 : 0));
}

describe.each(languageTags)('the components in %s', (language) => {
  const document = documents[language];
  const schemas = schemasOf(document);

  it('hold every request, answer and event', () => {
    const bodies = [...walk(document)].filter(({ path }) =>
      /^(paths|webhooks)\..*\.(requestBody|responses\.\w+)\.content\.application\/json\.schema$/.test(path),
    );
    const whole = /^paths\.[\w/]+\/openapi\.\w+\.json\.get\./;
    const inPlace = bodies.filter(({ path, node }) => typeof node.$ref !== 'string' && !whole.test(path));
    expect(inPlace.map(({ path }) => path)).toEqual([]);
    expect(bodies.length).toBeGreaterThan(routes.length);
  });

  it('have nothing in place below one level, and no enum', () => {
    const parameters = [...walk(document)].filter(({ node }) => node.in !== undefined && node.schema !== undefined);
    const roots = [
      ...Object.entries(schemas),
      ...parameters.map(({ path, node }) => [path, node.schema] as [string, Schema]),
    ];
    const all = roots.flatMap(([name, schema]) => [...inner(schema, name)]);
    const isObject = ({ properties = {} }: Schema) => Object.keys(properties as object).length > 0;
    const isEnum = ({ enum: values = [] }: Schema) => (values as unknown[]).filter((one) => one !== null).length > 1;
    expect(all.filter(({ schema, depth }) => depth > 1 && isObject(schema)).map(({ path }) => path)).toEqual([]);
    expect(
      all.filter(({ path, schema }) => isEnum(schema) && schema !== schemas[path]).map(({ path }) => path),
    ).toEqual([]);
    expect(all.length).toBeGreaterThan(1000);
  });

  it('are named after the `object` of a record, and as the contract says', () => {
    const records = Object.entries(schemas).map(([name, { properties }]) => {
      const object = (properties as { object?: { const?: string } } | undefined)?.object?.const;
      return { name, object };
    });
    const named = records.filter(({ object }) => object !== undefined && object !== 'list');
    const others = named.filter(({ name, object }) => !name.includes(pascal(object ?? '')));
    // A message of a campaign is a `campaign_recipient` in the list of emails, a replay a `webhook_delivery`.
    expect(others.map(({ name }) => name)).toEqual(['CampaignMessage', 'WebhookReplay']);
    for (const name of ['AudienceBreakdown', 'Block', 'CampaignRecipient', 'CampaignReport', 'CampaignRequest'])
      expect(schemas).toHaveProperty(name);
    for (const name of ['Error', 'Event', 'SegmentRule']) expect(schemas).toHaveProperty(name);
  });

  it('keep the document, as it is served, within 720 kB', () => {
    const own = 'https://abcdefghij.execute-api.eu-central-1.amazonaws.com/production';
    const served = JSON.stringify(document).replaceAll(sampleOrigin, own);
    expect(Buffer.byteLength(served)).toBeLessThanOrEqual(720_000);
  });
});

describe('a rule of a segment', () => {
  const schemas = schemasOf(documents.en);
  const enumOf = (name: string) => schemas[name]?.enum as string[];
  const messages = (rule: unknown) => JSON.stringify(segmentRule.safeParse(rule).error?.issues ?? []);

  it.each([
    ['Name', { name: 'firstName' }],
    ['Field', { field: 'city' }],
    ['Date', { date: 'created_at' }],
    ['Event', { event: 'visit' }],
    ['Mail', { mail: 'opened' }],
  ])('has the operators that the service accepts: %s', (kind, subject) => {
    const [issue] = segmentRule.safeParse({ ...subject, operator: 'unknown' }).error?.issues ?? [];
    expect(enumOf(`Segment${kind}RuleOperator`)).toEqual((issue as unknown as { values: string[] }).values);
  });

  it('has a component for every kind', () => {
    const kinds = Object.entries(schemas).filter(([name]) => /^Segment[A-Z][a-z]+Rule$/.test(name));
    for (const [, { properties }] of kinds) {
      const [kind = ''] = Object.keys(properties as object);
      expect([kind, messages({ [kind]: [] })]).toEqual([kind, expect.not.stringContaining('must have one of')]);
    }
    expect(messages({})).toContain(
      kinds
        .map(([, { properties }]) => Object.keys(properties as object)[0])
        .sort()
        .at(0),
    );
    expect(kinds).toHaveLength(9);
  });
});

describe('Components', () => {
  const text = { type: 'string' };
  const object = (properties: Schema, more: Schema = {}) => ({ type: 'object', properties, ...more });
  const ofPlaces = (...schemas: Schema[]) => new Components(schemas);

  it('moves a record, and what is in it, out of its place, which keeps the description', () => {
    const person = object({ name: text });
    const schema = object({ object: { const: 'email' }, to: { ...person, description: 'Recipient.' } });
    const components = ofPlaces(schema);
    expect(components.reference(schema, 'Sent')).toEqual({ $ref: '#/components/schemas/Email' });
    expect(components.schemas).toEqual({
      Email: object({
        object: { const: 'email' },
        to: { $ref: '#/components/schemas/EmailTo', description: 'Recipient.' },
      }),
      EmailTo: person,
    });
  });

  it('gives the same content one name: a given one before one by place, wherever it comes', () => {
    const colour = { type: 'string', enum: ['red', 'blue'] };
    const [one, other] = [object({ wall: colour }), object({ roof: { component: 'Colour', ...colour } })];
    const components = ofPlaces(one, other);
    for (const [index, schema] of [one, other].entries()) components.reference(schema, `House${index}`);
    expect(Object.keys(components.schemas)).toEqual(['Colour', 'House0', 'House1']);
  });

  it('writes what may be null as a reference or null', () => {
    const schema = object({ size: { type: ['string', 'null'], enum: ['s', 'l', null], examples: ['s'] } });
    const components = ofPlaces(schema);
    components.reference(schema, 'Shirt');
    expect(components.schemas).toEqual({
      Shirt: object({
        size: { anyOf: [{ $ref: '#/components/schemas/ShirtSize' }, { type: 'null' }], examples: ['s'] },
      }),
      ShirtSize: { type: 'string', enum: ['s', 'l'] },
    });
  });

  it('names lists after their entries, entries of arrays in the singular, members of a union by their type', () => {
    const block = (type: string) => object({ type: { const: type } });
    const schema = object({
      object: { const: 'list' },
      data: {
        type: 'array',
        items: object({
          object: { const: 'page' },
          entries: { type: 'array', items: { component: 'Block', oneOf: [block('heading'), block('list')] } },
          replies: { type: 'array', items: object({ by: text }) },
        }),
      },
    });
    const components = ofPlaces(schema);
    expect(components.reference(schema, 'Pages')).toEqual({ $ref: '#/components/schemas/PageList' });
    expect(Object.keys(components.schemas)).toEqual([
      'Block',
      'HeadingBlock',
      'ListBlock',
      'Page',
      'PageList',
      'PageReply',
    ]);
  });

  it('refuses two different contents for one name, and says how to name one of them', () => {
    const [one, other] = [object({ object: { const: 'email' } }), object({ object: { const: 'email' }, to: text })];
    const components = ofPlaces(one, other);
    components.reference(one, 'One');
    expect(() => components.reference(other, 'Other')).toThrow(/would be the component Email .* by named\(\)/);
  });
});
