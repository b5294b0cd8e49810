import { randomUUID } from 'node:crypto';
import { type Answer, call, eventually } from '../client.ts';
import { inbox, received } from '../inbox.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';
import { draft, show, subscribe, untilSent } from './campaign.ts';

let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  workspace = await newWorkspace(service);
});

const api = () => ({ ...service, apiKey: workspace.apiKey });
const ask = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
  call(api(), method, `/api/v1${path}`, { ...(body !== undefined && { body }), headers });
const preview = (id: string, body?: unknown) => ask('POST', `/campaigns/${id}/preview`, body);
const test = (id: string, body: unknown, headers = {}) => ask('POST', `/campaigns/${id}/test`, body, headers);
const pathsOf = ({ body }: Answer) => body.error.details.issues.map(({ path }: { path: string }) => path);
const someone = () => `p${randomUUID().slice(0, 12)}@example.net`;
const ab_test = { variants: [{}, { subject: 'B', text: 'Other' }], test_share: 0.5, decide_by: 'opens', wait_hours: 4 };

const news = {
  subject: 'Hello {{firstName|you}}',
  preheader: 'For {{firstName|everybody}}',
  text: 'Dear {{firstName|reader}}, [look](https://example.com/look).',
};

describe('a preview', () => {
  it('shows the message with its fallbacks, or as one person sees it', async () => {
    const id = await draft(api(), news);
    const ada = someone();
    await subscribe(api(), [{ email: ada, firstName: 'Ada' }]);
    const { status, body } = await preview(id);
    expect([status, body.object, body.subject, body.preheader]).toEqual([
      ...[200, 'campaign_preview', 'Hello you', 'For everybody'],
    ]);
    expect([body.from, body.reply_to, body.links]).toEqual([
      ...[`Test <hello@${workspace.domain}>`, null, ['https://example.com/look']],
    ]);
    expect(body.text).toContain('Dear reader');
    expect(body.html_bytes).toBe(Buffer.byteLength(body.html));
    const own = (await preview(id, { email: ada.toUpperCase() })).body;
    expect([own.subject, own.preheader]).toEqual(['Hello Ada', 'For Ada']);
    expect(own.html).toContain('Dear Ada');
    expect((await preview(id, { email: someone() })).body.subject).toBe('Hello you');
    expect(await inbox(service, ada)).toEqual([]);
    expect((await show(api(), id)).revision).toBe(0);
  });

  it('warns of what deserves a look, in the language of the call', async () => {
    const id = await draft(api(), { text: '[Look](http://example.org/look)' });
    const { warnings } = (await preview(id)).body;
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(['preheader', 'insecure']),
    );
    const french = await ask('POST', `/campaigns/${id}/preview`, {}, { 'Accept-Language': 'fr' });
    expect(french.body.warnings[0].message).not.toBe(warnings[0].message);
  });

  it('is of one variant of a test', async () => {
    const id = await draft(api(), { ...news, ab_test });
    expect((await preview(id, { variant: 2 })).body).toMatchObject({
      subject: 'B',
      text: expect.stringContaining('Other'),
    });
    const missing = await preview(id, { variant: 3 });
    expect([missing.status, pathsOf(missing)]).toEqual([422, ['variant']]);
    for (const body of [
      { variant: 0 },
      { variant: 'A' },
      { to: 'ada@example.net' },
      { email: 'nobody' },
      { send: true },
    ]) {
      expect([body, (await preview(id, body)).status]).toEqual([body, 422]);
    }
  });

  it('shows the fields of a person only to keys that may read people', async () => {
    const id = await draft(api(), news);
    const { createKey } = await import('../../../shared/services/keys.ts');
    const { operatorContext } = await import('../../shared/services/context.ts');
    const { key } = await createKey(operatorContext(workspace.workspaceId), { name: 'R', scopes: ['campaigns:read'] });
    const path = `/api/v1/campaigns/${id}/preview`;
    expect((await call(api(), 'POST', path, { key })).status).toBe(200);
    const refused = await call(api(), 'POST', path, { key, body: { email: someone() } });
    const details = { required: 'subscribers:read', granted: ['campaigns:read'] };
    expect([refused.status, refused.body.error.details]).toEqual([403, details]);
  });
});

