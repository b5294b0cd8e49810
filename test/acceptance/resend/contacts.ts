import { randomUUID } from 'node:crypto';
import { call } from '../client.ts';
import { inbox } from '../inbox.ts';
import { type ClientWorld, dataOf, refusalOf, type Scenarios } from './scenarios.ts';
import { newSegment } from './segments.ts';

export const someone = () => `p${randomUUID().slice(0, 12)}@example.net`;

export const subscriberAt = async ({ service, workspace }: ClientWorld, email: string) =>
  (await call({ ...service, apiKey: workspace.apiKey }, 'GET', `/api/v1/subscribers/${email}`)).body;

/** The client's types know texts, numbers and null as properties. */
const consent = { double_opt_in: 'false' };

export async function newContact({ resend }: ClientWorld, more: object = {}): Promise<string> {
  const email = someone();
  await dataOf(resend.contacts.create({ email, properties: consent, ...more }));
  return email;
}

async function create(world: ClientWorld): Promise<void> {
  const { resend } = world;
  const email = someone();
  const given = { email: email.toUpperCase(), firstName: 'Ada', unsubscribed: false, properties: { city: 'London' } };
  expect(await dataOf(resend.contacts.create(given))).toEqual({ object: 'contact', id: email });
  expect(await subscriberAt(world, email)).toMatchObject({
    status: 'pending',
    firstName: 'Ada',
    fields: { city: 'London' },
  });
  const [one, other] = [await newSegment(world), await newSegment(world)];
  const direct = await newContact(world, { segments: [{ id: one }, { id: other }] });
  expect(await subscriberAt(world, direct)).toMatchObject({ status: 'subscribed', tags: [one, other], fields: {} });
  expect(await inbox(world.service, direct)).toEqual([]);
  // Tags that the person has already are kept.
  await dataOf(resend.contacts.create({ email: direct, segments: [{ id: await newSegment(world) }] }));
  expect((await subscriberAt(world, direct)).tags).toHaveLength(3);
  const legacy = someone();
  await dataOf(resend.contacts.create({ email: legacy, audienceId: one }));
  expect(await subscriberAt(world, legacy)).toMatchObject({ status: 'pending', tags: [one] });
  await refusedContacts(world);
}

/** Nobody is added by a call that is refused. */
async function refusedContacts({ resend, service, workspace }: ClientWorld): Promise<void> {
  const email = someone();
  const asRule = await call({ ...service, apiKey: workspace.apiKey }, 'POST', '/api/v1/segments', {
    body: { name: randomUUID(), rule: { tag: 'vip' } },
  });
  const refused: [object, number, RegExp][] = [
    [{ unsubscribed: true }, 422, /^unsubscribed: /],
    [{ properties: { double_opt_in: 0 } }, 422, /^properties\.double_opt_in: /],
    [{ properties: { 'a b': 1 } }, 422, /^properties\.a b: /],
    [{ firstName: 7 }, 422, /^first_name: /],
    [{ segments: [{ id: 'seg_01k9zq3v5c8r2m4n6p7s9t0wxy' }] }, 404, /./],
    [{ segments: [{ id: asRule.body.id }] }, 422, /^segments\[0\]\.id: is a segment with a rule/],
  ];
  for (const [more, status, message] of refused) {
    expect([more, ...(await refusalOf(resend.contacts.create({ email, ...more })))]).toEqual([
      ...[more, status],
      expect.stringMatching(message),
    ]);
  }
  expect((await refusalOf(resend.contacts.get(email)))[0]).toBe(404);
}

async function get(world: ClientWorld): Promise<void> {
  const { resend } = world;
  const email = await newContact(world, { lastName: 'Lovelace', properties: { ...consent, city: 'London', age: 36 } });
  const shown = {
    ...{ object: 'contact', id: email, email, first_name: null, last_name: 'Lovelace', unsubscribed: false },
    created_at: expect.stringMatching(/Z$/),
    properties: { city: { type: 'string', value: 'London' }, age: { type: 'number', value: 36 } },
  };
  for (const id of [email, { id: email }, { email }]) expect(await dataOf(resend.contacts.get(id))).toEqual(shown);
  const segmentId = await newSegment(world);
  expect((await refusalOf(resend.contacts.get({ email, audienceId: segmentId })))[0]).toBe(404);
  await dataOf(resend.contacts.segments.add({ email, segmentId }));
  expect(await dataOf(resend.contacts.get({ email, audienceId: segmentId }))).toEqual(shown);
}

async function list(world: ClientWorld): Promise<void> {
  const { resend } = world;
  const emails: string[] = [];
  for (let n = 0; n < 3; n += 1) emails.unshift(await newContact(world));
  const [newest = ''] = emails;
  const first = await dataOf(resend.contacts.list({ limit: 1 }));
  expect(first).toMatchObject({ object: 'list', has_more: true, data: [{ id: newest, unsubscribed: false }] });
  const next = await dataOf(resend.contacts.list({ limit: 2, after: newest }));
  expect(next.data.map(({ email }) => email)).toEqual(emails.slice(1));
  const of = await refusalOf(resend.contacts.list({ segmentId: await newSegment(world) }));
  expect(of).toEqual([422, expect.stringMatching(/^segment_id: /)]);
}

