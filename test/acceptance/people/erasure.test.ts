import { randomUUID } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { operatorContext } from '../../shared/services/context.ts';
import { scan } from '../audit.ts';
import { draft, send as sendCampaign, subscribe, untilSent } from '../campaigns/campaign.ts';
import { call, eventually } from '../client.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { startService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver | undefined;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  Object.assign(process.env, service.environment, { EMAIL_LIST: 'recipient-and-tag' });
  const [erase, exporting, record, batch, event, suppression, platform, confirmations, confirm, links] =
    await Promise.all([
      import('../../../shared/services/rights/erasePerson.ts'),
      import('../../../shared/services/rights/exportPerson.ts'),
      import('../../../shared/services/feedback/recordFeedback.ts'),
      import('../../../shared/services/feedback/batch.ts'),
      import('../../../shared/email/feedbackEvent.ts'),
      import('../../../shared/services/suppression.ts'),
      import('../../../shared/services/suppression.ts'),
      import('../../../shared/services/confirmations/askForConsent.ts'),
      import('../../../shared/services/confirmations/confirmByLink.ts'),
      import('../../../shared/store/person/people.ts'),
    ]);
  return {
    ...erase,
    ...exporting,
    ...record,
    ...batch,
    ...event,
    ...suppression,
    ...platform,
    ...confirmations,
    ...confirm,
    ...links,
  };
}

beforeAll(async () => {
  service = await startService({ env: { EMAIL_LIST: 'recipient-and-tag' } });
  workspace = await newWorkspace(service);
  modules = await load();
});
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
});

const someone = (name = 'p') => `${name}${randomUUID().slice(0, 12)}@example.net`;
const place = () => ({ ...service, apiKey: workspace.apiKey });
const post = (path: string, body: object) => call(place(), 'POST', `/api/v1/${path}`, { body });
const erase = (email: string) => modules.erasePerson(operatorContext(workspace.workspaceId), { email });
const email = (to: string | string[], over: object = {}) =>
  post('emails', { from: `hello@${workspace.domain}`, to, subject: 'S', text: 'T', ...over });

async function exported(address: string) {
  const pieces = modules.exportPerson(operatorContext(workspace.workspaceId), { email: address });
  let text = '';
  for await (const piece of pieces) text += piece.text;
  return JSON.parse(text);
}

/** The whole table as one lower-case text, with compressed attributes unpacked. */
async function dump(): Promise<string> {
  const readable = (_name: string, value: unknown): unknown => {
    if (value instanceof Uint8Array) return brotliDecompressSync(value).toString('utf8');
    return value instanceof Set ? [...value] : value;
  };
  return (await scan(service)).map((item) => JSON.stringify(item, readable).toLowerCase()).join('\n');
}

const occurrences = async (address: string) => (await dump()).split('\n').filter((line) => line.includes(address));

/** An event as SES sends it. */
async function report(
  emailId: string,
  eventType: 'Delivery' | 'Bounce' | 'Open' | 'Click',
  ...to: string[]
): Promise<void> {
  const at = new Date().toISOString();
  const [address = ''] = to;
  const recipients = [{ emailAddress: address, diagnosticCode: `smtp; 550 <${address}> unknown` }];
  const bodies = {
    Delivery: { delivery: { timestamp: at, recipients: [address], smtpResponse: `250 <${address}> OK` } },
    Bounce: { bounce: { bounceType: 'Permanent', bouncedRecipients: recipients, timestamp: at } },
    Open: { open: { timestamp: at, userAgent: 'Mozilla/5.0' } },
    Click: {
      click: {
        timestamp: at,
        userAgent: 'Mozilla/5.0',
        link: `https://example.com/?who=${encodeURIComponent(address)}`,
      },
    },
  };
  const tags = {
    mailroom_email: [emailId],
    mailroom_workspace: [workspace.workspaceId],
    mailroom_envelope: ['0'],
  };
  const mail = {
    messageId: randomUUID(),
    timestamp: at,
    destination: to,
    tags,
    commonHeaders: { subject: 'S' },
  };
  const feedback = modules.readFeedback(JSON.stringify({ eventType, mail, ...bodies[eventType] }));
  if (!feedback) throw new Error('The event has no known message.');
  const batch = modules.openBatch(new Date());
  await modules.recordFeedback(feedback, batch);
  await modules.closeBatch(batch, 0);
}

