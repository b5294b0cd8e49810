import { randomUUID } from 'node:crypto';
import { call, eventually } from '../client.ts';
import { inbox, received } from '../inbox.ts';
import { newContact } from './contacts.ts';
import { type ClientWorld, dataOf, inAnHour, refusalOf, type Scenarios } from './scenarios.ts';
import { newSegment } from './segments.ts';

const soon = () => inAnHour().replace(/:\d\d\.\d{3}Z$/, ':00.000Z');

/** A segment with one person, and what a broadcast to it is made of. */
async function audience(world: ClientWorld, more: object = {}) {
  const segmentId = await newSegment(world);
  const email = await newContact(world, { firstName: 'Ada', segments: [{ id: segmentId }], ...more });
  const from = `Acme <hello@${world.workspace.domain}>`;
  const written = {
    ...{ segmentId, from, subject: '{{{FIRST_NAME|there}}}, news', text: 'Hello {{{contact.first_name|you}}}.' },
  };
  return { segmentId, email, written };
}

const rest = ({ service, workspace }: ClientWorld, method: string, path: string, body?: object) =>
  call({ ...service, apiKey: workspace.apiKey }, method, `/api/v1${path}`, { ...(body && { body }) });

async function draft(world: ClientWorld, more: object = {}): Promise<string> {
  const { written } = await audience(world);
  return (await dataOf(world.resend.broadcasts.create({ ...written, ...more }))).id;
}

const statusOf = async (world: ClientWorld, id: string) => (await dataOf(world.resend.broadcasts.get(id))).status;
const isSent = (world: ClientWorld, id: string) => eventually(async () => (await statusOf(world, id)) === 'sent');

async function create(world: ClientWorld): Promise<void> {
  const { resend, service } = world;
  const { email, written } = await audience(world);
  const kept = await dataOf(resend.broadcasts.create({ ...written, name: 'Kept', previewText: 'Soon' }));
  expect(kept).toEqual({ id: expect.stringMatching(/^camp_/) });
  expect((await rest(world, 'GET', `/campaigns/${kept.id}`)).body).toMatchObject({
    ...{ status: 'draft', name: 'Kept', subject: '{{firstName|there}}, news', preheader: 'Soon' },
    target: { segment: { id: written.segmentId }, topic: null },
  });
  expect(await inbox(service, email)).toEqual([]);
  const headers = { 'Idempotency-Key': randomUUID() };
  const given = { ...written, replyTo: 'help@example.net', send: true as const };
  const sent = await dataOf(resend.broadcasts.create(given, { headers }));
  const { mail } = await received(service, email);
  expect([mail.subject, mail.replyTo?.text]).toEqual(['Ada, news', 'help@example.net']);
  expect(mail.text).toContain('Hello Ada.');
  await isSent(world, sent.id);
  expect(await dataOf(resend.broadcasts.create(given, { headers }))).toEqual(sent);
  expect(await inbox(service, email)).toHaveLength(1);
  const later = await dataOf(resend.broadcasts.create({ ...written, send: true, scheduledAt: soon() }));
  expect(await statusOf(world, later.id)).toBe('queued');
  await dataOf(resend.broadcasts.cancel(later.id));
  await refusedCreations(world, written);
  await replays(world, written);
  await ofHtml(world);
}

