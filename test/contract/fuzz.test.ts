import fc, { type Arbitrary } from 'fast-check';
import type { Route } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import type { JsonSchema } from '../../shared/documentation/jsonSchema.ts';
import { call } from '../acceptance/client.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { valuesOf, valuesOfOtherTypes } from './arbitraries.ts';
import { brokenPromises } from './conformance.ts';
import { schemaOf } from './fields.ts';
import { entryOf } from './hostile.ts';
import { createWorld, pathOf, type World, withQuery } from './world.ts';

/** `CONTRACT_FUZZ_RUNS=2000 CONTRACT_FUZZ_SEED=7` runs longer and with other values. */
const numRuns = Number(process.env.CONTRACT_FUZZ_RUNS ?? 15);
const seed = Number(process.env.CONTRACT_FUZZ_SEED ?? 20_261_121);
const options = { numRuns, seed };
const timeoutMilliseconds = 30_000 + numRuns * 2_000;

let service: TestService;
/** One workspace for valid calls and one for invalid ones: an address that the first suppresses is free in the other. */
let worlds: { readonly allowed: World; readonly wrong: World };
beforeAll(async () => {
  service = await startService({ env: { REQUESTS_PER_MINUTE: '10000000', EMAIL_LIST: 'recipient-and-tag' } });
  worlds = { allowed: await createWorld(service), wrong: await createWorld(service) };
});
afterAll(() => service.stop());

const named = (wanted: (route: Route) => boolean) =>
  routes.filter(wanted).map((route) => [`${route.method} ${route.path}`, route] as const);

const none = fc.constant({});
/** Two spellings of one field may not differ. */
const spelledOnce = ({ replyTo, ...body }: Record<string, unknown>): object =>
  'reply_to' in body || replyTo === undefined ? body : { ...body, replyTo };
const partOf = (route: Route, part: 'query' | 'body'): Arbitrary<object> => {
  const schema = schemaOf(route, part);
  if (!schema) return none;
  const values = valuesOf(schema) as Arbitrary<Record<string, unknown> | Record<string, unknown>[]>;
  return values.map((value) => (Array.isArray(value) ? value.map(spelledOnce) : spelledOnce(value)));
};

/** Headers as programs and people write them. */
const headers = fc.record(
  {
    'Accept-Language': fc.constantFrom('fr', 'fr-CA;q=0', 'en', '*', 'zz', ';;,', ''),
    'Accept-Encoding': fc.constantFrom('gzip', 'identity', 'gzip;q=x', '*;q=0', ''),
    'Content-Type': fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'multipart/form-data', 'x'),
    'Idempotency-Key': fc.oneof({ arbitrary: fc.uuid(), weight: 9 }, fc.constantFrom('', ' ', 'k'.repeat(201), 'é')),
    'X-Api-Key': fc.constant(''),
  },
  { requiredKeys: [] },
);

describe.each(named(() => true))('%s', (_name, route) => {
  /** Existing things, or anything for a call that deletes: the next call would miss what it deletes. */
  const paths = () => {
    const odd = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !/^\.{1,2}$/.test(text));
    const place = odd.map((text) => pathOf(route, { id: text, deliveryId: text, email: text }));
    if (!route.path.includes('{')) return fc.constant(route.path);
    if (route.method === 'DELETE') return place;
    return fc.oneof(place, fc.constant(pathOf(route, worlds.allowed.parametersOf(route))));
  };

  async function send(path: string, given: Parameters<typeof call>[3]): Promise<void> {
    const answer = await call(service, route.method, path, { key: worlds.allowed.apiKey, ...given });
    expect(brokenPromises(route, answer)).toEqual([]);
    // The provider must accept what the contract accepts.
    expect([500, 502, 503]).not.toContain(answer.status);
    if (route.id === 'webhooks.create' && answer.status === 201) {
      await call(service, 'DELETE', `${route.path}/${answer.body.id}`, { key: worlds.allowed.apiKey });
    }
  }

  it(
    'keeps its promises for every input that its schemas allow',
    async () => {
      const calls = fc.record({ path: paths(), query: partOf(route, 'query'), headers, body: partOf(route, 'body') });
      await fc.assert(
        fc.asyncProperty(calls, async ({ path, query, headers, body }) => {
          const search = new URLSearchParams(query as Record<string, string>);
          await send(withQuery(path, String(search)), { headers, ...(route.request.body ? { body } : {}) });
        }),
        options,
      );
    },
    timeoutMilliseconds,
  );
});

describe.each(named((route) => route.request.body !== undefined))('%s', (_name, route) => {
  const path = () => pathOf(route, route.path.includes('{') ? worlds.wrong.parametersOf(route) : {});

  it(
    'names every field of a wrong type',
    async () => {
      const { schema, example, wrapped } = entryOf(route);
      const { properties = {} } = schema as { properties?: Record<string, JsonSchema> };
      const wrong = fc
        .record(
          Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valuesOfOtherTypes(schema)])),
          { requiredKeys: [] },
        )
        .filter((fields) => Object.keys(fields).length > 0);
      await fc.assert(
        fc.asyncProperty(wrong, async (fields) => {
          const body = wrapped({ ...example, ...fields });
          const answer = await call(service, route.method, path(), { key: worlds.wrong.apiKey, body });
          expect(brokenPromises(route, answer)).toEqual([]);
          expect(answer.status).toBe(422);
          const told = answer.body.error.details.issues.map(
            (issue: { path: string }) => /^(?:\[0\]\.)?(\w+)/.exec(issue.path)?.[1],
          );
          expect(told).toEqual(expect.arrayContaining(Object.keys(fields)));
        }),
        options,
      );
    },
    timeoutMilliseconds,
  );

  it(
    'answers a body that was damaged in transit',
    async () => {
      const damage = fc.record({ at: fc.nat(), cut: fc.nat(3), put: fc.uint8Array({ maxLength: 3 }) });
      const example = Buffer.from(JSON.stringify(route.request.example));
      await fc.assert(
        fc.asyncProperty(damage, async ({ at, cut, put }) => {
          const place = at % example.length;
          const raw = Buffer.concat([example.subarray(0, place), put, example.subarray(place + cut)]);
          const answer = await call(service, route.method, path(), { key: worlds.wrong.apiKey, raw });
          expect(brokenPromises(route, answer)).toEqual([]);
          expect([500, 502, 503]).not.toContain(answer.status);
        }),
        options,
      );
    },
    timeoutMilliseconds,
  );
});
