import { tools } from '../../../shared/contract/tools.ts';
import { everyTool, type Toolset, toolsetNames, toolsets } from '../../../shared/contract/toolsets.ts';
import { catalogIn } from '../../../shared/documentation/catalog/catalog.ts';
import { exampleOf, type JsonSchema } from '../../../shared/documentation/jsonSchema.ts';
import { createWorld } from '../../contract/world.ts';
import { call, eventually } from '../client.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace } from '../workspace.ts';
import { connectAgent, generationNames, post, toolCall } from './agents.ts';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const usual = tools.map(({ name }) => name);
const namesOf = (...names: Toolset[]) => names.flatMap((name) => toolsets[name].map((tool) => tool.name));

async function listed(query: string, language = 'en') {
  return post({ ...service, query }, list, { headers: { 'Accept-Language': language } });
}
const names = async (query: string): Promise<string[]> =>
  (await listed(query)).body.result.tools.map(({ name }: { name: string }) => name);

describe('the address of the MCP server', () => {
  it('gives the usual tools, and those of the toolsets that it names', async () => {
    expect(await names('')).toEqual(usual);
    expect(await names('?toolsets=')).toEqual(usual);
    for (const name of toolsetNames)
      expect(new Set(await names(`?toolsets=${name}`))).toEqual(new Set([...usual, ...namesOf(name)]));
    expect(new Set(await names('?toolsets=jobs,audience'))).toEqual(
      new Set([...usual, ...namesOf('jobs', 'audience')]),
    );
    expect(await names('?toolsets=all')).toEqual(everyTool.map(({ name }) => name));
  });

  it('leaves out every tool that changes something', async () => {
    const reading = everyTool.filter(({ effect }) => effect.readOnly).map(({ name }) => name);
    expect(await names('?toolsets=all&read_only=true')).toEqual(reading);
    expect(await names('?read_only=true')).toEqual(reading.filter((name) => usual.includes(name)));
    expect(reading).not.toContain('send_email');
    expect(await names('?read_only=false')).toEqual(usual);
  });

  it.each([
    ['?toolsets=campaign', 'no toolset \\"campaign\\"'],
    ['?toolsets=all,nothing', 'no toolset \\"nothing\\"'],
    ['?toolsets=constructor', 'no toolset'],
    ['?read_only=yes', '`read_only` must be'],
    ['?read_only=', '`read_only` must be'],
    ['?readonly=true', 'nothing else'],
    ['?toolsets=jobs&toolsets=all', 'each once'],
  ])('%s is refused, whatever is called', async (query, words) => {
    for (const message of [list, toolCall('get_account')]) {
      const answer = await post({ ...service, query }, message);
      expect([answer.status, answer.body.name]).toEqual([400, 'validation_error']);
      expect(answer.text).toContain(words);
    }
  });

  it('offers no tool that it does not list', async () => {
    const isUnknown = async (query: string, name: string) => {
      const { body } = await post({ ...service, query }, toolCall(name, { id: 'x', name: 'x' }));
      return /Unknown tool/.test(JSON.stringify(body));
    };
    expect(await isUnknown('', 'delete_template')).toBe(true);
    expect(await isUnknown('?toolsets=jobs', 'delete_template')).toBe(true);
    expect(await isUnknown('?toolsets=templates', 'delete_template')).toBe(false);
    expect(await isUnknown('?toolsets=templates&read_only=true', 'delete_template')).toBe(true);
    expect(await isUnknown('?read_only=true', 'send_email')).toBe(true);
  });

  it('has tools for no key, erasure or import', () => {
    const paths = everyTool.map(({ route }) => route.path);
    expect(paths.filter((path) => /\/keys|\/erase|\/imports/.test(path))).toEqual([]);
  });

  it('says in the instructions which toolsets there are', () => {
    const { instructions } = catalogIn('en');
    for (const name of toolsetNames) expect(instructions).toContain(`\`${name}\``);
  });
});