it('answers go to the addresses of `reply_to`: of the preview, of a test, and of every variant that is sent', async () => {
  const reply_to = ['Équipe «à» <team@example.org>', 'help@example.org'];
  const people = Array.from({ length: 4 }, someone);
  await subscribe(api(), people);
  const id = await draft(api(), { reply_to, ab_test });
  expect((await preview(id, { variant: 2 })).body.reply_to).toEqual(reply_to);
  const tester = someone();
  expect((await test(id, { to: [tester] })).status).toBe(202);
  expect((await ask('POST', `/campaigns/${id}/send`)).status).toBe(202);
  const tested = await eventually(async () => {
    const found = await Promise.all(people.map(async (email) => ((await inbox(service, email))[0] ? [email] : [])));
    return found.flat().length >= 2 && found.flat();
  });
  const addresses = [
    { name: 'Équipe «à»', address: 'team@example.org' },
    { name: '', address: 'help@example.org' },
  ];
  for (const email of [tester, ...tested]) {
    const { mail } = await received(service, email);
    expect([email, mail.replyTo?.value]).toEqual([email, addresses]);
  }
  await ask('POST', `/campaigns/${id}/cancel`);
  const [plain, someoneElse] = [await draft(api()), someone()];
  await test(plain, { to: [someoneElse] });
  expect((await received(service, someoneElse)).mail.replyTo).toBeUndefined();
});

it('text with headings, lists and a divider arrives as such in both parts', async () => {
  const text =
    '# News\n## More\nWhy:\n- **one**\n- {{firstName|two}}\n\n---\n1. first\n2. [second](https://example.com/2)';
  const id = await draft(api(), { text });
  const ada = someone();
  const shown = (await preview(id)).body;
  expect((await test(id, { to: [ada] })).status).toBe(202);
  const { mail } = await received(service, ada);
  for (const html of [shown.html, mail.html]) {
    expect(html).toMatch(
      /<h1[^>]*>News<.*<h2[^>]*>More<.*<ul.*<li[^>]*><strong>one<.*<li[^>]*>two<.*<ol.*<li[^>]*>first</s,
    );
  }
  const plain =
    '# News\n\n## More\n\nWhy:\n\n- one\n- two\n\n----------------------------------------\n\n1. first\n2. second (https://example.com/2)\n';
  expect(mail.text).toContain(plain);
  expect(shown.text).toContain(plain);
  const empty = await ask('PATCH', `/campaigns/${id}`, { text: '---\n\n---' });
  expect([empty.status, pathsOf(empty)]).toEqual([422, ['text']]);
});

