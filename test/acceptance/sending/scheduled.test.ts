import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Resend } from 'resend';
import { operatorContext } from '../../shared/services/context.ts';
import { type Answer, call, eventually } from '../client.ts';
import { inbox, received, setFaults } from '../inbox.ts';
import { promisedEventOf, type Receiver, startReceiver } from '../receiver.ts';
import { startService, type TestService } from '../service.ts';
import { addUsage } from '../usage.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService();
  workspace = await newWorkspace(service);
  await ask('POST', '/webhooks', {
    body: { name: 'Hook', url: receiver.url, events: ['email.scheduled', 'email.sent', 'email.canceled'] },
  });
});
afterEach(() => setFaults(service));
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

const dayMilliseconds = 86_400_000;
const someone = () => `p${randomUUID().slice(0, 8)}@example.net`;
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const email = (to: string | string[], over: object = {}) => ({
  from: `hello@${workspace.domain}`,
  to,
  subject: 'Later',
  text: 'Hi.',
  ...over,
});
const ask = (method: string, path: string, options: Parameters<typeof call>[3] = {}): Promise<Answer> =>
  call({ ...service, apiKey: workspace.apiKey }, method, `/api/v1${path}`, options);
const send = (body: object, key?: string): Promise<Answer> =>
  ask('POST', '/emails', { body, headers: key ? { 'Idempotency-Key': key } : {} });
const detail = async (id: string) => (await ask('GET', `/emails/${id}`)).body;
const mailTo = async (to: string): Promise<number> => (await inbox(service, to)).length;
const remaining = async (): Promise<number> => (await ask('GET', '/me')).body.emails_remaining;
/** The events that a webhook got about an email. */
const eventsOf = (id: string) => receiver.requests.map(promisedEventOf).filter(({ data }) => data.email_id === id);
const canceledEvents = (id: string) => eventsOf(id).filter(({ type }) => type === 'email.canceled');
const listed = async (query = '') =>
  (await ask('GET', `/emails?limit=100${query}`)).body.data.map(({ id, status }: { id: string; status: string }) => [
    id,
    status,
  ]);
const ended = (id: string) => eventually(async () => (await detail(id)).status === 'canceled' && detail(id));

async function filesOf(id: string): Promise<Buffer | null> {
  Object.assign(process.env, service.environment);
  const { getBody } = await import('../../../shared/store/files/bucket.ts');
  const body = await getBody(workspace.workspaceId, id);
  return body && Buffer.concat(body);
}

/** When the stored body was written, exact to a second. Bodies expire counted from then. */
async function bodyWrittenAt(id: string): Promise<number> {
  Object.assign(process.env, service.environment);
  const { fileRequest, send } = await import('../../../shared/store/files/internal/signedRequest.ts');
  const answer = await send('GetObject', fileRequest('GET', `bodies/${workspace.workspaceId}/${id}`), null, [200]);
  answer.resume();
  return Date.parse(answer.headers['last-modified'] ?? '');
}

async function sweep(at: Date): Promise<void> {
  Object.assign(process.env, service.environment);
  const { sweepDueScheduled } = await import('../../../shared/services/sweep/requeue.ts');
  await sweepDueScheduled(at);
}