describe('person erase', () => {
  it('removes the address everywhere and keeps it suppressed', async () => {
    receiver = await startReceiver(500);
    const events = [
      'email.delivered',
      'email.bounced',
      'email.opened',
      'subscriber.created',
      'subscriber.unsubscribed',
    ];
    await post('webhooks', { url: receiver.url, events });
    const [ada, other, neighbour] = [someone('ada'), someone(), someone()];
    const longer = `x${ada}`;
    await subscribe(place(), [
      { email: ada, firstName: 'Ada', lastName: 'Lovelace', tags: ['vip'], fields: { city: 'London' } },
      longer,
      other,
    ]);
    const id = await draft(place());
    await sendCampaign(place(), id);
    await untilSent(place(), id);
    const mixed = `${ada[0]?.toUpperCase()}${ada.slice(1)}`;
    const [alone, together] = [
      await email(`Ada Lovelace <${mixed}>`, { subject: `Hello ${ada}`, tags: [{ name: 'customer', value: '7' }] }),
      await email([other, ada], { cc: [`"Lovelace, Ada" <${ada}>`], bcc: neighbour }),
    ];
    for (const type of ['Delivery', 'Open', 'Click'] as const) await report(alone.body.id, type, ada);
    await report(together.body.id, 'Click', ada, other);
    await modules.suppress(null, ada, 'manual', new Date());
    await eventually(async () => (await occurrences(ada)).filter((line) => line.includes('recipient#')).length >= 2);
    const listed = async (query: string) => (await call(place(), 'GET', `/api/v1/emails?${query}`)).body.data;
    const singles = async (query: string) =>
      (await listed(query)).filter(({ object }: { object: string }) => object === 'email');
    await eventually(async () => (await singles(`recipient=${ada}`)).length === 2);
    expect(await listed('tag=customer:7')).toHaveLength(1);
    const told = (await exported(ada)).records.filter(({ object }: { object: string }) => object === 'email');
    expect(told).toContainEqual(
      expect.objectContaining({
        id: alone.body.id,
        events: expect.arrayContaining([expect.objectContaining({ type: 'clicked', recipient: ada })]),
      }),
    );
    const held = (await exported(ada)).records.map(({ object }: { object: string }) => object);
    expect(new Set(held)).toEqual(new Set(['email', 'webhook_delivery', 'campaign_recipient']));

    const { alias, reason } = await erase(ada);
    expect(reason).toBe('unsubscribe');
    expect((await occurrences(ada)).filter((line) => !line.includes(longer))).toEqual([]);
    expect(await dump()).not.toContain('lovelace');
    expect(await dump()).not.toContain(encodeURIComponent(ada));
    expect([await listed(`recipient=${ada}`), await listed('tag=customer:7')]).toEqual([[], []]);
    expect(await email(ada)).toMatchObject({
      status: 422,
      body: { error: { code: 'suppressed_recipient', details: { recipients: [{ email: ada, reason }] } } },
    });
    expect(await post('subscribers', { email: ada, double_opt_in: false })).toMatchObject({ status: 422 });
    expect(await post('suppression', { email: ada, reason: 'manual' })).toMatchObject({ status: 201 });
    expect((await call(place(), 'GET', `/api/v1/subscribers/${ada}`)).status).toBe(404);
    expect((await call(place(), 'GET', `/api/v1/suppression?email=${ada}`)).body.data).toHaveLength(2);
    const shown = async (sent: typeof alone) => (await call(place(), 'GET', `/api/v1/emails/${sent.body.id}`)).body;
    expect(await shown(alone)).toMatchObject({ to: [alias], subject: '', tags: [], recipients: [{ email: alias }] });
    expect(await shown(together)).toMatchObject({ to: [other, alias], cc: [alias], subject: 'S', status: 'delivered' });
    expect((await exported(ada)).records).toEqual([]);
    expect((await exported(ada)).suppression).toMatchObject({ reason, erased: true });
    expect((await call(place(), 'GET', `/api/v1/campaigns/${id}`)).body.counts.recipients).toBe(3);

    // Other recipients are unchanged.
    expect((await occurrences(longer)).length).toBeGreaterThan(3);
    expect((await email(longer)).status).toBe(202);
    expect((await occurrences(ada)).filter((line) => !line.includes(longer))).toEqual([]);
  });

  it('holds for later events of SES: outcomes have the alias, and a bounce still suppresses', async () => {
    const address = someone();
    const { body } = await email(address);
    await eventually(async () => (await occurrences(address)).some((line) => line.includes('recipient#')));
    const { alias } = await erase(address);
    for (const type of ['Delivery', 'Open', 'Bounce', 'Bounce'] as const) await report(body.id, type, address);
    expect(await occurrences(address)).toEqual([]);
    const { recipients } = (await call(place(), 'GET', `/api/v1/emails/${body.id}`)).body;
    expect(recipients).toEqual([expect.objectContaining({ email: alias, status: 'bounced' })]);
    expect((await call(place(), 'GET', `/api/v1/suppression?email=${address}`)).body.data).toMatchObject([
      { reason: 'bounce', scope: 'organization' },
    ]);
  });

  it('holds for a later click on a link with the address in an email to several', async () => {
    const [address, other] = [someone('grace'), someone()];
    const { body } = await email([address, other]);
    await eventually(async () => (await occurrences(address)).some((line) => line.includes('recipient#')));
    await erase(address);
    await report(body.id, 'Click', address, other);
    expect(await dump()).not.toContain(encodeURIComponent(address));
    const clicks = async () =>
      (await call(place(), 'GET', `/api/v1/emails/${body.id}`)).body.events.filter(
        ({ type }: { type: string }) => type === 'clicked',
      );
    expect(await clicks()).toEqual([expect.objectContaining({ url: 'https://example.com/' })]);
    await report(body.id, 'Click', other, address);
    expect(JSON.stringify(await clicks())).toContain(encodeURIComponent(other));
  });

  it('can be run again after a crash, and completes', async () => {
    const address = someone();
    await subscribe(place(), [{ email: address, firstName: 'Grace' }]);
    for (let sent = 0; sent < 3; sent += 1) await email(address);
    await eventually(
      async () => (await occurrences(address)).filter((line) => line.includes('recipient#')).length === 3,
    );
    const context = operatorContext(workspace.workspaceId);
    const report = () => {
      throw new Error('killed');
    };
    const killed = modules.erasePerson(context, { email: address }, { report });
    await expect(killed).rejects.toThrow('killed');
    expect((await email(address)).status).toBe(422);
    await erase(address);
    expect(await occurrences(address)).toEqual([]);
    expect(await erase(address)).toMatchObject({ records: 0, reason: 'unsubscribe' });
  });

  it('keeps the reason of the suppression, and accepts a higher-ranking one', async () => {
    const address = someone();
    await post('suppression', { email: address, reason: 'complaint' });
    expect((await erase(address)).reason).toBe('complaint');
    await post('suppression', { email: address, reason: 'manual' });
    expect((await call(place(), 'GET', `/api/v1/suppression?email=${address}`)).body.data).toMatchObject([
      { email: address, reason: 'complaint', scope: 'organization' },
    ]);
  });

  it('applies to one workspace: another keeps the person and can send', async () => {
    const address = someone();
    const others = await newWorkspace(service);
    const there = { ...service, apiKey: others.apiKey };
    await subscribe(there, [address]);
    await email(address);
    await erase(address);
    expect((await call(there, 'GET', `/api/v1/subscribers/${address}`)).status).toBe(200);
    const body = { from: `a@${others.domain}`, to: address, subject: 'S', text: 'T' };
    expect((await call(there, 'POST', '/api/v1/emails', { body })).status).toBe(202);
    expect((await email(address)).status).toBe(422);
  });

  it('lets the person subscribe again, and the operator lift the suppression', async () => {
    const [back, lifted] = [someone(), someone()];
    const { workspaceId } = workspace;
    for (const address of [back, lifted]) await erase(address);
    await modules.askForConsent({ workspaceId, email: back, firstName: null, lastName: null }, new Date());
    const { person } = await modules.getAddress(workspaceId, back);
    expect([person.subscriber?.status, person.suppression]).toEqual([
      'pending',
      expect.objectContaining({ reason: 'unsubscribe' }),
    ]);
    expect((await email(back)).status).toBe(422);
    const { confirm } = await import('../../../shared/domain/person/consent.ts');
    const [, confirmed] = confirm(person, person.confirmation?.id, new Date());
    expect(await modules.savePerson(person, confirmed, [])).toBe(true);
    expect((await email(back)).status).toBe(202);

    await modules.removeSuppression(operatorContext(workspaceId), { email: lifted });
    expect((await email(lifted)).status).toBe(202);
  });
});