async function update(world: ClientWorld): Promise<void> {
  const { resend } = world;
  const email = await newContact(world, { firstName: 'Ada', lastName: 'Byron', properties: { ...consent, city: 'X' } });
  const change = { firstName: null, lastName: 'Lovelace', unsubscribed: false, properties: { city: null, vip: true } };
  expect(await dataOf(resend.contacts.update({ email, ...change }))).toEqual({ object: 'contact', id: email });
  expect(await subscriberAt(world, email)).toMatchObject({
    ...{ status: 'subscribed', firstName: null, lastName: 'Lovelace', fields: { vip: true } },
  });
  const segmentId = await newSegment(world);
  expect((await refusalOf(resend.contacts.update({ email, audienceId: segmentId, firstName: 'A' })))[0]).toBe(404);
  const asked = await resend.contacts.update({ email, properties: { double_opt_in: false } });
  expect(asked.error).toMatchObject({
    statusCode: 422,
    message: expect.stringMatching(/^properties\.double_opt_in: /),
  });
  // Who leaves stays away, and other values do not keep the call from taking effect.
  expect(await dataOf(resend.contacts.update({ id: email, unsubscribed: true, firstName: 'Ada' }))).toMatchObject({
    id: email,
  });
  expect(await dataOf(resend.contacts.get(email))).toMatchObject({ unsubscribed: true, first_name: null });
  for (const back of [{ unsubscribed: false }, { firstName: 'Ada' }])
    expect((await refusalOf(resend.contacts.update({ email, ...back })))[0]).toBe(409);
  expect((await refusalOf(resend.contacts.create({ email, properties: consent })))[0]).toBe(409);
  expect((await subscriberAt(world, email)).status).toBe('unsubscribed');
  const nobody = someone();
  for (const unsubscribed of [true, false])
    expect((await refusalOf(resend.contacts.update({ email: nobody, unsubscribed })))[0]).toBe(404);
  expect((await refusalOf(resend.contacts.get(nobody)))[0]).toBe(404);
}

async function remove(world: ClientWorld): Promise<void> {
  const { resend } = world;
  const email = await newContact(world);
  const audienceId = await newSegment(world);
  expect((await refusalOf(resend.contacts.remove({ email, audienceId })))[0]).toBe(422);
  expect((await subscriberAt(world, email)).status).toBe('subscribed');
  for (const id of [email, { id: email }, { email }])
    expect(await dataOf(resend.contacts.remove(id))).toEqual({ object: 'contact', contact: email, deleted: false });
  expect((await subscriberAt(world, email)).status).toBe('unsubscribed');
}

async function segments(world: ClientWorld): Promise<void> {
  const { resend } = world;
  const email = await newContact(world);
  const ids = [await newSegment(world), await newSegment(world), await newSegment(world)];
  const added = await Promise.all(ids.map((segmentId) => resend.contacts.segments.add({ email, segmentId })));
  expect(added.map(({ data }) => data)).toEqual(ids.map((id) => ({ id })));
  const all = await dataOf(resend.contacts.segments.list({ email }));
  expect(all).toMatchObject({ object: 'list', has_more: false });
  expect(all.data.map(({ id }) => id)).toEqual(ids.toReversed());
  const [segmentId = '', ...others] = ids;
  const page = await dataOf(resend.contacts.segments.list({ contactId: email, limit: 1, after: others[1] ?? '' }));
  expect(page).toMatchObject({ has_more: true, data: [{ id: others[0] }] });
  for (let time = 1; time <= 2; time += 1)
    expect(await dataOf(resend.contacts.segments.remove({ email, segmentId }))).toEqual({
      ...{ id: segmentId, audienceId: segmentId, deleted: true },
    });
  expect((await subscriberAt(world, email)).tags.toSorted()).toEqual(others.toSorted());
  await refusedSegments(world, email);
}

async function refusedSegments({ resend, service, workspace }: ClientWorld, email: string): Promise<void> {
  const api = { ...service, apiKey: workspace.apiKey };
  const rule = { any: [{ tag: 'vip' }, { tag: 'press' }] };
  const { body } = await call(api, 'POST', '/api/v1/segments', { body: { name: randomUUID(), rule } });
  for (const verb of ['add', 'remove'] as const) {
    const of = (segmentId: string) => refusalOf(resend.contacts.segments[verb]({ email, segmentId }));
    expect(await of(body.id)).toEqual([422, expect.stringMatching(/^segment_id: is a segment with a rule/)]);
    expect((await of('seg_01k9zq3v5c8r2m4n6p7s9t0wxy'))[0]).toBe(404);
  }
  // What a call that was cut off left behind is made good by the next one.
  const nobody = { all: [{ tag: 'nobody' }, { not: { tag: 'nobody' } }] };
  const { body: cut } = await call(api, 'POST', '/api/v1/segments', { body: { name: randomUUID(), rule: nobody } });
  await dataOf(resend.contacts.segments.add({ email, segmentId: cut.id }));
  expect((await call(api, 'GET', `/api/v1/segments/${cut.id}`)).body.rule).toEqual({ tag: cut.id });
  const preview = await call(api, 'POST', '/api/v1/segments/preview', { body: { segment_id: cut.id } });
  expect(preview.body.sample.map((one: { email: string }) => one.email)).toEqual([email]);
}

/** The names of the client's calls about contacts. */
export const contactScenarios: Scenarios = {
  'contacts.create': create,
  'contacts.get': get,
  'contacts.list': list,
  'contacts.update': update,
  'contacts.remove': remove,
  'contacts.segments.add': segments,
  'contacts.segments.list': segments,
  'contacts.segments.remove': segments,
};