describe('POST /emails with scheduled_at', () => {
  it('tells webhooks that it was scheduled, once under a key, and that it was sent', async () => {
    const [to, at, key] = [someone(), inSeconds(4), randomUUID()];
    const { body } = await send(email(to, { scheduled_at: at, tags: [{ name: 'kind', value: 'later' }] }), key);
    expect((await send(email(to, { scheduled_at: at, tags: [{ name: 'kind', value: 'later' }] }), key)).body).toEqual(
      body,
    );
    const batch = [email(someone(), { scheduled_at: inSeconds(3600) }), email(someone())];
    const { data } = (await ask('POST', '/emails/batch', { body: batch })).body;
    await eventually(async () => eventsOf(body.id).some(({ type }) => type === 'email.sent'));
    const data0 = { campaign_id: null, subject: 'Later', tags: [{ name: 'kind', value: 'later' }] };
    expect(eventsOf(body.id)).toMatchObject([
      { type: 'email.scheduled', data: { ...data0, email_id: body.id, recipient: null, scheduled_at: at } },
      { type: 'email.sent', data: { ...data0, email_id: body.id, recipient: to } },
    ]);
    await eventually(async () => eventsOf(data[0].id).length > 0 && eventsOf(data[1].id).length > 0);
    expect(eventsOf(data[0].id).map(({ type }) => type)).toEqual(['email.scheduled']);
    expect(eventsOf(data[1].id).map(({ type }) => type)).toEqual(['email.sent']);
  });

  it('stores the email, sends it at its time, and deletes its body', async () => {
    const [to, at] = [someone(), inSeconds(5)];
    const before = await remaining();
    const { status, body } = await send(
      email([to], { scheduled_at: at, attachments: [{ filename: 'a.txt', content: 'SGVsbG8=' }] }),
    );
    expect([status, body.object, body.scheduled_at]).toEqual([202, 'email', at]);
    expect(await detail(body.id)).toMatchObject({
      status: 'scheduled',
      to: [to],
      scheduled_at: at,
      recipients: [],
      events: [{ type: 'scheduled', scheduled_at: at }],
    });
    expect([await listed(), await listed('&status=scheduled')]).toEqual([
      expect.arrayContaining([[body.id, 'scheduled']]),
      expect.arrayContaining([[body.id, 'scheduled']]),
    ]);
    expect([await mailTo(to), await remaining(), (await filesOf(body.id))?.length]).toEqual([
      0,
      before,
      expect.any(Number),
    ]);
    const shown = await eventually(async () => {
      const found = await detail(body.id);
      return found.status === 'delivered' && found;
    });
    expect(Date.now()).toBeGreaterThan(Date.parse(at));
    expect(shown).toMatchObject({ id: body.id, scheduled_at: at, created_at: body.created_at });
    const [first, ...events] = shown.events;
    expect(first).toEqual({ type: 'scheduled', recipient: null, at: body.created_at, scheduled_at: at });
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['accepted', 'delivered']);
    expect([await mailTo(to), before - (await remaining())]).toEqual([1, 1]);
    await eventually(async () => (await filesOf(body.id)) === null);
    await eventually(
      async () => (await listed()).filter(([id]: [string]) => id === body.id).join() === `${body.id},delivered`,
    );
    expect(await listed('&status=scheduled')).not.toContainEqual([body.id, expect.anything()]);
  });

  it('422 for an invalid time or date, a past one, and one more than 30 days ahead', async () => {
    const far = (seconds: number) => new Date(Date.now() + 30 * dayMilliseconds + seconds * 1000).toISOString();
    const told = async (scheduled_at: unknown) => {
      const { status, body } = await send(email('ada@example.net', { scheduled_at }));
      return [status, body.error?.details.issues[0].path, body.error?.details.issues[0].message];
    };
    for (const text of ['in 1 min', 'tomorrow', '2026-12-01', '2026-12-01T09:00:00', '2027-02-30T09:00:00Z', '']) {
      expect(await told(text)).toEqual([422, 'scheduled_at', expect.stringContaining('with a time zone')]);
    }
    expect(await told(inSeconds(-1))).toEqual([422, 'scheduled_at', 'must be in the future']);
    expect(await told(far(5))).toEqual([422, 'scheduled_at', 'must be at most 30 days ahead']);
    const { status, body } = await send(email(someone(), { scheduled_at: far(-5) }));
    expect(status).toBe(202);
    expect((await ask('POST', `/emails/${body.id}/cancel`)).status).toBe(200);
  });

  it('accepts times of any zone, and null for now', async () => {
    const at = new Date(Date.now() + dayMilliseconds);
    const shifted = new Date(at.getTime() + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
    const { body } = await send(email(someone(), { scheduled_at: shifted }));
    expect(body.scheduled_at).toBe(at.toISOString());
    const to = someone();
    expect((await send(email(to, { scheduled_at: null }))).body).not.toHaveProperty('scheduled_at');
    expect(await mailTo(to)).toBe(1);
  });

  it('makes every check at once', async () => {
    const left = someone();
    await ask('POST', '/suppression', { body: { email: left } });
    const scheduled_at = inSeconds(3600);
    const answers = await Promise.all([
      send(email(left, { scheduled_at })),
      send(email(someone(), { scheduled_at, from: 'a@elsewhere.example' })),
    ]);
    expect(answers.map(({ status, body }) => [status, body.name])).toEqual([
      [422, 'suppressed_recipient'],
      [422, 'unverified_from_domain'],
    ]);
  });

  it('is scheduled once under an Idempotency-Key, also after it was sent', async () => {
    const [to, key] = [someone(), randomUUID()];
    const body = email(to, { scheduled_at: inSeconds(4) });
    const [first, twin] = await Promise.all([send(body, key), send(body, key)]);
    expect([first.status, twin.status]).toEqual([202, 202]);
    expect(twin.body).toEqual(first.body);
    await eventually(async () => (await mailTo(to)) > 0);
    // Its time is past by now: the result is that of the first call all the same.
    const [again, other] = [await send(body, key), await send({ ...body, subject: 'Other' }, key)];
    expect([again.status, again.body, again.headers.get('idempotent-replay')]).toEqual([202, first.body, 'true']);
    expect([other.status, other.body.name]).toEqual([409, 'idempotency_key_reused']);
    await wait(1500);
    expect(await mailTo(to)).toBe(1);
  });
});

