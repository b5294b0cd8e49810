import { randomUUID } from 'node:crypto';
import { call } from '../client.ts';
import { type ClientWorld, dataOf, refusalOf, type Scenarios } from './scenarios.ts';

type Group = 'segments' | 'audiences';

export const newSegment = async ({ resend }: ClientWorld): Promise<string> =>
  (await dataOf(resend.segments.create({ name: `Segment ${randomUUID()}` }))).id;

/** The rule of a segment as the REST API shows it. */
async function ruleOf({ service, workspace }: ClientWorld, id: string): Promise<unknown> {
  return (await call({ ...service, apiKey: workspace.apiKey }, 'GET', `/api/v1/segments/${id}`)).body.rule;
}

async function create(world: ClientWorld, group: Group): Promise<void> {
  const { resend, service, workspace } = world;
  const name = `Created ${randomUUID()}`;
  const created = await dataOf(resend[group].create({ name }, { headers: { 'Idempotency-Key': name } }));
  expect(created).toEqual({ object: 'segment', id: expect.stringMatching(/^seg_/), name });
  expect(await ruleOf(world, created.id)).toEqual({ tag: created.id });
  // The answer is replayed, and the rule that its owner gave it since stays.
  const rule = { tag: 'vip' };
  await call({ ...service, apiKey: workspace.apiKey }, 'PATCH', `/api/v1/segments/${created.id}`, { body: { rule } });
  const again = await resend[group].create({ name }, { headers: { 'Idempotency-Key': name } });
  expect([again.data, again.headers?.['idempotent-replay']]).toEqual([created, 'true']);
  expect(await ruleOf(world, created.id)).toEqual(rule);
  expect((await refusalOf(resend[group].create({ name: name.toUpperCase() })))[0]).toBe(409);
}

async function get({ resend }: ClientWorld, group: Group): Promise<void> {
  const { id, name } = await dataOf(resend[group].create({ name: `Shown ${randomUUID()}` }));
  const created_at = expect.stringMatching(/Z$/);
  expect(await dataOf(resend[group].get(id))).toEqual({ object: 'segment', id, name, created_at });
  expect((await refusalOf(resend[group].get('nothing')))[0]).toBe(404);
}

async function list(world: ClientWorld, group: Group): Promise<void> {
  const { resend } = world;
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.unshift(await newSegment(world));
  const first = await dataOf(resend[group].list({ limit: 1 }));
  expect(first).toMatchObject({ object: 'list', has_more: true, data: [{ id: ids[0] }] });
  expect(Object.keys(first.data[0] ?? {}).toSorted()).toEqual(['created_at', 'id', 'name']);
  const next = await dataOf(resend[group].list({ limit: 2, after: ids[0] ?? '' }));
  expect(next.data.map(({ id }) => id)).toEqual(ids.slice(1));
  expect(await refusalOf(resend[group].list({ before: ids[0] ?? '' }))).toEqual([
    422,
    expect.stringMatching(/^before: /),
  ]);
}

async function update(world: ClientWorld, group: Group): Promise<void> {
  const { resend } = world;
  const [id, name] = [await newSegment(world), `Renamed ${randomUUID()}`];
  expect(await dataOf(resend[group].update(id, { name }))).toEqual({ object: 'segment', id });
  expect(await dataOf(resend[group].get(id))).toMatchObject({ name });
  expect(await ruleOf(world, id)).toEqual({ tag: id });
}

async function remove(world: ClientWorld, group: Group): Promise<void> {
  const { resend } = world;
  const id = await newSegment(world);
  expect(await dataOf(resend[group].remove(id))).toEqual({ object: 'segment', id, deleted: true });
  expect((await refusalOf(resend[group].get(id)))[0]).toBe(404);
}

const verbs = { create, get, list, update, remove };

/** The names of the client's calls about segments, which it also calls audiences. */
export const segmentScenarios: Scenarios = Object.fromEntries(
  (['segments', 'audiences'] as const).flatMap((group) =>
    Object.entries(verbs).map(([name, verb]) => [`${group}.${name}`, (world: ClientWorld) => verb(world, group)]),
  ),
);
