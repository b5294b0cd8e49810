import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import fc from 'fast-check';
import { type Tool, tools } from '../../../shared/contract/tools.ts';
import { catalogIn } from '../../../shared/documentation/catalog/catalog.ts';
import type { ListedTool } from '../../../shared/documentation/catalog/tools.ts';
import { valuesOf } from '../../contract/arbitraries.ts';
import { oddBodies } from '../../contract/hostile.ts';
import { createWorld, type World } from '../../contract/world.ts';
import { call } from '../client.ts';
import { startService, type TestService } from '../service.ts';
import { post, toolCall } from './agents.ts';

/** `CONTRACT_FUZZ_RUNS=2000 CONTRACT_FUZZ_SEED=7` runs longer and with other values. */
const numRuns = Number(process.env.CONTRACT_FUZZ_RUNS ?? 5);
/** Takes every n-th of the hostile bodies, which the REST tests try one by one: every field and every hostile value occurs. */
const stride = numRuns < 100 ? 7 : 1;
const options = { numRuns, seed: Number(process.env.CONTRACT_FUZZ_SEED ?? 20_261_122) };
const timeoutMilliseconds = 30_000 + numRuns * 3000;

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await startService({ env: { REQUESTS_PER_MINUTE: '10000000' } });
  world = await createWorld(service);
});
afterAll(() => service.stop());

const ajv = new Ajv2020({ strict: false, allErrors: true });
formatsPlugin.default(ajv);
const listed = new Map(catalogIn('en').tools.map((tool) => [tool.name, tool]));
const place = () => ({ ...service, apiKey: world.apiKey });

/** The only campaign has no recipients, and nothing exists that a tool could delete. */
const namesOf = ({ name, route }: Tool) => {
  if (!route.path.includes('{')) return {};
  return name === 'remove_subscriber' ? { email: 'nobody@example.net' } : world.parametersOf(route);
};

describe.each(tools)('$name', (tool) => {
  const { name } = tool;
  const { inputSchema, outputSchema } = listed.get(name) as ListedTool;

  it(
    'answers every input that its schema allows as its output schema and its route promise',
    async () => {
      await fc.assert(
        fc.asyncProperty(valuesOf(inputSchema), async (given) => {
          const { status, body } = await post(place(), toolCall(name, { ...(given as object), ...namesOf(tool) }));
          expect(status).toBe(200);
          const { isError, content, structuredContent } = body.result;
          if (!isError)
            expect([ajv.validate(outputSchema ?? false, structuredContent), ajv.errors]).toEqual([true, null]);
          else expect([500, 502, 503]).not.toContain(JSON.parse(content[0].text).statusCode);
        }),
        options,
      );
    },
    timeoutMilliseconds,
  );
});

describe.each(tools.filter(({ route }) => route.request.body))('$name', (tool) => {
  const { name, route, fixed } = tool;

  it('refuses hostile bodies with the messages of the REST API', async () => {
    const decided = Object.keys(fixed?.fields ?? {});
    const bodies = (oddBodies(route) as Record<string, unknown>[])
      .filter((_, index) => index % stride === 0)
      .map((body) => Object.fromEntries(Object.entries(body).filter(([field]) => !decided.includes(field))));
    const path = route.path.replace(/\{(\w+)\}/g, (_, key: string) =>
      encodeURIComponent(world.parametersOf(route)[key] ?? ''),
    );
    const compare = async (body: Record<string, unknown>) => {
      const rest = await call(place(), route.method, path, { body: { ...body, ...fixed?.fields } });
      if (rest.status < 400) return;
      const { body: answer } = await post(place(), toolCall(name, { ...body, ...namesOf(tool) }));
      expect([body, answer.result.isError, JSON.parse(answer.result.content[0].text)]).toEqual([body, true, rest.body]);
    };
    for (let index = 0; index < bodies.length; index += 20)
      await Promise.all(bodies.slice(index, index + 20).map(compare));
  });
});

describe('a message', () => {
  const refused = async (raw: string | Uint8Array<ArrayBuffer>) => {
    const { status, body, text } = await post(place(), undefined, { raw });
    expect([raw, status < 500]).toEqual([raw, true]);
    if (text !== '') expect([raw, body]).toEqual([raw, expect.anything()]);
  };

  it(
    'of any JSON is answered, never with 500',
    async () => {
      const member = fc.oneof(
        fc.constantFrom('2.0', 1, 'tools/list', 'tools/call', 'initialize', 'resources/read'),
        fc.jsonValue(),
      );
      const message = fc.record(
        {
          jsonrpc: fc.oneof(fc.constant('2.0'), member),
          id: member,
          method: member,
          params: fc.oneof(
            fc.jsonValue(),
            fc.record({ name: member, _meta: fc.jsonValue(), arguments: fc.jsonValue(), uri: member }),
          ),
        },
        { requiredKeys: [] },
      );
      const any = fc.oneof(message, fc.array(message, { maxLength: 4 }), fc.jsonValue());
      await fc.assert(
        fc.asyncProperty(any, (value) => refused(JSON.stringify(value))),
        { ...options, numRuns: numRuns * 20 },
      );
    },
    timeoutMilliseconds,
  );

  it(
    'that was damaged in transit is answered',
    async () => {
      const example = Buffer.from(JSON.stringify(toolCall('get_email', { id: 'email_1' })));
      const damage = fc.record({ at: fc.nat(), cut: fc.nat(3), put: fc.uint8Array({ maxLength: 3 }) });
      await fc.assert(
        fc.asyncProperty(damage, ({ at, cut, put }) => {
          const position = at % example.length;
          return refused(Buffer.concat([example.subarray(0, position), put, example.subarray(position + cut)]));
        }),
        { ...options, numRuns: numRuns * 10 },
      );
    },
    timeoutMilliseconds,
  );
});