describe('POST /emails/{id}/cancel', () => {
  it('keeps it from being sent, and is idempotent', async () => {
    const to = someone();
    const { body } = await send(email(to, { scheduled_at: inSeconds(3) }));
    for (const _ of [1, 2]) {
      const { status, body: answer } = await ask('POST', `/emails/${body.id}/cancel`);
      expect([status, answer]).toEqual([200, { id: body.id, object: 'email', status: 'canceled' }]);
    }
    const shown = await detail(body.id);
    expect([shown.status, shown.cancel_reason, shown.events.at(-1).type]).toEqual([
      'canceled',
      'requested',
      'canceled',
    ]);
    expect(await listed('&status=canceled')).toContainEqual([body.id, 'canceled']);
    const told = await eventually(async () => canceledEvents(body.id).length > 0 && canceledEvents(body.id));
    await wait(5000);
    expect([await mailTo(to), await filesOf(body.id)]).toEqual([0, null]);
    expect(told).toMatchObject([{ data: { reason: 'requested', recipient: null, subject: 'Later' } }]);
    expect(new Set(canceledEvents(body.id).map(({ id }) => id)).size).toBe(1);
    const move = await ask('PATCH', `/emails/${body.id}`, { body: { scheduled_at: inSeconds(60) } });
    expect([move.status, move.body.error.details.status]).toEqual([409, 'canceled']);
  });

  it('409 when it is too late', async () => {
    const { body: sent } = await send(email(someone()));
    const late = await ask('POST', `/emails/${sent.id}/cancel`);
    expect([late.status, late.body.error.details]).toEqual([409, { status: 'sent' }]);
    await setFaults(service, { latency_ms: 3000 });
    const { body } = await send(email(someone(), { scheduled_at: inSeconds(1) }));
    const answer = await eventually(async () => {
      const moved = await ask('PATCH', `/emails/${body.id}`, { body: { scheduled_at: 'x' } });
      expect(moved.status).toBe(422);
      const { emails } = await import('../../../shared/store/emails/scheduledEmails.ts').then((store) => ({
        emails: store.getScheduled({ workspaceId: workspace.workspaceId, id: body.id }),
      }));
      return (await emails)?.state === 'sending' && ask('POST', `/emails/${body.id}/cancel`);
    });
    expect([answer.status, answer.body.error.details]).toEqual([409, { status: 'sending' }]);
  });
});

describe('a cancellation that crashes', () => {
  it('leaves the rest to the sweeper: the body is deleted, and the event emitted', async () => {
    const { body } = await send(email(someone(), { scheduled_at: inSeconds(3600) }));
    const { endScheduled, getScheduled } = await import('../../../shared/store/emails/scheduledEmails.ts');
    const seen = await getScheduled({ workspaceId: workspace.workspaceId, id: body.id });
    const due = { stage: 'queued', at: new Date() } as const;
    if (seen) await endScheduled(seen, { reason: 'requested' }, new Date(), due);
    expect([await filesOf(body.id), canceledEvents(body.id)]).toEqual([expect.any(Buffer), []]);
    await sweep(new Date());
    await eventually(async () => canceledEvents(body.id).length > 0);
    expect(await filesOf(body.id)).toBeNull();
  });
});