/** Places in a list that this workspace does not have, a list that this service does not keep, and what needs blocks. */
const skipped = ['cursor', 'after', 'tag', 'preheader'];

/** A call with what is required, and one with each of the other fields, by the examples of the schema. */
function callsOf(schema: JsonSchema, example: unknown): Record<string, unknown>[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as string[];
  const given = Object.entries((example ?? {}) as object).filter(([field]) =>
    properties.some(([name]) => name === field),
  );
  const missing = required.filter((field) => !given.some(([name]) => name === field));
  const whole = properties.filter(([field]) => missing.includes(field)).map(([field, one]) => [field, exampleOf(one)]);
  const base = { ...Object.fromEntries(whole), ...Object.fromEntries(given) };
  const others = properties.filter(
    ([field, { description }]) =>
      !Object.hasOwn(base, field) && !skipped.includes(field) && !/^As in /.test(String(description)),
  );
  return [
    base,
    ...others.map(([field, one]) => {
      const changed = Object.entries(beside[field] ?? {});
      const left = changed.filter(([, value]) => value === null).map(([name]) => name);
      return { ...without({ ...base, ...Object.fromEntries(changed) }, left), [field]: exampleOf(one) };
    }),
  ];
}

/** Fields that change others beside them; null leaves one out. */
const beside: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  time_zone: { scheduled_at: '2026-12-24T09:00' },
  segment_id: { rule: null, status: null },
  status: { segment_id: null },
};

const without = (given: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));

/** An example in which made-up ids and the topic are those of this workspace, and a moment is tomorrow. */
function real(example: unknown, ids: Readonly<Record<string, string | undefined>>): unknown {
  if (Array.isArray(example)) return example.map((one) => real(one, ids));
  if (typeof example === 'object' && example !== null)
    return Object.fromEntries(
      // What happened, happened.
      Object.entries(example).map(([name, value]) => [
        name,
        name === 'timestamp' ? new Date().toISOString() : real(value, ids),
      ]),
    );
  if (example === 'category:newsletter') return 'topic:news';
  // The workspace of the contract's tests has suppressed her.
  if (example === 'grace@example.net') return 'linus@example.net';
  if (typeof example !== 'string') return example;
  if (/^\d{4}-\d\d-\d\dT[\d:]+(?:Z|\+)/.test(example)) return new Date(Date.now() + 86_400_000).toISOString();
  const [, kind = ''] = /^([a-z]+)_(?:\w{26}|…)$/.exec(example) ?? [];
  return ids[kind] ?? example;
}

/** Answers that depend on the state of what a call names, and not on the words of the call. */
const ofState = ['conflict', 'rate_limit_exceeded'];

describe('the examples of the tools of the toolsets', () => {
  it('are taken by the tools', async () => {
    const world = await createWorld(service);
    const agent = await connectAgent('second', { ...service, ...world, query: '?toolsets=all' });
    const { tools: all } = await agent.client.listTools();
    const further = all.filter(({ name }) => !usual.includes(name));
    // What removes something comes last.
    const sorted = further.toSorted(
      (one, other) => Number(/^delete/.test(one.name)) - Number(/^delete/.test(other.name)),
    );
    const idIn = (name: string) => {
      const { route } = everyTool.find((one) => one.name === name) as (typeof everyTool)[number];
      return world.parametersOf(route).id;
    };
    const ids = { seg: idIn('get_segment'), top: idIn('update_topic'), tpl: idIn('get_template') };
    const refused: unknown[] = [];
    let taken = 0;
    for (const { name, inputSchema } of sorted) {
      const { route, listArgument } = everyTool.find((tool) => tool.name === name) as (typeof everyTool)[number];
      const { example: written } = route.request;
      const inPath = ([parameter]: readonly [string, string]) => route.path.includes(`{${parameter}}`);
      const values = route.path.includes('{') ? Object.entries(world.parametersOf(route)).filter(inPath) : [];
      for (const example of callsOf(inputSchema, listArgument ? { [listArgument]: written } : written)) {
        const given = { ...(real(example, ids) as object), ...Object.fromEntries(values) };
        const { isError, content } = await agent.use(name, given);
        if (!isError) taken += 1;
        else if (!ofState.includes(content.error.code)) refused.push({ name, given, error: content.error });
      }
    }
    await agent.close();
    expect(refused).toEqual([]);
    expect(taken).toBeGreaterThan(80);
  });
});