describe('a test', () => {
  it('reaches each address once, with their own fields, and leaves the draft as it is', async () => {
    const id = await draft(api(), news);
    const [ada, other] = [someone(), someone()];
    await subscribe(api(), [{ email: ada, firstName: 'Ada' }]);
    const before = await show(api(), id);
    const { status, body } = await test(id, { to: [ada, other, ada.toUpperCase()] });
    const emails = [ada, other].map((to) => ({ id: expect.stringMatching(/^email_/), to }));
    expect([status, body]).toEqual([202, { object: 'campaign_test', id, emails }]);
    const [mine, theirs] = await eventually(async () => {
      const messages = await Promise.all([ada, other].map((to) => inbox(service, to)));
      return messages.every(({ length }) => length === 1) && messages.map(([message]) => message?.subject);
    });
    expect([mine, theirs]).toEqual(['[Test] Hello Ada', '[Test] Hello you']);
    expect((await ask('GET', `/emails/${body.emails[0].id}`)).body.tags).toEqual([
      { name: 'campaign_test', value: id },
    ]);
    expect(await show(api(), id)).toEqual(before);
  });

  it('is sent once under an Idempotency-Key, also after the draft was edited', async () => {
    const id = await draft(api(), news);
    const [ada, headers] = [someone(), { 'Idempotency-Key': randomUUID() }];
    const first = await test(id, { to: [ada] }, headers);
    await ask('PATCH', `/campaigns/${id}`, { subject: 'Edited' });
    const again = await test(id, { to: [ada] }, headers);
    expect([again.status, again.headers.get('Idempotent-Replay'), again.body]).toEqual([202, 'true', first.body]);
    expect((await test(id, { to: [someone()] }, headers)).body.name).toBe('idempotency_key_reused');
    expect((await test(id, { to: [ada], variant: 1 }, headers)).status).toBe(202);
    expect(await inbox(service, ada)).toHaveLength(1);
  });

  it('of many calls at the same time under one key is sent once', async () => {
    const id = await draft(api(), news);
    const [ada, headers] = [someone(), { 'Idempotency-Key': randomUUID() }];
    const answers = await Promise.all(Array.from({ length: 5 }, () => test(id, { to: [ada] }, headers)));
    expect(answers.every(({ status }) => status === 202 || status === 409)).toBe(true);
    expect(new Set(answers.flatMap(({ status, body }) => (status === 202 ? [body.emails[0].id] : []))).size).toBe(1);
    expect(await inbox(service, ada)).toHaveLength(1);
  });

  it('with one refused address sends nothing to the others', async () => {
    const id = await draft(api(), news);
    const [ada, gone] = [someone(), someone()];
    await ask('POST', '/suppression', { email: gone });
    const refused = await test(id, { to: [ada, gone] });
    expect([refused.status, refused.body.name]).toEqual([422, 'suppressed_recipient']);
    expect([pathsOf(refused), refused.body.message]).toEqual([['to[1]'], expect.stringMatching(/^to\[1\]: /)]);
    expect(await inbox(service, ada)).toEqual([]);
  });

  it('is refused for what it does not take, and for nobody', async () => {
    const id = await draft(api(), { ...news, ab_test });
    const six = Array.from({ length: 6 }, someone);
    for (const [body, paths] of [
      [{}, ['to']],
      [{ to: null }, ['to']],
      [{ to: [] }, ['to']],
      [{ to: someone() }, ['to']],
      [{ to: six }, ['to']],
      [{ to: [someone(), 'nobody'] }, ['to[1]']],
      [{ to: [someone()], variant: 3 }, ['variant']],
      [{ to: [someone()], dry_run: true }, ['dry_run']],
      [{ to: [someone()], scheduled_at: '2030-01-01T09:00:00Z' }, ['scheduled_at']],
    ] as const) {
      const answer = await test(id, body);
      expect([body, answer.status, answer.body.error?.details.issues && pathsOf(answer)]).toEqual([body, 422, paths]);
    }
    expect((await ask('POST', `/campaigns/${id}/test?dry_run=true`, { to: [someone()] })).status).toBe(422);
  });

  it('needs both scopes, and is of this workspace', async () => {
    const id = await draft(api(), news);
    const body = { to: [someone()] };
    const path = `/api/v1/campaigns/${id}/test`;
    const { createKey } = await import('../../../shared/services/keys.ts');
    const { operatorContext } = await import('../../shared/services/context.ts');
    for (const [scopes, required] of [
      [['campaigns:write'], 'emails:send'],
      [['emails:send'], 'campaigns:write'],
    ] as const) {
      const { key } = await createKey(operatorContext(workspace.workspaceId), { name: required, scopes });
      const answer = await call(api(), 'POST', path, { key, body });
      expect([answer.status, answer.body.error.details.required]).toEqual([403, required]);
    }
    const other = await newWorkspace(service);
    expect((await call(api(), 'POST', path, { key: other.apiKey, body })).status).toBe(404);
    expect(await inbox(service, body.to[0] ?? '')).toEqual([]);
  });

  it('is in the audit log, and never the addresses', async () => {
    const id = await draft(api(), news);
    const ada = someone();
    await test(id, { to: [ada] });
    const { pageOfAudit } = await import('../../../shared/store/audit.ts');
    const { entries } = await pageOfAudit(workspace.workspaceId, { limit: 1, after: undefined });
    expect(entries).toEqual([
      expect.objectContaining({ action: 'campaign.test', subject: id, role: 'key', outcome: 'done' }),
    ]);
    expect(JSON.stringify(entries)).not.toContain(ada);
  });
});