describe('PATCH /emails/{id}', () => {
  it('reschedules it, and a message for its former time does nothing', async () => {
    const to = someone();
    const { body } = await send(email(to, { scheduled_at: inSeconds(2) }));
    const later = inSeconds(8);
    const moved = await ask('PATCH', `/emails/${body.id}`, { body: { scheduled_at: later } });
    expect([moved.status, moved.body]).toEqual([200, { id: body.id, object: 'email', scheduled_at: later }]);
    await wait(4000);
    expect([await mailTo(to), (await detail(body.id)).scheduled_at]).toEqual([0, later]);
    await eventually(async () => (await mailTo(to)) === 1);
    expect(Date.now()).toBeGreaterThan(Date.parse(later));
  });

  it('writes the body again, so that it does not expire before the new time', async () => {
    const { body } = await send(email(someone(), { scheduled_at: inSeconds(86_400) }));
    const [written, content] = [await bodyWrittenAt(body.id), await filesOf(body.id)];
    await wait(1100);
    await ask('PATCH', `/emails/${body.id}`, { body: { scheduled_at: inSeconds(29 * 86_400) } });
    expect(await bodyWrittenAt(body.id)).toBeGreaterThan(written);
    expect(await filesOf(body.id)).toEqual(content);
    await ask('POST', `/emails/${body.id}/cancel`);
  });

  it('reschedules from next month to a few seconds ahead', async () => {
    const to = someone();
    const { body } = await send(email(to, { scheduled_at: inSeconds(29 * 86_400) }));
    await ask('PATCH', `/emails/${body.id}`, { body: { scheduled_at: inSeconds(2) } });
    await eventually(async () => (await mailTo(to)) === 1);
  });
});

