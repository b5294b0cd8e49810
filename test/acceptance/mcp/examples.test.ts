import { tools } from '../../../shared/contract/tools.ts';
import { exampleOf, type JsonSchema } from '../../../shared/documentation/jsonSchema.ts';
import { type Language, languageTags } from '../../../shared/language/languages.ts';
import { operatorContext } from '../../shared/services/context.ts';
import { call } from '../client.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';
import { connectAgent } from './agents.ts';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

/** A workspace that has what the examples name, and makes what they name by an id. */
async function exampleWorkspace() {
  const workspace: TestWorkspace = await newWorkspace(service, { domain: 'example.com' });
  const ask = async (path: string, body: object) => {
    const answer = await call({ ...service, ...workspace }, 'POST', `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const [{ setTopic }, { createSegment }] = await Promise.all([
    import('../../../shared/services/topics.ts'),
    import('../../../shared/services/segments.ts'),
  ]);
  const context = () => operatorContext(workspace.workspaceId);
  await setTopic(context(), { tag: 'category:newsletter', name: 'Newsletter' });
  const { body: topics } = await call({ ...service, ...workspace }, 'GET', '/api/v1/topics');
  const people = ['ada@example.net', 'grace@example.net', 'linus@example.net'];
  for (const email of people) await ask('/subscribers', { email, double_opt_in: false });
  const makers: Record<string, () => Promise<{ id: string }>> = {
    top: async () => topics.data[0],
    camp: () => ask('/campaigns', { name: 'News', subject: 'News', text: 'News.' }),
    email: () => ask('/emails', { from: 'a@example.com', to: 'x@example.net', subject: 'S', text: 'T' }),
    tpl: () => ask('/templates', { name: 'News', subject: 'News', content: [{ type: 'divider' }] }),
    seg: () => createSegment(context(), { name: `S${Date.now()}`, rule: { not: { tag: 'x' } } }),
  };
  return { workspace, makers };
}

type Made = Awaited<ReturnType<typeof exampleWorkspace>>['makers'];

/** An example in which made-up ids are those of this workspace, and a moment is tomorrow. */
async function real(example: unknown, makers: Made): Promise<unknown> {
  if (Array.isArray(example)) return Promise.all(example.map((one) => real(one, makers)));
  if (typeof example === 'object' && example !== null) {
    const entries = Object.entries(example).map(async ([name, value]) => [name, await real(value, makers)]);
    return Object.fromEntries(await Promise.all(entries));
  }
  if (typeof example !== 'string') return example;
  if (/^\d{4}-\d\d-\d\dT/.test(example)) return new Date(Date.now() + 86_400_000).toISOString();
  const [, kind = ''] = /^([a-z]+)_…$/.exec(example) ?? [];
  return Object.hasOwn(makers, kind) ? (await makers[kind]?.())?.id : example;
}

/** Fields that stand in the place of others. */
const instead: Readonly<Record<string, readonly string[]>> = {
  template: ['html', 'text', 'subject'],
  content: ['text'],
  html: ['text'],
  plain_text: ['text'],
};

/** Fields that go with others, given here. */
const together: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  plain_text: { html: '<p>Hello</p>' },
};

/** Places in a list that this workspace does not have. */
const places = ['cursor', 'after'];

/** A call with the arguments that are required, and one with each of the others. */
function callsOf(name: string, schema: JsonSchema): Record<string, unknown>[] {
  const route = tools.find((tool) => tool.name === name)?.route;
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as string[];
  const whole = Object.fromEntries(
    properties.filter(([field]) => required.includes(field)).map(([field, one]) => [field, exampleOf(one, field)]),
  );
  const known = properties.map(([field]) => field);
  const given = Object.entries((route?.request.example ?? {}) as object).filter(([field]) => known.includes(field));
  const base = { ...Object.fromEntries(given), ...whole };
  const others = properties.filter(([field]) => !required.includes(field) && !places.includes(field));
  return [
    base,
    ...others.map(([field, one]) => {
      const kept = Object.entries(base).filter(([other]) => !instead[field]?.includes(other));
      return { ...Object.fromEntries(kept), ...together[field], [field]: exampleOf(one, field) };
    }),
  ];
}

describe.each(languageTags)('the examples of the tools in %s', (language: Language) => {
  it('are taken by the tools', async () => {
    const { workspace, makers } = await exampleWorkspace();
    const agent = await connectAgent('second', { ...service, ...workspace }, language);
    const { tools: listed } = await agent.client.listTools();
    // What makes a person unreachable comes last.
    const isLast = (name: string) => ['add_suppression', 'remove_subscriber'].indexOf(name);
    const sorted = listed.toSorted((one, other) => isLast(one.name) - isLast(other.name));
    const refused: unknown[] = [];
    let calls = 0;
    for (const { name, inputSchema } of sorted) {
      for (const example of callsOf(name, inputSchema)) {
        const given = (await real(example, makers)) as Record<string, unknown>;
        const { isError, content } = await agent.use(name, given);
        calls += 1;
        if (isError) refused.push({ name, given, error: content.error });
      }
    }
    await agent.close();
    expect(refused).toEqual([]);
    expect(calls).toBeGreaterThan(50);
    const people = await call({ ...service, ...workspace }, 'GET', '/api/v1/subscribers/ada@example.net');
    expect(people.body.status).toBe('unsubscribed');
  });
});