describe('the recipients of a campaign', () => {
  const list = async (id: string, query = '') => (await ask('GET', `/campaigns/${id}/recipients${query}`)).body;

  it('are listed page by page with what became of each', async () => {
    const emails = Array.from({ length: 7 }, someone).sort();
    await subscribe(api(), emails);
    const id = await draft(api(), news);
    const empty = { object: 'list', data: [], has_more: false, next_cursor: null };
    expect(await list(id)).toEqual(empty);
    expect((await ask('GET', `/campaigns/${id}/links`)).body).toEqual(empty);
    await ask('POST', `/campaigns/${id}/send`);
    await untilSent(api(), id);
    await eventually(async () => (await list(id, '?outcome=delivered')).data.length === 7);
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(id, `?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      pages.push(page.data.map(({ email }: { email: string }) => email));
      cursor = page.next_cursor;
    }
    expect(pages.flat().sort()).toEqual(emails);
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    expect((await list(id)).data[0]).toEqual({
      ...{ object: 'campaign_recipient', email: pages[0]?.[0], outcome: 'sent', reason: null, delivered: true },
      ...{ opened: false, clicked: false, bounced: false, complained: false, unsubscribed: false },
    });
    expect((await list(id, '?outcome=opened')).data).toEqual([]);
    expect((await ask('GET', `/campaigns/${id}/links`)).body.data).toEqual([
      { url: 'https://example.com/look', clicks: 0 },
    ]);
  });

  it('who were skipped have a reason', async () => {
    const emails = Array.from({ length: 4 }, someone);
    await subscribe(api(), emails);
    const id = await draft(api(), { ab_test });
    await ask('POST', `/campaigns/${id}/send`);
    await ask('POST', `/campaigns/${id}/cancel`);
    await untilSent(api(), id);
    const { data } = await list(id, '?outcome=skipped');
    expect(data.length).toBeGreaterThanOrEqual(2);
    for (const { outcome, reason } of data) expect([outcome, reason]).toEqual(['skipped', 'canceled']);
  });

  it('are for keys that may read people, with filters that there are', async () => {
    const id = await draft(api());
    const { createKey } = await import('../../../shared/services/keys.ts');
    const { operatorContext } = await import('../../shared/services/context.ts');
    const { key } = await createKey(operatorContext(workspace.workspaceId), { name: 'R', scopes: ['campaigns:read'] });
    const refused = await call(api(), 'GET', `/api/v1/campaigns/${id}/recipients`, { key });
    expect([refused.status, refused.body.error.details.required]).toEqual([403, 'subscribers:read']);
    expect((await call(api(), 'GET', `/api/v1/campaigns/${id}/links`, { key })).status).toBe(200);
    for (const query of ['?outcome=lost', '?status=sent', '?limit=101', '?cursor=x']) {
      expect([query, (await ask('GET', `/campaigns/${id}/recipients${query}`)).status]).toEqual([query, 422]);
    }
    expect((await ask('GET', `/campaigns/${id}/links?limit=1`)).status).toBe(422);
    const other = await newWorkspace(service);
    for (const path of ['recipients', 'links']) {
      expect((await call(api(), 'GET', `/api/v1/campaigns/${id}/${path}`, { key: other.apiKey })).status).toBe(404);
    }
  });
});

it('a newsletter to the Paris segment: written, checked, tested, scheduled for nine, then sent and read', async () => {
  const paris = Array.from({ length: 3 }, someone);
  await subscribe(api(), [
    ...paris.map((email) => ({ email, firstName: 'Ada', fields: { city: 'Paris' } })),
    { email: someone(), fields: { city: 'Rome' } },
  ]);
  const rule = { field: 'city', operator: 'equals', value: 'Paris' };
  const segment = (await ask('POST', '/segments', { name: 'Paris', rule })).body;
  const id = (await ask('POST', '/campaigns', { name: 'Paris', ...news, segment_id: segment.id })).body.id;
  expect((await preview(id, { email: paris[0] })).body.subject).toBe('Hello Ada');
  const edited = await ask('PATCH', `/campaigns/${id}`, { subject: 'Bonjour {{firstName|à tous}}', revision: 0 });
  const dryRun = (await ask('POST', `/campaigns/${id}/send`, { dry_run: true })).body;
  expect([dryRun.would_send, dryRun.recipients, dryRun.target.segment.name]).toEqual([true, 3, 'Paris']);
  const author = someone();
  expect((await test(id, { to: [author] })).status).toBe(202);
  await eventually(async () => (await inbox(service, author))[0]?.subject === '[Test] Bonjour à tous');
  const day = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10);
  const body = { scheduled_at: `${day}T09:00`, time_zone: 'Asia/Tokyo', revision: edited.body.revision };
  const scheduled = await ask('POST', `/campaigns/${id}/schedule`, body);
  expect([scheduled.status, scheduled.body.recipients, scheduled.body.scheduledAt]).toEqual([
    ...[200, 3, `${day}T00:00:00.000Z`],
  ]);
  expect((await ask('POST', `/campaigns/${id}/unschedule`)).body.status).toBe('draft');
  expect((await ask('POST', `/campaigns/${id}/send`)).body.queued).toBe(3);
  await untilSent(api(), id);
  const read = async () => (await ask('GET', `/campaigns/${id}/recipients?outcome=delivered`)).body.data;
  await eventually(async () => (await read()).length === 3);
  expect((await read()).map(({ email }: { email: string }) => email).sort()).toEqual(paris.sort());
}, 180_000);