describe('a scheduled email at its time', () => {
  it('is queued by the sweeper ten minutes ahead, and sent once', async () => {
    const to = someone();
    const at = inSeconds(901 + 30);
    const { body } = await send(email(to, { scheduled_at: at }));
    expect(await mailTo(to)).toBe(0);
    // The queue counts its delay from now, so the message is sent by hand, as if its time were near.
    await sweep(new Date(Date.parse(at) - 300_000));
    const { handleScheduledMessage } = await import('../../../shared/services/emails/sendScheduled.ts');
    const message = {
      kind: 'send' as const,
      workspace_id: workspace.workspaceId,
      email_id: body.id,
      scheduled_at: at,
    };
    await Promise.all([1, 2, 3].map(() => handleScheduledMessage(message, new Date(at))));
    expect(await mailTo(to)).toBe(1);
  });

  it('has the unsubscribe link of its recipient, as an email that is sent at once', async () => {
    const to = someone();
    await send(email(to, { scheduled_at: inSeconds(1), unsubscribe: true, text: 'Leave: {{unsubscribe_url}}' }));
    const { mail } = await received(service, to);
    expect(mail.text).toMatch(/^Leave: http\S+\/unsubscribe\/\S+/);
    expect(mail.headers.get('list')).toMatchObject({ unsubscribe: { url: expect.stringContaining('/unsubscribe/') } });
  });

  it('is counted in the month in which it is sent', async () => {
    const own = await newWorkspace(service);
    const as = { ...service, apiKey: own.apiKey };
    const scheduled_at = inSeconds(29 * 86_400);
    const { body } = await call(as, 'POST', '/api/v1/emails', {
      body: { ...email(someone(), { scheduled_at }), from: `a@${own.domain}` },
    });
    const { handleScheduledMessage } = await import('../../../shared/services/emails/sendScheduled.ts');
    const { getUsed } = await import('../../../shared/store/quota/months.ts');
    const today = new Date();
    const next = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1, 0, 0, 30));
    const message = { kind: 'send' as const, workspace_id: own.workspaceId, email_id: body.id, scheduled_at };
    await handleScheduledMessage(message, next);
    const used = [today, next].map((month) => getUsed(own.workspaceId, month.toISOString().slice(0, 7)));
    expect(await Promise.all(used)).toEqual([0, 1]);
  });

  it('is checked again: a recipient who left meanwhile gets nothing, and the email says why', async () => {
    const [to, left] = [someone(), someone()];
    const { body } = await send(email([to, left], { scheduled_at: inSeconds(3) }));
    await ask('POST', '/suppression', { body: { email: left, reason: 'complaint' } });
    const shown = await ended(body.id);
    expect(shown).toMatchObject({ cancel_reason: 'suppressed_recipient', recipients: [] });
    expect(shown.events.at(-1)).toMatchObject({ type: 'canceled', reason: 'suppressed_recipient' });
    await eventually(async () => canceledEvents(body.id).some(({ data }) => data.reason === 'suppressed_recipient'));
    expect([await mailTo(to), await mailTo(left)]).toEqual([0, 0]);
    await eventually(async () => (await filesOf(body.id)) === null);
  });

  it('is not sent by messages that come a day late or twice, after it was sent or canceled', async () => {
    const { handleScheduledMessage } = await import('../../../shared/services/emails/sendScheduled.ts');
    const [out, taken] = [someone(), someone()];
    const moment = inSeconds(2);
    const [sent, canceled] = await Promise.all([
      send(email([out], { scheduled_at: moment })),
      send(email([taken], { scheduled_at: moment })),
    ]);
    await ask('POST', `/emails/${canceled.body.id}/cancel`);
    await eventually(async () => (await mailTo(out)) === 1);
    const tomorrow = new Date(Date.now() + 86_400_000);
    for (const { id } of [sent.body, canceled.body, sent.body, canceled.body]) {
      const message = { workspace_id: service.workspaceId, email_id: id, scheduled_at: moment };
      await handleScheduledMessage({ kind: 'send', ...message }, tomorrow);
    }
    expect([await mailTo(out), await mailTo(taken)]).toEqual([1, 0]);
  });

  it('is canceled when its domain is no longer verified, and when the quota is used up', async () => {
    const own = await newWorkspace(service, { plan: 'free' });
    const as = { ...service, apiKey: own.apiKey };
    const scheduled = (over: object = {}) =>
      call(as, 'POST', '/api/v1/emails', {
        body: { ...email(someone(), { scheduled_at: inSeconds(4) }), from: `a@${own.domain}`, ...over },
      });
    const [first, second] = [await scheduled(), await scheduled({ to: [someone(), someone()] })];
    await addUsage(service, own.workspaceId, { used: 2999 });
    const statusOf = async (id: string) => (await call(as, 'GET', `/api/v1/emails/${id}`)).body;
    const reasons = await eventually(async () => {
      const [one, other] = [await statusOf(first.body.id), await statusOf(second.body.id)];
      return other.status === 'canceled' && one.status !== 'scheduled' && [one.status, other.cancel_reason];
    });
    expect(reasons).toEqual([expect.not.stringMatching(/canceled/), 'quota_exceeded']);
    const third = await call(as, 'POST', '/api/v1/emails', {
      body: { ...email(someone(), { scheduled_at: inSeconds(4) }), from: `a@${own.domain}` },
    });
    expect([third.status, third.body.name]).toEqual([402, 'quota_exceeded']);
    const other = await newWorkspace(service);
    const asOther = { ...service, apiKey: other.apiKey };
    const { body } = await call(asOther, 'POST', '/api/v1/emails', {
      body: { ...email(someone(), { scheduled_at: inSeconds(2) }), from: `a@${other.domain}` },
    });
    const { putDomain } = await import('../../../shared/store/workspace/workspaces.ts');
    await putDomain(other.workspaceId, other.domain, null, new Date());
    await eventually(async () => {
      const shown = (await call(asOther, 'GET', `/api/v1/emails/${body.id}`)).body;
      return shown.cancel_reason === 'unverified_from_domain';
    });
  });

  it('is canceled when the provider refuses it', async () => {
    await setFaults(service, { error: { name: 'MessageRejected', next: 1 } });
    const { body } = await send(email(someone(), { scheduled_at: inSeconds(1) }));
    expect(await ended(body.id)).toMatchObject({ cancel_reason: 'send_failed', provider_code: 'MessageRejected' });
  });

  it.each([
    ['no longer knows our credentials', { name: 'ExpiredTokenException', next: 1 }],
    ['sends nothing for the account', { name: 'SendingPausedException', next: 1 }],
  ])('is tried again when the provider %s', async (_, error) => {
    const to = someone();
    await setFaults(service, { error });
    const { body: later } = await send(email(to, { scheduled_at: inSeconds(1) }));
    const { getScheduled } = await import('../../../shared/store/emails/scheduledEmails.ts');
    const position = { workspaceId: workspace.workspaceId, id: later.id };
    await eventually(async () => (await getScheduled(position))?.tries === 1);
    expect((await detail(later.id)).status).toBe('scheduled');
    await sweep(new Date(Date.now() + 61_000));
    await eventually(async () => (await mailTo(to)) === 1);
  });
});

describe('a scheduled email that the provider throttles', () => {
  it('is tried again within seconds', async () => {
    const to = someone();
    await setFaults(service, { error: { name: 'TooManyRequestsException', next: 9 } });
    const { body: later } = await send(email(to, { scheduled_at: inSeconds(1) }));
    await eventually(async () => (await mailTo(to)) === 1);
    await eventually(async () => (await detail(later.id)).status !== 'scheduled');
  });
});

