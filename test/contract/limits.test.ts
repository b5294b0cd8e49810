import { routes } from '../../shared/contract/routes.ts';
import type { JsonSchema } from '../../shared/documentation/jsonSchema.ts';
import { fieldsOf } from './fields.ts';

/** The limits of the interface by route and field, as in the OpenAPI document. */
const limits: Record<string, Record<string, JsonSchema>> = {
  'emails.send': {
    'idempotency-key': { minLength: 1, maxLength: 200 },
    from: { minLength: 3, maxLength: 320 },
    to: { minItems: 1, maxItems: 50 },
    'to[0]': { minLength: 3, maxLength: 320 },
    subject: { minLength: 1, maxLength: 998 },
    html: { maxLength: 400_000 },
    text: { maxLength: 400_000 },
    cc: { minItems: 1, maxItems: 50 },
    'cc[0]': { minLength: 3, maxLength: 320 },
    bcc: { minItems: 1, maxItems: 50 },
    'bcc[0]': { minLength: 3, maxLength: 320 },
    reply_to: { minItems: 1, maxItems: 25 },
    replyTo: { minItems: 1, maxItems: 25 },
    headers: { maxProperties: 15 },
    tags: { maxItems: 20 },
    'tags[0].name': { minLength: 1, maxLength: 256, pattern: '^[A-Za-z0-9_-]*$' },
    'tags[0].value': { minLength: 1, maxLength: 256, pattern: '^[A-Za-z0-9_-]*$' },
    attachments: { maxItems: 20 },
  },
  'subscribers.list': {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
    q: { minLength: 2 },
  },
  'subscribers.upsert': {
    email: { maxLength: 254 },
    firstName: { maxLength: 100 },
    lastName: { maxLength: 100 },
    tags: { maxItems: 50 },
    'tags[0]': { minLength: 1, maxLength: 64 },
    fields: { maxProperties: 50, propertyNames: { pattern: '^[A-Za-z0-9_]{1,64}$' } },
    'fields.Any': { maxLength: 1000 },
  },
  'suppression.list': { limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 }, email: { maxLength: 254 } },
  'suppression.add': {
    email: { maxLength: 254 },
    reason: { enum: ['unsubscribe', 'bounce', 'complaint', 'manual', null], default: 'manual' },
  },
  'audience.evaluate': { to: { maxItems: 50_000 } },
  'webhooks.list': { limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 } },
  'webhooks.create': { name: { maxLength: 80 }, events: { minItems: 1 } },
  'webhooks.update': { name: { maxLength: 80 }, events: { minItems: 1 } },
  'webhooks.deliveries': { limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 } },
};

const rows = Object.entries(limits).flatMap(([id, fields]) =>
  Object.entries(fields).map(([path, limit]) => [id, path, limit] as const),
);

describe('the limits of the interface', () => {
  it.each(rows)('%s %s: %j', (id, path, limit) => {
    const route = routes.find((one) => one.id === id);
    const field = route && fieldsOf(route).find((one) => one.path === path);
    const told = [field?.schema, ...((field?.schema.anyOf ?? []) as JsonSchema[])];
    expect(told).toContainEqual(expect.objectContaining(limit));
  });
});