describe.each(generationNames)('an agent of the %s generation', (generation) => {
  it('writes a segment and a campaign, shows, tests, schedules and withdraws it', async () => {
    const workspace = await newWorkspace(service, { domain: 'example.com' });
    const place = { ...service, ...workspace, query: '?toolsets=campaigns,audience,emails' };
    const person = { email: 'ada@example.net', double_opt_in: false, tags: ['vip'] };
    await call(place, 'POST', '/api/v1/subscribers', { body: person });
    const agent = await connectAgent(generation, place);
    const segment = await agent.use('create_segment', { name: 'Very important', rule: { tag: 'vip' } });
    const draft = { name: 'News', subject: 'News', from: 'news@example.com', text: 'Hello {{firstName|you}}' };
    const campaign = await agent.use('create_campaign', { ...draft, segment_id: segment.content.id });
    const { id } = campaign.content;
    const shown = await agent.use('render_campaign', { id, email: 'ada@example.net' });
    expect(shown.content.text).toContain('Hello you');
    expect((await agent.use('test_campaign', { id, to: ['tester@example.net'] })).content.emails).toHaveLength(1);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect((await agent.use('schedule_campaign', { id, scheduled_at: tomorrow })).content).toMatchObject({
      status: 'scheduled',
      recipients: 1,
      target: { segment: { name: 'Very important' } },
    });
    expect((await agent.use('unschedule_campaign', { id })).content.status).toBe('draft');
    const batch = { from: 'news@example.com', to: 'ada@example.net', subject: 'S', text: 'T' };
    const sent = await agent.use('send_batch', { emails: [batch, { ...batch, to: 'grace@example.net' }] });
    const again = await agent.use('send_batch', { emails: [batch, { ...batch, to: 'grace@example.net' }] });
    expect(sent.content.data).toHaveLength(2);
    expect(again.content.data).toEqual(sent.content.data);
    expect((await agent.use('send_batch', {})).content.name).toBe('validation_error');
    expect((await agent.use('pause_campaign', { id, reason: 'x' })).content.error.details.issues[0].path).toBe(
      'reason',
    );
    await agent.close();
  });
});

describe('the prompts', () => {
  it('name tools that take what they say', async () => {
    const workspace = await newWorkspace(service, { domain: 'example.com' });
    const place = { ...service, ...workspace, query: '?toolsets=emails,domains,campaigns' };
    const agent = await connectAgent('second', place);
    const { content } = await agent.use('send_email', {
      from: 'hello@example.com',
      to: 'bounce@simulator.amazonses.com',
      subject: 'Hello',
      text: 'Hello',
    });
    const status = async () => (await agent.use('get_email', { id: content.id })).content.status;
    await eventually(async () => (await status()) === 'bounced');
    const listed = await agent.use('list_emails', { recipient: 'bounce@simulator.amazonses.com' });
    expect(listed.content.data).toMatchObject([{ id: content.id }]);
    const suppressed = await agent.use('list_suppression', { email: 'bounce@simulator.amazonses.com' });
    expect(suppressed.content.data).toMatchObject([{ reason: 'bounce' }]);
    const people = await agent.use('list_subscribers', { q: 'bounce@simulator.amazonses.com' });
    expect(people.content.data).toEqual([]);
    const [domain] = (await agent.use('list_domains')).content.data;
    expect((await agent.use('get_domain', { id: domain.id })).content.verified).toBe(true);
    await agent.close();
  });
});