describe('a person who is erased', () => {
  it('gets no scheduled emails, and nothing of them is kept', async () => {
    const [to, other] = [someone(), someone()];
    const { body } = await send(email([to, other], { scheduled_at: inSeconds(3600), subject: `For ${to}` }));
    const { exportPerson } = await import('../../../shared/services/rights/exportPerson.ts');
    const { erasePerson } = await import('../../../shared/services/rights/erasePerson.ts');
    let told = '';
    for await (const { text } of exportPerson(operatorContext(workspace.workspaceId), { email: to })) told += text;
    expect(JSON.parse(told).records).toContainEqual(
      expect.objectContaining({ object: 'scheduled_email', id: body.id, written_as: [to], status: 'scheduled' }),
    );
    expect(told).not.toContain(other);
    await erasePerson(operatorContext(workspace.workspaceId), { email: to });
    const shown = await detail(body.id);
    expect([shown.status, shown.cancel_reason, shown.subject]).toEqual(['canceled', 'person_erased', '']);
    expect(JSON.stringify(shown)).not.toContain(to);
    expect(await listed('&status=canceled')).toContainEqual([body.id, 'canceled']);
    await sweep(new Date(Date.now() + 1000));
    await eventually(async () => (await filesOf(body.id)) === null);
    const [event] = await eventually(async () => canceledEvents(body.id).length > 0 && canceledEvents(body.id));
    expect([event.data.reason, JSON.stringify(event).includes(to)]).toEqual(['person_erased', false]);
  });
});

describe('the resend client, unchanged', () => {
  it('schedules, moves and cancels', async () => {
    const client = new Resend(workspace.apiKey, { baseUrl: `${service.baseUrl}/api/v1` });
    const to = someone();
    const { data, error } = await client.emails.send({ ...email(to), scheduledAt: inSeconds(3600) });
    expect(error).toBeNull();
    const id = data?.id ?? '';
    const moved = await client.emails.update({ id, scheduledAt: inSeconds(7200) });
    expect([moved.error, moved.data?.id]).toEqual([null, id]);
    const canceled = await client.emails.cancel(id);
    expect([canceled.error, canceled.data?.id]).toEqual([null, id]);
    const words = await client.emails.send({ ...email(to), scheduledAt: 'in 1 min' });
    expect([words.error?.statusCode, words.error?.message]).toEqual([422, expect.stringContaining('in 1 min')]);
  });
});

describe('a scheduled email with an unknown outcome', () => {
  const minutes = (count: number) => new Date(Date.now() + count * 60_000);

  /** Claimed just now by a worker that crashed, after another one with an unknown outcome (`inDoubt`). */
  async function claimed(inDoubt: readonly number[]) {
    const to = someone();
    const { body } = await send(email(to, { scheduled_at: inSeconds(1000) }));
    const store = await import('../../../shared/store/emails/scheduledEmails.ts');
    const { handleScheduledMessage } = await import('../../../shared/services/emails/sendScheduled.ts');
    const position = { workspaceId: workspace.workspaceId, id: body.id };
    const record = () => store.getScheduled(position);
    const seen = await record();
    if (!seen) throw new Error('It is not scheduled.');
    await store.claimScheduled(seen, inDoubt, new Date(), { stage: 'queued', at: minutes(1000) });
    const { workspaceId: workspace_id, id: email_id } = position;
    const message = { kind: 'send' as const, workspace_id, email_id, scheduled_at: body.scheduled_at };
    return { id: body.id, record, fired: (at: Date) => handleScheduledMessage(message, at), mails: () => mailTo(to) };
  }

  it('is sent once more, five minutes later, whatever events come', async () => {
    const { fired, mails } = await claimed([]);
    await fired(minutes(4));
    expect(await mails()).toBe(0);
    await fired(minutes(6));
    expect(await mails()).toBe(1);
  });

  it('is not sent a third time; a day later it ends with an unknown outcome', async () => {
    const { id, fired, mails, record } = await claimed([0]);
    for (const later of [6, 40, 1400]) await fired(minutes(later));
    expect(await record()).toMatchObject({ state: 'sending', inDoubt: [0] });
    await fired(minutes(1000 / 60 + 1441));
    expect(await detail(id)).toMatchObject({
      status: 'canceled',
      cancel_reason: 'send_failed',
      provider_code: 'Unknown',
    });
    expect(await mails()).toBe(0);
  });

  it('is sent again when the events of later messages show that it was not accepted', async () => {
    const { fired, mails } = await claimed([0]);
    const { raiseEmailWatermark } = await import('../../../shared/store/feedbackWatermarks.ts');
    await raiseEmailWatermark(minutes(5));
    await fired(minutes(6));
    expect(await mails()).toBe(1);
  });
});