describe('person export', () => {
  beforeAll(async () => {
    workspace = await newWorkspace(service);
  });

  it('contains everything about one person and nothing about others', async () => {
    const [address, other] = [someone(), someone()];
    await subscribe(place(), [{ email: address, firstName: 'Ada', fields: { city: 'London' } }]);
    const { body } = await email([address, other]);
    await eventually(async () => (await occurrences(address)).some((line) => line.includes('recipient#')));
    const told = await exported(address);
    expect(told).toMatchObject({
      object: 'person_export',
      email: address,
      subscriber: { firstName: 'Ada', status: 'subscribed', fields: { city: 'London' } },
      suppression: null,
    });
    expect(told.records).toEqual([
      expect.objectContaining({ object: 'email', id: body.id, as: ['to'], written_as: [address], status: 'delivered' }),
    ]);
    expect(JSON.stringify(told)).not.toContain(other);
  });

  it('of an unknown person contains no records', async () => {
    expect(await exported(someone())).toMatchObject({ subscriber: null, suppression: null, records: [] });
  });
});

describe('workspace delete', () => {
  it('ends it at once, and deletes its data in the background, with several workers and after an interruption', async () => {
    const ended = await newWorkspace(service);
    const there = { ...service, apiKey: ended.apiKey };
    const [address, erased] = [someone(), someone()];
    await subscribe(there, [address]);
    const body = { from: `a@${ended.domain}`, to: address, subject: 'S', text: 'T' };
    for (let sent = 0; sent < 3; sent += 1) await call(there, 'POST', '/api/v1/emails', { body });
    // Requests in flight at the end have 15 minutes, which the clock of this test skips.
    await eventually(
      async () => (await occurrences(address)).filter((line) => line.includes('recipient#')).length === 3,
    );
    const context = operatorContext(ended.workspaceId);
    await modules.erasePerson(context, { email: erased });
    const [{ deleteWorkspace }, { showWorkspace }, { sweepDueDeletions }] = await Promise.all([
      import('../../../shared/services/workspaces/workspaces.ts'),
      import('../../../shared/services/workspaces/workspaces.ts'),
      import('../../../shared/services/sweep/deleteWorkspaces.ts'),
    ]);
    await expect(deleteWorkspace(context, { name: 'Another' })).rejects.toMatchObject({ code: 'validation_error' });
    expect((await call(there, 'GET', '/api/v1/me')).status).toBe(200);

    await deleteWorkspace(context, { name: 'Test' });
    expect((await call(there, 'GET', '/api/v1/me')).body.name).toBe('revoked_api_key');
    await deleteWorkspace(context, { name: 'Test' });
    await Promise.all([1, 2, 3].map(() => sweepDueDeletions(new Date())));
    await eventually(async () => ((await showWorkspace(context)).deletion?.passes ?? 0) > 1);
    expect((await showWorkspace(context)).deletion?.deleted).toBeGreaterThan(10);
    expect(await occurrences(address)).toEqual([]);
    const later = new Date(Date.now() + 16 * 60_000);
    await eventually(async () => {
      await sweepDueDeletions(later);
      return (await occurrences(ended.workspaceId)).length === 0;
    });
    await expect(showWorkspace(context)).rejects.toMatchObject({ code: 'not_found' });
    expect((await email(someone())).status).toBe(202);
  });
});
