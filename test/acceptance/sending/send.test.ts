import { randomUUID } from 'node:crypto';
import { operatorContext } from '../../shared/services/context.ts';
import { type Answer, call, eventually } from '../client.ts';
import { inbox, received } from '../inbox.ts';
import { sharedService, startService, type TestService } from '../service.ts';
import { addUsage } from '../usage.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
const someone = () => `p${randomUUID().slice(0, 8)}@example.net`;
const send = (body: object, headers: Record<string, string> = {}) =>
  call({ ...service, apiKey: workspace.apiKey }, 'POST', '/api/v1/emails', { body, headers });
const email = (over: object = {}) => ({
  from: `Acme <hello@${workspace.domain}>`,
  to: someone(),
  subject: 'Hello',
  text: 'Hi.',
  ...over,
});
const detail = (id: string) => call({ ...service, apiKey: workspace.apiKey }, 'GET', `/api/v1/emails/${id}`);

beforeAll(async () => {
  service = await sharedService();
  workspace = await newWorkspace(service);
});
afterAll(() => service.stop());

describe('POST /emails', () => {
  describe('202', () => {
    it('returns the email, sends it, and its status becomes delivered', async () => {
      const to = someone();
      const answer = await send(email({ to, html: '<p>Hi.</p>' }));
      expect(answer.status).toBe(202);
      expect(answer.body).toEqual({
        id: expect.stringMatching(/^email_[0-9a-z]{26}$/),
        object: 'email',
        from: `Acme <hello@${workspace.domain}>`,
        to: [to],
        subject: 'Hello',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      const { mail } = await received(service, to);
      expect(mail.text?.trim()).toBe('Hi.');
      expect(mail.html).toContain('<p>Hi.</p>');
      const found = await eventually(async () => {
        const { body } = await detail(answer.body.id);
        return body.status === 'delivered' && body;
      });
      expect(found).toMatchObject({
        id: answer.body.id,
        object: 'email',
        to: [to],
        cc: [],
        bcc: [],
        reply_to: [],
        tags: [],
        recipients: [{ email: to, status: 'delivered' }],
      });
    });

    it('sends one message to 150 recipients, each with the same headers and no Bcc anywhere', async () => {
      const [to, cc, bcc] = [0, 1, 2].map((list) => Array.from({ length: 50 }, (_, i) => `l${list}n${i}${someone()}`));
      const answer = await send(email({ to, cc, bcc }));
      expect(answer.status).toBe(202);
      const seen = await Promise.all(
        [to?.[0], cc?.[49], bcc?.[0], bcc?.[49]].map((one) => received(service, one ?? '')),
      );
      for (const { raw, mail, message } of seen) {
        expect(message.recipients.length).toBe(50);
        expect([mail.to].flat()[0]?.value.length).toBe(50);
        expect([mail.cc].flat()[0]?.value.length).toBe(50);
        expect(raw.toString()).not.toMatch(/^bcc:/im);
        expect(raw.toString()).not.toContain(bcc?.[7]);
      }
      const all = await detail(answer.body.id);
      expect(all.body.recipients).toHaveLength(150);
    });

    it('sends once to an address that is given twice', async () => {
      const to = someone();
      const answer = await send(email({ to: [to, `Ada <${to}>`], cc: to.toUpperCase(), bcc: to }));
      expect(answer.status).toBe(202);
      const { message } = await received(service, to);
      expect(message.recipients).toEqual([to]);
      expect((await detail(answer.body.id)).body.recipients).toHaveLength(1);
    });

    it.each([
      'Smith, John',
      'Acme, Inc.',
      'Müller (Extern)',
      'Team [QA]',
      'Sales: EU; "all"',
      '5" \\ <3 =?utf-8?Q?x?=',
    ])('shows the display name %s, given without quotes, in every header', async (name) => {
      const [to, cc, bcc, replyTo] = [someone(), someone(), someone(), someone()];
      const named = (address: string) => `${name} <${address}>`;
      const from = `hello@${workspace.domain}`;
      const lists = { to: [named(to), `${to} <${to}>`], cc: [named(cc)], bcc: named(bcc), reply_to: named(replyTo) };
      const { status, body } = await send(email({ from: named(from), ...lists }));
      expect([status, body.from, body.to]).toEqual([202, named(from), lists.to]);
      for (const recipient of [to, cc, bcc]) {
        const { message, mail } = await received(service, recipient);
        expect([...message.recipients].sort()).toEqual([to, cc, bcc].sort());
        const shown = [mail.from, mail.to, mail.cc, mail.replyTo].map((header) => [header].flat()[0]?.value);
        const own = { name: name.replaceAll('"all"', 'all'), address: '' };
        expect(shown).toEqual([
          [{ ...own, address: from }],
          [
            { ...own, address: to },
            { name: to, address: to },
          ],
          [{ ...own, address: cc }],
          [{ ...own, address: replyTo }],
        ]);
      }
    });

    it('writes both one-click headers (RFC 8058) and does not track that link', async () => {
      const to = someone();
      const url = 'https://example.org/leave?u=1&l=2';
      const html = `<a href="https://example.org/leave?u=1&amp;l=2">Leave</a> <a href="https://example.org/shop">Shop</a>`;
      await send(email({ to, html, unsubscribe_url: url }));
      const { mail, raw } = await received(service, to);
      const headers = raw
        .toString()
        .split('\r\n\r\n')[0]
        ?.replace(/\r\n\s+/g, ' ');
      expect(headers).toContain(`List-Unsubscribe: <${url}>`);
      expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
      expect(mail.html).toContain('href="https://example.org/leave?u=1&amp;l=2"');
      expect(mail.html).not.toContain('href="https://example.org/shop"');
    });

    it('carries custom headers, reply-to and tags', async () => {
      const to = someone();
      const answer = await send(
        email({
          to,
          reply_to: ['a@example.org', 'Bé <b@example.org>'],
          headers: { 'X-Order': '42', 'X-Long': 'w '.repeat(300).trim() },
          tags: [{ name: 'category', value: 'receipt' }],
        }),
      );
      expect(answer.status).toBe(202);
      const { mail } = await received(service, to);
      expect(mail.headers.get('x-order')).toBe('42');
      expect(mail.headers.get('x-long')).toBe('w '.repeat(300).trim());
      expect([mail.replyTo].flat()[0]?.value.map(({ address }) => address)).toEqual(['a@example.org', 'b@example.org']);
      expect((await detail(answer.body.id)).body).toMatchObject({
        reply_to: ['a@example.org', 'Bé <b@example.org>'],
        tags: [{ name: 'category', value: 'receipt' }],
      });
    });

    it('accepts replyTo as another spelling', async () => {
      const to = someone();
      await send(email({ to, replyTo: 'r@example.org' }));
      const { mail } = await received(service, to);
      expect([mail.replyTo].flat()[0]?.value[0]?.address).toBe('r@example.org');
    });

    it('ignores unknown keys', async () => {
      expect((await send(email({ whatever: 1, scheduled: null }))).status).toBe(202);
    });

    it.each([
      'Été : votre reçu n° 42 — « merci »'.repeat(20),
      '領収書をお送りします。ありがとうございます。'.repeat(20),
    ])('keeps a long subject readable: %.12s…', async (subject) => {
      const to = someone();
      expect((await send(email({ to, subject, text: `${'é'.repeat(3000)}\n${'長'.repeat(2000)}` }))).status).toBe(202);
      const { mail, raw } = await received(service, to);
      expect(mail.subject).toBe(subject);
      expect(mail.text).toContain('長'.repeat(2000));
      const lines = raw.toString('latin1').split('\r\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(998);
    });

    it('attaches files whose names are not ASCII, with the type of their extension', async () => {
      const to = someone();
      const content = Buffer.from('Bonjour, ça va ?').toString('base64');
      const attachments = [
        { filename: 'reçu été.pdf', content },
        { filename: '請求書.csv', content, content_type: 'text/csv' },
        { filename: 'noextension', content },
      ];
      expect((await send(email({ to, html: '<b>x</b>', attachments }))).status).toBe(202);
      const { mail } = await received(service, to);
      expect(mail.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
        ['reçu été.pdf', 'application/pdf'],
        ['請求書.csv', 'text/csv'],
        ['noextension', 'application/octet-stream'],
      ]);
      expect(mail.attachments[0]?.content.toString()).toBe('Bonjour, ça va ?');
    });

    it('sends from a subdomain of a verified domain', async () => {
      expect((await send(email({ from: `a@news.${workspace.domain}` }))).status).toBe(202);
    });
  });

  describe('422 validation_error', () => {
    const issuesOf = async (body: object, headers = {}) => {
      const answer = await send(body, headers);
      expect(answer.status).toBe(422);
      expect(answer.body.error.code).toBe('validation_error');
      return answer.body.error.details.issues.map(({ path }: { path: string }) => path);
    };

    it('reports all problems at once', async () => {
      const paths = await issuesOf({
        from: 'nobody',
        to: ['ok@example.net', 'bad', 'a@b'],
        cc: [],
        subject: 'a\r\nBcc: x@y.z',
        headers: { Subject: 'x', 'List-Unsubscribe': '<x>', 'X-Ok': 'é' },
        tags: [
          { name: 'a', value: 'b c' },
          { name: 'a', value: 'b' },
        ],
        unsubscribe_url: 'ftp://x',
        attachments: [
          { filename: 'run.exe', content: 'AAAA' },
          { filename: 'a.txt', content: '???' },
          { filename: 'b.txt', content: 'AAAA', path: 'https://example.org/x' },
        ],
      });
      expect(paths.sort()).toEqual([
        'attachments[0].filename',
        'attachments[1].content',
        'attachments[2].path',
        'cc',
        'from',
        'headers.List-Unsubscribe',
        'headers.Subject',
        'headers.X-Ok',
        'html',
        'subject',
        'tags[0].value',
        'tags[1].name',
        'to[1]',
        'to[2]',
        'unsubscribe_url',
      ]);
    });

    it.each([
      ['no recipient', { to: [] }, 'to'],
      ['51 recipients', { to: Array.from({ length: 51 }, (_, i) => `a${i}@example.net`) }, 'to'],
      ['a subject of 999 characters', { subject: 'x'.repeat(999) }, 'subject'],
      ['an empty subject', { subject: '' }, 'subject'],
      ['html of 400,001 characters', { html: 'x'.repeat(400_001) }, 'html'],
      [
        '21 attachments',
        { attachments: Array.from({ length: 21 }, () => ({ filename: 'a', content: '' })) },
        'attachments',
      ],
      ['a display name with a line break', { from: 'A\nB <a@example.com>' }, 'from'],
      ['a name that holds another address', { from: '"ceo@bank.com" <a@example.com>' }, 'from'],
      ['a list in one string', { to: 'Ada <ada@example.net>, Bob <bob@example.net>' }, 'to'],
      ['a non-ASCII local part', { to: 'é@example.net' }, 'to'],
      ['both spellings of reply-to, different', { reply_to: 'a@b.cd', replyTo: 'e@f.gh' }, 'replyTo'],
      ['a number for text', { text: 1 }, 'text'],
    ])('refuses %s', async (_name, over, path) => {
      expect(await issuesOf(email(over))).toEqual([path]);
    });

    it('refuses an Idempotency-Key of 201 characters', async () => {
      expect(await issuesOf(email(), { 'Idempotency-Key': 'k'.repeat(201) })).toEqual(['idempotency-key']);
    });

    it.each(['{', '[]', '"x"', 'null', '', '1'])('refuses the body %j', async (raw) => {
      const answer = await call({ ...service, apiKey: workspace.apiKey }, 'POST', '/api/v1/emails', { raw });
      expect(answer.status).toBe(422);
      expect(answer.body.error.details.issues).toEqual([{ path: '', message: expect.any(String) }]);
    });

    it('answers in French when asked', async () => {
      const answer = await send(email({ to: 'bad' }), { 'Accept-Language': 'fr-FR,fr;q=0.9,en;q=0.8' });
      expect(answer.body.message).toMatch(/^to : /);
      expect(answer.body.message).toBe(answer.body.error.message);
      expect(answer.body.name).toBe('validation_error');
    });
  });

  describe('422 unverified_from_domain', () => {
    it('names the sender and the verified domains', async () => {
      const answer = await send(email({ from: 'X <a@elsewhere.example>' }));
      expect(answer.status).toBe(422);
      expect(answer.body.error).toMatchObject({
        code: 'unverified_from_domain',
        details: { from: 'X <a@elsewhere.example>', verifiedDomains: [workspace.domain] },
      });
    });

    it('refuses a domain that only ends like a verified one', async () => {
      expect((await send(email({ from: `a@not${workspace.domain}` }))).body.name).toBe('unverified_from_domain');
    });
  });

  describe('422 suppressed_recipient', () => {
    it('refuses the whole call and sends nothing', async () => {
      const [bounced, complained, fresh] = ['bounce', 'complaint', 'success'].map(
        (kind) => `${kind}+${randomUUID().slice(0, 8)}@simulator.amazonses.com`,
      );
      const first = await send(email({ to: [bounced, complained] }));
      expect(first.status).toBe(202);
      await eventually(async () => {
        const { body } = await detail(first.body.id);
        const statuses = body.recipients.map(({ status }: { status: string }) => status);
        return statuses.includes('bounced') && statuses.includes('complained') && body.status === 'complained';
      });
      const answer = await eventually(async () => {
        const refused = await send(email({ to: fresh, cc: `X <${bounced?.toUpperCase()}>`, bcc: complained }));
        return refused.body.error?.details.recipients?.length === 2 && refused;
      });
      expect(answer.status).toBe(422);
      expect(answer.body.error.code).toBe('suppressed_recipient');
      expect(answer.body.error.details.recipients).toEqual(
        expect.arrayContaining([
          { email: bounced, reason: 'bounce', scope: 'organization' },
          { email: complained, reason: 'complaint', scope: 'organization' },
        ]),
      );
      expect(await inbox(service, fresh ?? '')).toEqual([]);
    });

    it('checks the platform list too', async () => {
      const { suppress } = await import('../../../shared/services/suppression.ts');
      const to = someone();
      await suppress(null, to, 'manual', new Date());
      const answer = await send(email({ to }));
      expect(answer.body.error.details.recipients).toEqual([{ email: to, reason: 'manual', scope: 'platform' }]);
    });

    it('does not cross workspaces', async () => {
      const { suppress } = await import('../../../shared/services/suppression.ts');
      const to = someone();
      const other = await newWorkspace(service);
      await suppress(other.workspaceId, to, 'unsubscribe', new Date());
      expect((await send(email({ to }))).status).toBe(202);
    });
  });

  describe('402 quota_exceeded', () => {
    it('accepts exactly a hundred of two hundred concurrent calls at the end of the quota, and gives back what is refused', async () => {
      const tight = await newWorkspace(service, { plan: 'free' });
      await addUsage(service, tight.workspaceId, { used: 2900 });
      const body = () => ({ from: `a@${tight.domain}`, to: someone(), subject: 's', text: 't' });
      /** Repeats what an overloaded machine asks callers to repeat: nobody got it, and its place was given back. */
      const statusOfSend = async (): Promise<number> => {
        const path = '/api/v1/emails';
        const { status } = await call({ ...service, apiKey: tight.apiKey }, 'POST', path, { body: body() });
        return [502, 503].includes(status) ? statusOfSend() : status;
      };
      const statuses = await Promise.all(Array.from({ length: 200 }, statusOfSend));
      expect(statuses.filter((status) => status === 202)).toHaveLength(100);
      expect(statuses.filter((status) => status === 402)).toHaveLength(100);
      const refused = await call({ ...service, apiKey: tight.apiKey }, 'POST', '/api/v1/emails', {
        body: { from: `a@${tight.domain}`, to: [someone(), someone()], subject: 's', text: 't' },
      });
      expect(refused.body.error.details).toEqual({
        limit: 3000,
        used: 3000,
        requested: 2,
        resets_at: expect.stringMatching(/-01T00:00:00\.000Z$/),
      });
      expect(refused.body.message).toBe('The monthly quota of the plan is reached.');
      const account = await call({ ...service, apiKey: tight.apiKey }, 'GET', '/api/v1/me');
      expect(account.body.emails_remaining).toBe(0);
    });

    it('says how much is left when a call asks for more', async () => {
      const tight = await newWorkspace(service, { plan: 'free' });
      await addUsage(service, tight.workspaceId, { used: 2950 });
      const to = Array.from({ length: 50 }, someone);
      const body = { from: `a@${tight.domain}`, to, cc: someone(), subject: 's', text: 't' };
      const { status, body: refused } = await call({ ...service, apiKey: tight.apiKey }, 'POST', '/api/v1/emails', {
        body,
      });
      expect([status, refused.message]).toEqual([
        402,
        'The call is for 51 emails; the monthly quota of the plan has 50 left.',
      ]);
    });
  });

  describe('the quota under concurrent calls', () => {
    const remaining = async ({ apiKey }: TestWorkspace) =>
      (await call({ ...service, apiKey }, 'GET', '/api/v1/me')).body.emails_remaining as number;
    const sendFrom = async ({ apiKey }: TestWorkspace, body: object) =>
      (await call({ ...service, apiKey }, 'POST', '/api/v1/emails', { body: { subject: 's', text: 't', ...body } }))
        .status;

    it('counts what was sent, whatever was refused at the same time', async () => {
      const mixed = await newWorkspace(service, { plan: 'starter' });
      const from = `a@${mixed.domain}`;
      const suppressed = someone();
      await call({ ...service, apiKey: mixed.apiKey }, 'POST', '/api/v1/suppression', { body: { email: suppressed } });
      const before = await remaining(mixed);
      const bodies = [
        () => ({ from, to: [someone(), someone()] }),
        () => ({ from, to: suppressed }),
        () => ({ from: 'a@stranger.example', to: someone() }),
        () => ({ from, to: someone() }),
      ];
      const statuses = [202];
      expect(await sendFrom(mixed, { from, to: someone() })).toBe(202);
      for (let round = 0; round < 4; round += 1) {
        const calls = Array.from({ length: 24 }, (_, index) => sendFrom(mixed, bodies[index % 4]?.() ?? {}));
        statuses.push(...(await Promise.all(calls)));
      }
      expect(statuses.filter((status) => status === 202)).toHaveLength(1 + 48);
      expect(statuses.filter((status) => status === 422)).toHaveLength(48);
      expect(before - (await remaining(mixed))).toBe(1 + 24 * 2 + 24);
    });

    it('is never exceeded, also when it shrinks suddenly', async () => {
      const tight = await newWorkspace(service, { plan: 'free' });
      const from = `a@${tight.domain}`;
      expect(await sendFrom(tight, { from, to: someone() })).toBe(202);
      await addUsage(service, tight.workspaceId, { used: 2962 });
      const statuses = await Promise.all(Array.from({ length: 60 }, () => sendFrom(tight, { from, to: someone() })));
      expect(statuses.filter((status) => status === 202)).toHaveLength(37);
      expect(statuses.filter((status) => status === 402)).toHaveLength(23);
      expect(await remaining(tight)).toBe(0);
    });
  });

  describe('403 reputation_blocked', () => {
    it('suspends above 5 % bounces, and an operator lifts it', async () => {
      const bad = await newWorkspace(service);
      const { resumeSending } = await import('../../../shared/services/reputation.ts');
      await addUsage(service, bad.workspaceId, { sent: 100, bounced: 6 });
      const body = { from: `a@${bad.domain}`, to: 'bounce@simulator.amazonses.com', subject: 's', text: 't' };
      const client = { ...service, apiKey: bad.apiKey };
      expect((await call(client, 'POST', '/api/v1/emails', { body })).status).toBe(202);
      const blocked = await eventually(async () => {
        const answer = await call(client, 'POST', '/api/v1/emails', { body: { ...body, to: someone() } });
        return answer.status === 403 && answer;
      });
      expect(blocked.body.error).toMatchObject({
        code: 'reputation_blocked',
        details: { bounce_rate: expect.any(Number), complaint_rate: 0, since: expect.any(String) },
      });
      expect(blocked.body.error.details.bounce_rate).toBeGreaterThan(0.05);
      expect((await call(client, 'GET', '/api/v1/me')).body.sending.suspended).toBe(true);
      expect(service.logLines()).toContainEqual(
        expect.objectContaining({ level: 'ERROR', WorkspaceSuspended: 1, workspace_id: bad.workspaceId }),
      );
      await resumeSending(operatorContext(bad.workspaceId));
      expect((await call(client, 'POST', '/api/v1/emails', { body: { ...body, to: someone() } })).status).toBe(202);
      expect((await call(client, 'GET', '/api/v1/me')).body.sending).toEqual({
        suspended: false,
        bounce_rate: 0,
        complaint_rate: 0,
      });
    });
  });
});

describe('GET /emails/{id}', () => {
  it('is 404 for another workspace, a malformed id and an unknown one', async () => {
    const { body } = await send(email());
    const other = await newWorkspace(service);
    const asOther = await call({ ...service, apiKey: other.apiKey }, 'GET', `/api/v1/emails/${body.id}`);
    expect([asOther.status, asOther.body.name]).toEqual([404, 'not_found']);
    for (const id of ['x', 'email_', 'email_01m7xx6qyft23rbk625h7dc39r', '%F0']) {
      expect((await detail(id)).status).toBe(404);
    }
  });
});

describe('the rate limit', () => {
  it('is shown on every response, and 429 when it is used up', async () => {
    const limited = await startService({ env: { REQUESTS_PER_MINUTE: '5' } });
    try {
      const answers: Answer[] = [];
      // A minute that turns meanwhile begins a window anew: of eleven calls, six are made in one of two.
      while (answers.at(-1)?.status !== 429 && answers.length < 11) {
        answers.push(await call(limited, 'GET', '/api/v1/me'));
      }
      const refused = answers.at(-1) as Answer;
      expect(refused.status).toBe(429);
      expect(refused.body.error.details.retry_after).toBe(Number(refused.headers.get('retry-after')));
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      const reset = (answer: Answer) => answer.headers.get('x-ratelimit-reset');
      const ofWindow = answers.filter((answer) => reset(answer) === reset(refused));
      expect(ofWindow.map((answer) => answer.headers.get('x-ratelimit-remaining'))).toEqual([
        '4',
        '3',
        '2',
        '1',
        '0',
        '0',
      ]);
      expect((await call(limited, 'GET', '/nowhere', { key: null })).headers.get('x-ratelimit-limit')).toBe('5');
    } finally {
      await limited.stop();
    }
  });
});
