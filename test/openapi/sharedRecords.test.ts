import { shareRecords } from '../../infra/openapi/sharedRecords.ts';

const record = (object: string, description?: string) => ({
  ...(description ? { description } : {}),
  type: 'object',
  properties: { object: { const: object }, id: { type: 'string' } },
});

describe('shareRecords', () => {
  it('moves a record that appears twice to a component named after its object', () => {
    const paths = { '/a': { schema: record('webhook_delivery') }, '/b': { schema: record('webhook_delivery') } };
    expect(shareRecords(paths)).toEqual({ WebhookDelivery: record('webhook_delivery') });
    const reference = { $ref: '#/components/schemas/WebhookDelivery' };
    expect(paths).toEqual({ '/a': { schema: reference }, '/b': { schema: reference } });
  });

  it('keeps the description of each field that holds the record', () => {
    const paths = { one: { schema: record('email', 'The first.') }, two: { schema: record('email', 'The second.') } };
    expect(shareRecords(paths)).toEqual({ Email: record('email') });
    expect(paths.two.schema).toEqual({ $ref: '#/components/schemas/Email', description: 'The second.' });
  });

  it('leaves a record that appears once in place', () => {
    const paths = { '/a': { schema: record('api') }, '/b': { schema: record('account') } };
    expect(shareRecords(paths)).toEqual({});
    expect(paths['/a'].schema).toEqual(record('api'));
  });

  it('finds records inside lists, but makes no component of a list', () => {
    const list = () => ({
      type: 'object',
      properties: { object: { const: 'list' }, data: { type: 'array', items: record('email') } },
    });
    const paths = { '/a': { schema: list() }, '/b': { schema: list() } };
    expect(Object.keys(shareRecords(paths))).toEqual(['Email']);
    expect(paths['/a'].schema.properties.data.items).toEqual({ $ref: '#/components/schemas/Email' });
  });

  it('numbers different records with the same name', () => {
    const [plain, wide] = [record('webhook'), { ...record('webhook'), required: ['id'] }];
    const paths = [plain, wide, structuredClone(plain), structuredClone(wide)].map((schema) => ({ schema }));
    expect(Object.keys(shareRecords(paths))).toEqual(['Webhook', 'Webhook2']);
  });

  it('names a second record after its additional fields', () => {
    const secret = () => ({
      type: 'object',
      properties: { ...record('webhook').properties, secret: { type: 'string' } },
    });
    const paths = [record('webhook'), secret(), record('webhook'), secret()].map((schema) => ({ schema }));
    expect(Object.keys(shareRecords(paths))).toEqual(['Webhook', 'WebhookWithSecret']);
  });

  it('does not look into examples', () => {
    const paths = { a: { example: { schema: record('email') } }, b: { example: { schema: record('email') } } };
    expect(shareRecords(paths)).toEqual({});
  });
});
