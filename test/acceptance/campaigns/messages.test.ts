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
const change = (id: string, body: unknown) => ask('PATCH', `/campaigns/${id}`, body);
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

const unfolded = (raw: Buffer) => raw.toString().replace(/\r\n[ \t]+/g, ' ');

describe('a campaign whose body is HTML', () => {
  const html = `<!doctype html><html><head><title>News</title><style>@media (max-width:9px){.a{color:red}}</style></head>
<body><h1 title="For {{firstName|you}}">Hi {{firstName|you}}</h1><p>{ {{fields.city|Paris}} } <a href="https://example.com/new?a=1&amp;b=2">New</a></p>
<!--[if mso]><p>Outlook {{lastName}}</p><![endif]--></body></html>`;
  const hostile = { firstName: '<img src=x onerror=alert(1)>"{{x}}', fields: { city: "\\'&{{email}}" } };
  const shownName = '&lt;img src=x onerror=alert(1)&gt;&quot;{{x}}';

  it('is previewed, tested, tried, sent to everybody, and reported, in both parts', async () => {
    const people = Array.from({ length: 3 }, someone);
    await subscribe(
      api(),
      people.map((email) => ({ email, ...hostile })),
    );
    const topic = (await ask('POST', '/topics', { name: `T${randomUUID().slice(0, 8)}` })).body;
    const body = { name: 'HTML', subject: 'Hi {{firstName|you}}', preheader: 'Pre', html, topic_id: topic.id };
    const created = await ask('POST', '/campaigns', { ...body, reply_to: 'help@example.org' });
    expect([created.status, created.body.target.topic]).toEqual([201, { id: topic.id, name: topic.name }]);
    const { id } = created.body;
    expect(await show(api(), id)).toMatchObject({ html, plain_text: null, text: null, content: null, ab_test: null });
    const shown = (await preview(id, { email: people[0] })).body;
    expect(shown.links).toEqual(['https://example.com/new?a=1&b=2']);
    expect(shown.html).toContain('<h1 title="For &lt;img src=x onerror=alert(1)&gt;&quot;');
    expect(shown.html).not.toContain('<img');
    const dryRun = (await ask('POST', `/campaigns/${id}/send`, { dry_run: true })).body;
    expect([dryRun.would_send, dryRun.recipients]).toEqual([true, 3]);
    const tester = someone();
    expect((await test(id, { to: [tester] })).status).toBe(202);
    expect((await ask('POST', `/campaigns/${id}/send`)).status).toBe(202);
    await untilSent(api(), id);
    const tested = await received(service, tester);
    expect(tested.mail.html).toContain('<h1 title="For you">Hi you</h1>');
    for (const email of people) {
      const { mail, raw } = await received(service, email);
      const source = unfolded(raw);
      const decoded = String(mail.html).replaceAll('&#123;', '{').replaceAll('&#125;', '}').replaceAll('&#39;', "'");
      expect(decoded).toContain(`Hi ${shownName}</h1>`);
      expect(decoded).toContain("<p>{ &#92;'&amp;{{email}} } <a");
      expect(mail.html).toContain('<style>@media (max-width:9px){.a{color:red}}</style>');
      expect(mail.html).toMatch(/<body><div style="display:none[^>]*>Pre/);
      expect(mail.html).toMatch(
        /because you subscribed to .*<a href="http[^"]+" style="[^"]*">Unsubscribe or change your preferences<\/a><\/div>.*<\/body><\/html>/s,
      );
      expect(mail.text).toContain(
        '# Hi <img src=x onerror=alert(1)>"{{x}}\n\n{ \\\'&{{email}} } New (https://example.com/new?a=1&b=2)\n\n--\nYou receive',
      );
      expect(mail.text).toMatch(/Unsubscribe or change your preferences: http\S+\n$/);
      expect(source).toMatch(/^List-Unsubscribe:\s+<http/m);
      expect(source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
      expect(mail.replyTo?.value[0]?.address).toBe('help@example.org');
    }
    expect((await ask('GET', `/campaigns/${id}/links`)).body.data).toEqual([
      { url: 'https://example.com/new?a=1&b=2', clicks: 0 },
    ]);
    const stats = (await ask('GET', `/campaigns/${id}/stats`)).body;
    expect(stats.html).toContain('Hi you</h1>');
    expect(stats.html).not.toMatch(/\{\{\w+\}\}/);
    const copy = (await ask('POST', `/campaigns/${id}/duplicate`)).body;
    expect([copy.html, copy.topic_id, copy.reply_to]).toEqual([html, topic.id, ['help@example.org']]);
  });

  it('has the link to unsubscribe that its author placed, and no second one', async () => {
    const person = someone();
    await subscribe(api(), [person]);
    const own = '<p>Hello. <a href="{{unsubscribe_url}}">Leave</a></p>';
    const id = await draft(api(), { html: own, plain_text: 'Hello {{firstName|you}}. Leave: {{unsubscribe_url}}' });
    expect((await ask('POST', `/campaigns/${id}/send`)).status).toBe(202);
    await untilSent(api(), id);
    const { mail, raw } = await received(service, person);
    const [, link] = /^List-Unsubscribe:\s+<([^>]+)>/m.exec(unfolded(raw)) ?? [];
    expect(link).toMatch(/^http/);
    expect(mail.text?.trim()).toBe(`Hello you. Leave: ${link}`);
    expect(mail.html).toContain(`<a href="${link}">Leave</a>`);
    expect(mail.html).not.toContain('because you subscribed');
    expect(
      (await fetch(link ?? '', { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }))
        .status,
    ).toBe(200);
    expect((await ask('GET', `/subscribers/${person}`)).body.status).toBe('unsubscribed');
  });

  it('may differ between the variants of a test, and its figures are shown', async () => {
    const people = Array.from({ length: 4 }, someone);
    await subscribe(api(), people);
    const variants = [{ name: 'A' }, { name: 'B', html: '<p>B {{firstName|you}}</p>', plain_text: 'B as text' }];
    const id = await draft(api(), { html: '<p>A</p>', ab_test: { ...ab_test, variants } });
    const written = (await show(api(), id)).ab_test;
    expect(written).toMatchObject({
      test_share: 0.5,
      decide_by: 'opens',
      wait_hours: 4,
      winner: null,
      decide_at: null,
    });
    expect(written.variants.map(({ name, recipients }: Record<string, unknown>) => [name, recipients])).toEqual([
      ['A', 0],
      ['B', 0],
    ]);
    expect((await preview(id, { variant: 2 })).body.text).toContain('B as text');
    expect((await ask('POST', `/campaigns/${id}/send`)).status).toBe(202);
    await eventually(async () => (await show(api(), id)).progress.sent === 2);
    const { variants: sent } = (await show(api(), id)).ab_test;
    expect(sent).toEqual(['A', 'B'].map((name) => ({ name, subject: 'Hello', recipients: 1, opened: 0, clicked: 0 })));
    const messages = await Promise.all(
      people.map(async (email) => ((await inbox(service, email))[0] ? received(service, email) : null)),
    );
    const texts = messages.flatMap((one) => (one ? [one.mail.text?.split('\n')[0]] : []));
    expect(texts.sort()).toEqual(['A', 'B as text']);
    await ask('POST', `/campaigns/${id}/cancel`);
  });

  it('is refused with what no message may have, with two bodies, and with a text part without it', async () => {
    const id = await draft(api(), { html: '<p>Hi</p>' });
    const before = await show(api(), id);
    const body = { name: 'N', subject: 'S' };
    const cases: [object, string[]][] = [
      [{ html: '<p>a</p><script>alert(1)</script>' }, ['html']],
      [{ html: '<a href="javascript:alert(1)">a</a>' }, ['html']],
      [{ html: '<p onclick="alert(1)">a</p>' }, ['html']],
      [{ html: '<p>{{nothing}}</p>' }, ['html']],
      [{ html: '<p>a</p>', plain_text: '{{nothing}}' }, ['plain_text']],
      [{ html: '<p>a</p>', text: 'a' }, ['text', 'html']],
      [{ html: '<p>a</p>', content: [{ type: 'divider' }] }, ['content', 'html']],
      [{ text: 'a', plain_text: 'a' }, ['plain_text']],
      [{ html: '' }, ['html']],
      [{ html: '<p></p>' }, ['html']],
      [{ html: 'x'.repeat(400_001) }, ['html']],
    ];
    for (const [given, paths] of cases) {
      for (const answer of [await ask('POST', '/campaigns', { ...body, ...given }), await change(id, given)]) {
        expect([given, answer.status, answer.status === 422 && pathsOf(answer)]).toEqual([given, 422, paths]);
      }
    }
    const named = await change(id, { html: '<p>a</p>\n<a href="x">b</a>' });
    expect(named.body.error.details.issues[0].message).toMatch(/^line 2, column 4: /);
    expect(await show(api(), id)).toEqual(before);
  });

  it('replaces another body and is replaced, and its text part alone can be changed', async () => {
    const id = await draft(api(), { text: '# A\n\nB' });
    expect(await show(api(), id)).toMatchObject({ text: '# A\n\nB', content: null, html: null, plain_text: null });
    const lone = await change(id, { plain_text: 'T' });
    expect([lone.status, pathsOf(lone)]).toEqual([422, ['plain_text']]);
    const changed = (await change(id, { html: '<p>C</p>', plain_text: 'T' })).body;
    expect(changed).toMatchObject({ text: null, content: null, html: '<p>C</p>', plain_text: 'T' });
    const again = await change(id, { html: '<p>C</p>', plain_text: 'T', revision: 0 });
    expect([again.status, again.body.revision]).toEqual([200, 1]);
    expect((await change(id, { plain_text: null })).body).toMatchObject({ html: '<p>C</p>', plain_text: null });
    expect((await change(id, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', html: '<p>C</p>' });
    await change(id, { plain_text: 'U' });
    expect((await change(id, { html: '<p>D</p>' })).body).toMatchObject({ html: '<p>D</p>', plain_text: null });
    const content = [{ type: 'paragraph', text: 'E' }];
    expect((await change(id, { content })).body).toMatchObject({ text: null, content, html: null });
    expect((await change(id, { text: 'E' })).body).toMatchObject({ text: 'E', content: null, html: null });
  });

  it('may have 400,000 characters that compress badly, is edited, sent, and deleted as a whole', async () => {
    const { randomBytes } = await import('node:crypto');
    const letters = (count: number) =>
      Array.from(new Uint16Array(randomBytes(2 * count).buffer.slice(0)), (one) =>
        String.fromCodePoint(0x4e00 + (one % 20_000)),
      ).join('');
    const most = `<p>${'x'.repeat(399_993)}</p>`;
    expect((await ask('POST', '/campaigns', { name: 'N', subject: 'S', html: most })).status).toBe(201);
    const tooLarge = await ask('POST', '/campaigns', { name: 'N', subject: 'S', html: `<p>${letters(390_000)}</p>` });
    expect([tooLarge.status, pathsOf(tooLarge)]).toEqual([422, ['html']]);
    const [first, second] = [`<p>${letters(200_000)}</p>`, `<p>${letters(250_000)}</p>`];
    const body = { name: 'N', subject: 'S', html: first, plain_text: 'Text' };
    const id = (await ask('POST', '/campaigns', body)).body.id;
    expect((await show(api(), id)).html === first).toBe(true);
    const edited = await Promise.all(
      [second, first, second].map((html, index) => change(id, { html, name: `${index}`, plain_text: 'Text' })),
    );
    expect(edited.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect((await change(id, { html: second, name: 'Last', plain_text: 'Text' })).status).toBe(200);
    const stored = await show(api(), id);
    expect([stored.name, stored.html === second]).toEqual(['Last', true]);
    const person = someone();
    await subscribe(api(), [person]);
    expect((await ask('POST', `/campaigns/${id}/send`)).status).toBe(202);
    await untilSent(api(), id);
    const { mail } = await received(service, person);
    expect(String(mail.html).includes(second)).toBe(true);
    expect(mail.text?.startsWith('Text')).toBe(true);
    const copy = (await ask('POST', `/campaigns/${id}/duplicate`)).body;
    expect(copy.html === second).toBe(true);
    expect((await change(copy.id, { html: '<p>Short</p>' })).body.html).toBe('<p>Short</p>');
    expect((await ask('DELETE', `/campaigns/${copy.id}`)).status).toBe(200);
  });
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