/** Values are escaped, and each form of the body has one link to unsubscribe, where it was written. */
async function ofHtml(world: ClientWorld): Promise<void> {
  const { resend, service } = world;
  const { email, written } = await audience(world, { lastName: '<b>Byron</b>' });
  const link = '<a href="{{{RESEND_UNSUBSCRIBE_URL}}}">No more</a>';
  const html = `<p>Hello {{{contact.first_name|you}}} {{{LAST_NAME}}}</p><p>${link}</p>`;
  const { text: _, ...others } = written;
  const { id } = await dataOf(resend.broadcasts.create({ ...others, html, send: true }));
  const { mail } = await received(service, email);
  expect(mail.html).toContain('Hello Ada &lt;b&gt;Byron&lt;/b&gt;');
  expect(mail.html).toMatch(/<a href="https?:[^"]+"[^>]*>No more<\/a>/);
  expect(mail.text).toContain('Hello Ada');
  expect(await dataOf(resend.broadcasts.get(id))).toMatchObject({
    text: null,
    html: '<p>Hello {{firstName|you}} {{lastName}}</p><p><a href="{{unsubscribe_url}}">No more</a></p>',
  });
  const other = await audience(world);
  const text = 'Hello {{{FIRST_NAME}}} <3\nTwo lines.\n\nNo more: {{{RESEND_UNSUBSCRIBE_URL}}}';
  await dataOf(resend.broadcasts.create({ ...other.written, text, send: true }));
  const ofText = (await received(service, other.email)).mail;
  expect(ofText.text).toMatch(/^Hello Ada <3\nTwo lines\.\n\nNo more: https?:\S+/);
  expect(ofText.html).toMatch(/Hello Ada &lt;3<br>Two lines\.<\/p>\s*<p>No more: <a href="https?:/);
}

type Written = Awaited<ReturnType<typeof audience>>['written'];

/** What a broadcast could reach more people by, or at another time, is refused, and no draft is left. */
async function refusedCreations(world: ClientWorld, written: Written): Promise<void> {
  const { resend } = world;
  const newest = async () => (await dataOf(resend.broadcasts.list({ limit: 1 }))).data[0]?.id;
  const before = await newest();
  const { segmentId: _, ...toNobody } = written;
  const refused: [object, RegExp][] = [
    [toNobody, /^segment_id: is required/],
    [{ ...written, segmentId: null }, /^segment_id: /],
    [{ ...written, segmentId: '' }, /^segment_id: /],
    [{ ...written, audienceId: 'seg_01k9zq3v5c8r2m4n6p7s9t0wxy' }, /^audience_id: differs/],
    [{ ...written, send: 'yes' }, /^send: /],
    [{ ...written, send: true, scheduledAt: null }, /^scheduled_at: /],
    [{ ...written, send: true, scheduledAt: 'in 2 days' }, /^scheduled_at: /],
    [{ ...written, scheduledAt: soon() }, /^scheduled_at: needs "send"/],
    [{ ...written, from: undefined }, /^from: /],
    [{ ...written, subject: '{{{FIRST}}}' }, /^subject: there is no merge field "\{\{\{FIRST\}\}\}"/],
    [{ ...written, text: 'Hello {{{FIRST_NAME' }, /^text: a merge field is opened/],
    [{ ...written, previewText: '{{{contact.a-b|x}}}' }, /^preview_text: there is no merge field/],
    [{ ...written, topicId: 'top_3v5c8r2m4n6p7s9t0wxy01k9zq' }, /no topic with this id/],
  ];
  for (const [given, message] of refused) {
    const [status, text] = await refusalOf(resend.broadcasts.create(given as never));
    expect([given, [404, 422].includes(status ?? 0), text]).toEqual([given, true, expect.stringMatching(message)]);
  }
  const unknown = { ...written, segment_id: written.segmentId, to: ['a@example.net'] };
  expect(await refusalOf(resend.post('/broadcasts', unknown))).toEqual([
    422,
    expect.stringMatching(/^segmentId: .+ to: /),
  ]);
  expect(await newest()).toBe(before);
}

/** The same call with the same key sends once, and not what was canceled since. */
async function replays(world: ClientWorld, written: Written): Promise<void> {
  const { broadcasts } = world.resend;
  const headers = { 'Idempotency-Key': randomUUID() };
  const given = { ...written, send: true as const, scheduledAt: soon() };
  const { id } = await dataOf(broadcasts.create(given, { headers }));
  expect(await dataOf(broadcasts.create(given, { headers }))).toEqual({ id });
  await dataOf(broadcasts.cancel(id));
  expect((await refusalOf(broadcasts.create(given, { headers })))[0]).toBe(409);
  expect(await statusOf(world, id)).toBe('draft');
  // A call that was cut off after the draft was written is made good by the next one.
  const cut = { 'Idempotency-Key': randomUUID() };
  const draftOnly = await dataOf(broadcasts.create({ ...written, name: 'Cut' }, { headers: cut }));
  const whole = await dataOf(broadcasts.create({ ...written, name: 'Cut', send: true }, { headers: cut }));
  expect(whole).toEqual(draftOnly);
  await isSent(world, whole.id);
}

async function get(world: ClientWorld): Promise<void> {
  const { segmentId, written } = await audience(world);
  const { id } = await dataOf(
    world.resend.broadcasts.create({ ...written, name: 'Shown', replyTo: ['a@example.net'] }),
  );
  expect(await dataOf(world.resend.broadcasts.get(id))).toMatchObject({
    ...{ object: 'broadcast', id, name: 'Shown', segment_id: segmentId, audience_id: segmentId, from: written.from },
    ...{ subject: '{{firstName|there}}, news', reply_to: ['a@example.net'], preview_text: null, status: 'draft' },
    ...{ created_at: expect.stringMatching(/Z$/), scheduled_at: null, sent_at: null, topic_id: null },
  });
  expect((await refusalOf(world.resend.broadcasts.get('x')))[0]).toBe(404);
}

async function list(world: ClientWorld): Promise<void> {
  const { resend } = world;
  const ids = [await draft(world), await draft(world), await draft(world)];
  const first = await dataOf(resend.broadcasts.list({ limit: 1 }));
  expect(first).toMatchObject({ object: 'list', has_more: true, data: [{ id: ids[2], status: 'draft' }] });
  expect(Object.keys(first.data[0] ?? {}).toSorted()).toEqual([
    'audience_id',
    'created_at',
    'id',
    'name',
    'scheduled_at',
    'segment_id',
    'sent_at',
    'status',
  ]);
  const next = await dataOf(resend.broadcasts.list({ limit: 2, after: ids[2] ?? '' }));
  expect(next.data.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
}

async function update(world: ClientWorld): Promise<void> {
  const { broadcasts } = world.resend;
  const id = await draft(world);
  const segmentId = await newSegment(world);
  const change = { name: 'Changed', segmentId, subject: 'For {{{EMAIL}}}', text: 'New', replyTo: ['b@example.net'] };
  expect(await dataOf(broadcasts.update(id, change))).toEqual({ id });
  expect(await dataOf(broadcasts.get(id))).toMatchObject({
    ...{ name: 'Changed', segment_id: segmentId, subject: 'For {{email}}', reply_to: ['b@example.net'] },
  });
  expect(await dataOf(broadcasts.get(id))).toMatchObject({ html: null, text: 'New' });
  await dataOf(broadcasts.update(id, { html: '<p>Newer</p>' }));
  await dataOf(broadcasts.update(id, { text: 'Its text' }));
  expect(await dataOf(broadcasts.get(id))).toMatchObject({ html: '<p>Newer</p>', text: 'Its text' });
  for (const wrong of [{ segmentId: null }, { audienceId: null }, { segmentId: '' }, { from: null }, { html: null }])
    expect((await refusalOf(broadcasts.update(id, wrong as never)))[0]).toBe(422);
  expect(await dataOf(broadcasts.get(id))).toMatchObject({ segment_id: segmentId });
}

async function send(world: ClientWorld): Promise<void> {
  const { broadcasts } = world.resend;
  const { email, written } = await audience(world);
  const { id } = await dataOf(broadcasts.create(written));
  for (const scheduledAt of [null, '', 'in 2 days'])
    expect(await refusalOf(broadcasts.send(id, { scheduledAt } as never))).toEqual([
      ...[422, expect.stringMatching(/^scheduled_at: /)],
    ]);
  const scheduledAt = soon();
  expect(await dataOf(broadcasts.send(id, { scheduledAt }))).toEqual({ id });
  expect(await dataOf(broadcasts.get(id))).toMatchObject({ status: 'queued', scheduled_at: scheduledAt });
  await dataOf(broadcasts.cancel(id));
  expect(await inbox(world.service, email)).toEqual([]);
  expect(await dataOf(broadcasts.send(id))).toEqual({ id });
  await received(world.service, email);
  expect((await refusalOf(broadcasts.send(id)))[0]).toBe(409);
  await refusedSends(world);
}

/** A campaign to the whole list, and one to a segment without people. */
async function refusedSends(world: ClientWorld): Promise<void> {
  const { broadcasts } = world.resend;
  const everybody = await rest(world, 'POST', '/campaigns', { name: 'All', subject: 'All', text: 'All' });
  for (const options of [undefined, { scheduledAt: soon() }])
    expect(await refusalOf(broadcasts.send(everybody.body.id, options))).toEqual([
      ...[422, expect.stringMatching(/has no segment/)],
    ]);
  expect((await rest(world, 'GET', `/campaigns/${everybody.body.id}`)).body.status).toBe('draft');
  const toNobody = await draft(world, { segmentId: await newSegment(world) });
  expect((await refusalOf(broadcasts.send(toNobody)))[0]).toBe(422);
}

async function cancel(world: ClientWorld): Promise<void> {
  const { broadcasts } = world.resend;
  const id = await draft(world, { send: true, scheduledAt: soon() });
  expect(await dataOf(broadcasts.cancel(id))).toEqual({ object: 'broadcast', id });
  expect(await statusOf(world, id)).toBe('draft');
  expect((await refusalOf(broadcasts.cancel(id)))[0]).toBe(409);
}

async function outcome(world: ClientWorld): Promise<void> {
  const { resend, service } = world;
  const { email, written } = await audience(world);
  const text = '[Look](https://example.com/look)';
  const { id } = await dataOf(resend.broadcasts.create({ ...written, text, send: true }));
  await isSent(world, id);
  const [message] = await inbox(service, email);
  const of = (type: 'delivered' | 'clicked' | 'opened' | 'suppressed') =>
    resend.broadcasts.recipients(id, { type, limit: 10 });
  await eventually(async () => (await dataOf(of('delivered'))).data.length === 1);
  expect(await dataOf(of('delivered'))).toEqual({
    ...{ object: 'list', has_more: false, data: [{ id: email, contact_id: email, email }] },
  });
  expect((await dataOf(of('suppressed'))).data).toEqual([]);
  const user_agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36';
  const happens = async (type: 'Open' | 'Click', seen: 'opened' | 'clicked') => {
    const event = { message_id: message?.message_id, type, user_agent, link: 'https://example.com/look' };
    await fetch(`${service.sesEndpoint}/_control/events`, { method: 'POST', body: JSON.stringify(event) });
    return eventually(async () => (await dataOf(of(seen))).data[0]);
  };
  expect(await happens('Open', 'opened')).toEqual({ id: email, contact_id: email, email, count: 1 });
  // Clicks so soon count for people who opened; before, they are those of scanners.
  const clicked = await happens('Click', 'clicked');
  expect(clicked).toEqual({ id: email, contact_id: email, email, count: 1, clicked_links: [] });
  const links = await eventually(async () => {
    const { data } = await dataOf(resend.broadcasts.clickedLinks(id));
    return data[0]?.clicks === 1 && data;
  });
  expect(links).toEqual([{ id: expect.any(String), url: 'https://example.com/look', clicks: 1, unique_clicks: 1 }]);
  const after = await dataOf(resend.broadcasts.clickedLinks(id, { after: links[0]?.id ?? '' }));
  expect(after).toEqual({ object: 'list', has_more: false, data: [] });
  for (const [path, field] of [
    ['recipients', 'type'],
    ['recipients?type=bounced&bounce_type=transient', 'bounce_type'],
    ['recipients?type=sent&email=a@example.net', 'email'],
  ] as const)
    expect(await refusalOf(resend.get(`/broadcasts/${id}/${path}`))).toEqual([
      ...[422, expect.stringMatching(new RegExp(`^${field}: `))],
    ]);
}

/** The names of the client's calls about broadcasts. */
export const broadcastScenarios: Scenarios = {
  'broadcasts.create': create,
  'broadcasts.get': get,
  'broadcasts.list': list,
  'broadcasts.update': update,
  'broadcasts.remove': async (world) => {
    const id = await draft(world);
    expect(await dataOf(world.resend.broadcasts.remove(id))).toEqual({ object: 'broadcast', id, deleted: true });
    expect((await refusalOf(world.resend.broadcasts.get(id)))[0]).toBe(404);
  },
  'broadcasts.send': send,
  'broadcasts.cancel': cancel,
  'broadcasts.duplicate': async (world) => {
    const id = await draft(world);
    const copy = await dataOf(world.resend.broadcasts.duplicate(id));
    expect(copy).toEqual({ object: 'broadcast', id: expect.stringMatching(/^camp_/) });
    const { segment_id } = await dataOf(world.resend.broadcasts.get(id));
    expect(await dataOf(world.resend.broadcasts.get(copy.id))).toMatchObject({ status: 'draft', segment_id });
  },
  'broadcasts.recipients': outcome,
  'broadcasts.clickedLinks': outcome,
};
