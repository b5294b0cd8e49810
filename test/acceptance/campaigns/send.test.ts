import { randomUUID } from 'node:crypto';
import { operatorContext } from '../../shared/services/context.ts';
import { call, eventually } from '../client.ts';
import { inbox, received, setFaults } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';
import { draft, operator, report, send, show, subscribe, untilSent } from './campaign.ts';

let service: TestService;
let workspace: TestWorkspace;

const someone = (name = 'p') => `${name}${randomUUID().slice(0, 12)}@example.net`;
const api = (own: { apiKey: string } = workspace) => ({ ...service, apiKey: own.apiKey });

/** Changes that only feedback or an operator makes. */
async function inside() {
  Object.assign(process.env, service.environment);
  const [
    { addSender },
    { suppress },
    { suspend },
    { monthKey },
    { documents, tableName },
    { UpdateCommand },
    { monthOf },
  ] = await Promise.all([
    import('../../../shared/services/senders.ts'),
    import('../../../shared/services/suppression.ts'),
    import('../../../shared/store/workspace/workspaces.ts'),
    import('../../../shared/store/table/keys.ts'),
    import('../../../shared/store/table/table.ts'),
    import('@aws-sdk/lib-dynamodb'),
    import('../../../shared/domain/sending/quota.ts'),
  ]);
  return {
    addSender,
    suppress,
    suspend,
    /** As if this many messages had been sent this month. */
    use: (workspaceId: string, used: number) =>
      documents.send(
        new UpdateCommand({
          TableName: tableName(),
          Key: monthKey(workspaceId, monthOf(new Date())),
          UpdateExpression: 'SET used = :used',
          ExpressionAttributeValues: { ':used': used },
        }),
      ),
  };
}

const left = async (own: TestWorkspace = workspace): Promise<number> =>
  (await call(api(own), 'GET', '/api/v1/me')).body.emails_remaining;

beforeAll(async () => {
  service = await startService({ env: { CAMPAIGN_LOOK_AGAIN_SECONDS: '2' } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  await setFaults(service);
  workspace = await newWorkspace(service, { plan: 'free' });
});

const everyBlock = [
  { type: 'heading', level: 1, text: 'Dear {{firstName|reader}}' },
  {
    type: 'paragraph',
    text: 'From **{{fields.city|somewhere}}** with *love* & <b>more</b>: [see](https://example.com/a?b=1&c=2)',
  },
  { type: 'image', src: 'https://example.com/i.png', alt: 'A picture', href: 'https://example.com/pic', width: 300 },
  { type: 'button', label: 'Go', href: 'https://example.com/go' },
  { type: 'divider' },
  { type: 'list', items: ['one', 'two {{lastName}}'], ordered: true },
  {
    type: 'columns',
    columns: [[{ type: 'paragraph', text: 'left' }], [{ type: 'paragraph', text: 'right {{email}}' }]],
  },
];

describe('a campaign', () => {
  it('reaches everybody of the list once, each with their own values, headers and link, and its text part', async () => {
    const people = Array.from({ length: 120 }, (_, index) => ({
      email: `p${index}@${workspace.domain}`,
      firstName: index === 0 ? '{{html}} <i>"Eve"</i>' : `Ada${index}`,
      fields: index === 1 ? { city: 'Paris\nBcc: x@example.org' } : index === 2 ? {} : { city: `City${index}` },
    }));
    await subscribe(api(), people);
    const id = await draft(api(), {
      subject: 'Hi {{firstName|you}}',
      preheader: 'For {{fields.city|all}}',
      content: everyBlock,
    });
    const { status, body } = await send(api(), id);
    expect([status, body]).toEqual([
      202,
      {
        id,
        object: 'campaign',
        status: 'sending',
        queued: 120,
        target: { segment: null, topic: null },
        note: expect.any(String),
      },
    ]);
    const campaign = await untilSent(api(), id);
    expect(campaign.progress).toMatchObject({
      queued: 120,
      sent: 120,
      skipped: 0,
      failed: 0,
      uncertain: 0,
      waiting: 0,
    });
    const links = new Set<string>();
    for (const [index, { email, firstName, fields }] of people.entries()) {
      const messages = await inbox(service, email);
      expect(messages.length).toBe(1);
      const { mail } = await received(service, email);
      expect(mail.subject).toBe(`Hi ${firstName}`);
      const city = fields.city ?? 'somewhere';
      expect(mail.text).toContain(city.split('\n')[0] ?? '');
      expect(mail.text).toContain(`right ${email}`);
      expect(mail.html).toContain('A picture');
      expect(mail.html).not.toMatch(/<i>"Eve"|<b>more/);
      expect(mail.html).not.toContain('{{');
      expect(mail.headers.has('bcc')).toBe(false);
      const raw = mail.headerLines
        .map(({ line }) => line)
        .join('\n')
        .replace(/\r?\n[ \t]+/g, ' ');
      const link = /^List-Unsubscribe:\s*<([^>]+)>/im.exec(raw)?.[1] ?? '';
      expect(link).toMatch(/^http/);
      expect(raw).toMatch(/^List-Unsubscribe-Post:\s*List-Unsubscribe=One-Click$/im);
      expect(raw).toMatch(new RegExp(`^List-Id:\\s*<camp-[^>]+\\.${workspace.domain}>$`, 'im'));
      expect(mail.text).toContain(link);
      links.add(link);
      if (index === 3) {
        expect(
          (await fetch(link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })).ok,
        ).toBe(true);
      }
    }
    expect(links.size).toBe(120);
    const left3 = await call(api(), 'GET', `/api/v1/subscribers/${encodeURIComponent(people[3]?.email ?? '')}`);
    expect(left3.body.status).toBe('unsubscribed');
    const seen = await eventually(async () => {
      const now = await report(api(), id);
      return now.counts.delivered === 120 && now.counts.unsubscribed === 1 && now;
    });
    expect(seen.counts).toEqual({
      recipients: 120,
      delivered: 120,
      opened: 0,
      clicked: 0,
      bounced: 0,
      complained: 0,
      unsubscribed: 1,
    });
    expect(seen.rates).toEqual({ delivered: 1, opened: 0, clicked: 0, bounced: 0 });
    expect(seen.html).toContain('A picture');
    expect(seen.links.map(({ url }: { url: string }) => url)).toContain('https://example.com/go');
    expect(await left()).toBe(3000 - 120);
  });

  it.each(['Müller (Extern), "Team" [QA]', 'Smith, John'])('shows the display name %s of its sender', async (name) => {
    const { addSender } = await inside();
    const address = `team@${workspace.domain}`;
    const mailbox = `${name} <${address}>`;
    await addSender(operatorContext(workspace.workspaceId), { mailbox, makeDefault: true });
    for (const from of [undefined, mailbox]) {
      const to = someone();
      await subscribe(api(), [to]);
      await send(api(), await draft(api(), { from }), { to: [to] });
      const { mail } = await received(service, to);
      expect(mail.from?.value).toEqual([{ name: name.replaceAll('"', ''), address }]);
    }
  });

  it('is in the list of what a person was sent, with what became of it, and in no one else’s', async () => {
    const [ada, bob] = [someone('ada'), someone('bob')];
    await subscribe(api(), [ada, bob]);
    const email = { from: `hello@${workspace.domain}`, to: ada, subject: 'One', text: 'Hi.' };
    await call(api(), 'POST', '/api/v1/emails', { body: email });
    const id = await draft(api(), { subject: 'For all' });
    await send(api(), id);
    const forBob = await draft(api(), { subject: 'For Bob' });
    await send(api(), forBob, { to: [bob] });
    const sentTo = async (recipient: string) =>
      (await call(api(), 'GET', `/api/v1/emails?recipient=${recipient}`)).body.data;
    const wanted = { object: 'campaign_recipient', campaign_id: id, email: ada, outcome: 'sent', delivered: true };
    await eventually(async () => {
      const [first, second] = await sentTo(ada);
      return second?.status === 'delivered' && first.delivered;
    });
    expect(await sentTo(ada)).toMatchObject([wanted, { object: 'email', to: [ada], subject: 'One' }]);
    expect((await sentTo(bob)).map(({ subject }: { subject: string }) => subject)).toEqual(['For Bob', 'For all']);
    const other = await newWorkspace(service);
    expect((await call(api(other), 'GET', `/api/v1/emails?recipient=${ada}`)).body.data).toEqual([]);
  });

  it('returns the quota of skipped and failed people, and distinguishes them from those who got it', async () => {
    const emails = Array.from({ length: 30 }, () => someone());
    await subscribe(api(), emails);
    await setFaults(service, { bulk_entry_error: { status: 'MESSAGE_REJECTED', next: 3 }, latency_ms: 1500 });
    const id = await draft(api());
    expect((await send(api(), id)).body.queued).toBe(30);
    expect(await left()).toBe(2970);
    const { progress } = await untilSent(api(), id);
    expect(progress).toMatchObject({ queued: 30, sent: 27, failed: 3, skipped: 0 });
    expect(await left()).toBe(2973);
  });
});

describe('unusual content', () => {
  const refused = async (over: object) =>
    await call(api(), 'POST', '/api/v1/campaigns', { body: { name: 'N', subject: 'S', ...over } });
  const paragraph = (text: string) => ({ type: 'paragraph', text });

  it('is refused for links of other schemes, broken fields and excessive size, each with its path', async () => {
    for (const href of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '//x.example',
      'ftp://x.example',
    ]) {
      const { status, body } = await refused({ content: [{ type: 'button', label: 'Go', href }] });
      expect([href, status]).toEqual([href, 422]);
      expect(body.error.details.issues[0].path).toBe('content[0].href');
    }
    expect((await refused({ text: '[x](javascript:alert(1)) {{firstName' })).status).toBe(422);
    expect((await refused({ text: 'Hi {{constructor}} {{fields.__proto__}}' })).status).toBe(422);
    expect((await refused({ content: Array.from({ length: 201 }, () => paragraph('x')) })).status).toBe(422);
    expect((await refused({ text: '"'.repeat(400_000) })).status).toBe(422);
  });

  it('is sent as text where it looks like markup or a template, in 200 blocks', async () => {
    const hostile = [
      '<script>alert(1)</script>',
      '{ {html} }',
      '\\{ {',
      '{ {#each}}',
      '&lt;b&gt; &amp;',
      '<img src=x onerror=alert(1)>',
      '</td></table>',
      '<!--',
      ']]>',
      '{%x%} ${y} #{z}',
    ];
    const blocks = Array.from({ length: 200 }, (_, index) =>
      paragraph(`${index}: ${hostile[index % hostile.length]} end`),
    );
    const email = someone();
    const person = { email, firstName: '{{html}}</p><script>alert(2)</script>', lastName: '\\{{{x}}}' };
    await subscribe(api(), [person]);
    const content = [{ type: 'heading', level: 1, text: '{{firstName}} {{lastName}}' }, ...blocks.slice(1)];
    const id = await draft(api(), { subject: '<b>{ {x}} {{lastName}}', content });
    expect((await send(api(), id)).status).toBe(202);
    await untilSent(api(), id);
    const { mail } = await received(service, email);
    expect(mail.subject).toBe(`<b>{ {x}} ${person.lastName}`);
    expect(mail.html).not.toMatch(/<script|<img src=x|<[^>]*onerror/i);
    for (const [index, text] of hostile.entries()) {
      if (index > 0) expect(mail.text).toContain(`${index}: ${text} end`);
    }
    expect(mail.text).toContain(`${person.firstName} ${person.lastName}`);
  });
});

describe('a message of 400,000 characters', () => {
  it('is sent whole, with as many recipients as fit into a call', async () => {
    const emails = Array.from({ length: 3 }, () => someone());
    await subscribe(api(), emails);
    const text = `Dear {{firstName|reader}}, ${'word '.repeat(79_000)}the end.`;
    const id = await draft(api(), { text });
    expect((await send(api(), id)).body.queued).toBe(3);
    expect((await untilSent(api(), id)).progress).toMatchObject({ sent: 3, failed: 0 });
    for (const email of emails) {
      const { mail } = await received(service, email);
      expect(mail.text?.includes('the end.')).toBe(true);
      expect(String(mail.html).includes('the end.')).toBe(true);
    }
  });
});

describe('POST /campaigns/{id}/send narrowed by to', () => {
  it('reaches the active subscribers of the list, accounts for every entry, and reports the same in a dry run', async () => {
    const [stays, leaves, blocked] = [someone('stays'), someone('leaves'), someone('blocked')];
    await subscribe(api(), [stays, leaves, blocked, someone('other')]);
    await call(api(), 'DELETE', `/api/v1/subscribers/${encodeURIComponent(leaves)}`);
    await (await inside()).suppress(null, blocked, 'manual', new Date());
    const rubbish = Array.from({ length: 500 }, (_, index) => `rubbish ${index % 250}`);
    const strangers = Array.from({ length: 300 }, (_, index) => `stranger${index}@example.net`);
    const to = [...rubbish, ...strangers, stays, ` ${stays.toUpperCase()} `, leaves, blocked];
    const id = await draft(api());
    const dry = await send(api(), id, { to, dry_run: true });
    expect(dry.body).toMatchObject({ would_send: true, blocked_reason: null, recipients: 1 });
    const { status, body } = await send(api(), id, { to });
    expect([status, body.queued]).toEqual([202, 1]);
    const { requested, duplicates, retained, excluded, reasons } = body.audience;
    expect({ requested, duplicates, retained, excluded }).toEqual({
      requested: 804,
      duplicates: 251,
      retained: 1,
      excluded: 552,
    });
    expect(reasons).toMatchObject({ invalid: 250, not_in_list: 300, unsubscribed: 1, suppressed: 1 });
    expect(body.audience).toEqual(dry.body.audience);
    await untilSent(api(), id);
    expect((await inbox(service, stays)).length).toBe(1);
    expect((await inbox(service, leaves)).length + (await inbox(service, blocked)).length).toBe(0);
  });

  it('accounts for each of 50,000 invalid, duplicate and unknown entries', async () => {
    const emails = Array.from({ length: 8 }, () => someone());
    await subscribe(api(), emails);
    const strange = ['', ' ', '@', 'a@', '@b.example', 'a b@c.example', '<script>@x', 'é@x', 'x'.repeat(400), '{{to}}'];
    const lines = [
      ...emails,
      ...Array.from({ length: 19_992 }, (_, index) => `${strange[index % strange.length]}${index % 3000}`),
      ...Array.from({ length: 15_000 }, (_, index) => `Stranger${index % 5000}@Example.net`),
      ...Array.from({ length: 15_000 }, (_, index) => ` ${emails[index % 8]?.toUpperCase()} `),
    ];
    const to = lines
      .map((line, index) => [line, index * 7919])
      .sort(([, a], [, b]) => (Number(a) % 9973) - (Number(b) % 9973));
    const id = await draft(api());
    const body = { to: to.map(([line]) => line) };
    const dry = await send(api(), id, { ...body, dry_run: true });
    expect(dry.body).toMatchObject({ would_send: true, recipients: 8 });
    const { status, body: sent } = await send(api(), id, body);
    expect([status, sent.queued]).toEqual([202, 8]);
    const { requested, duplicates, retained, excluded, reasons } = sent.audience;
    expect(sent.audience).toEqual(dry.body.audience);
    expect([requested, retained]).toEqual([50_000, 8]);
    expect(duplicates + retained + excluded).toBe(50_000);
    expect(Object.values<number>(reasons).reduce((sum, count) => sum + count, 0)).toBe(excluded);
    expect(reasons.not_in_list).toBe(5000);
    expect((await untilSent(api(), id)).progress).toMatchObject({ queued: 8, sent: 8 });
    expect((await send(api(), await draft(api()), { to: [...body.to, 'one@more.example'] })).status).toBe(422);
  });

  it('refuses anything but a list, and null, which may be a list that was lost', async () => {
    await subscribe(api(), [someone(), someone()]);
    const id = await draft(api());
    for (const to of [null, '', 'a@example.net', {}, 0, false, [null], [['a@example.net']]]) {
      for (const dry_run of [true, false]) expect((await send(api(), id, { to, dry_run })).status).toBe(422);
    }
    expect((await send(api(), id, { dry_run: null })).status).toBe(422);
    expect((await show(api(), id)).status).toBe('draft');
  });

  it('reaches nobody outside the segment', async () => {
    const [inSegment, outside] = [someone('in'), someone('out')];
    await subscribe(api(), [{ email: inSegment, tags: ['vip'] }, outside]);
    const segment = await (await operator(service, workspace)).segment({ tag: 'vip' });
    const id = await draft(api(), { segment_id: segment.id });
    expect(
      (await send(api(), id, { to: [inSegment, outside], dry_run: true })).body.audience.reasons.outside_segment,
    ).toBe(1);
    expect((await send(api(), id)).body.queued).toBe(1);
    await untilSent(api(), id);
    expect((await inbox(service, inSegment)).length).toBe(1);
    expect((await inbox(service, outside)).length).toBe(0);
  });
});

describe('what a send refuses', () => {
  /** The reason of a refusal and its texts in both languages, equal for a dry run and a send. */
  async function refusedFor(id: string, body: object = {}) {
    const words: string[] = [];
    let details: Record<string, unknown> = {};
    for (const language of ['en', 'fr']) {
      const headers = { 'Accept-Language': language };
      const dry = await send(api(), id, { ...body, dry_run: true }, headers);
      const real = await send(api(), id, body, headers);
      expect([dry.status, real.status]).toEqual([200, 422]);
      expect(dry.body.would_send).toBe(false);
      expect(dry.body.blocked_reason).toBe(real.body.error.message);
      words.push(real.body.error.message);
      const { issues, ...reasons } = real.body.error.details;
      expect(issues).toEqual([{ path: '', message: real.body.error.message }]);
      details = reasons;
    }
    expect(words[0]).not.toBe(words[1]);
    expect((await show(api(), id)).status).toBe('draft');
    return details;
  }

  it('an empty list, an empty to, and a to that reaches nobody', async () => {
    const id = await draft(api());
    expect(await refusedFor(id)).toEqual({ reason: 'empty_audience' });
    expect(await refusedFor(id, { to: [] })).toEqual({ reason: 'empty_to' });
    expect(await refusedFor(id, { to: ['stranger@example.net'] })).toEqual({ reason: 'empty_audience' });
  });

  it('a to on a campaign with an A/B test', async () => {
    const email = someone();
    await subscribe(api(), [email, someone(), someone()]);
    const ab_test = { variants: [{}, { subject: 'B' }], test_share: 0.5, decide_by: 'opens', wait_hours: 1 };
    const id = await draft(api(), { ab_test });
    expect(await refusedFor(id, { to: [email] })).toEqual({ reason: 'to_with_ab_test' });
  });

  it('more people than the monthly quota allows, with its figures', async () => {
    await subscribe(api(), [someone(), someone()]);
    await (await inside()).use(workspace.workspaceId, 2999);
    const id = await draft(api());
    const figures = { limit: 3000, used: 2999, requested: 2, resets_at: expect.any(String) };
    expect(await refusedFor(id)).toEqual({ reason: 'quota_exceeded', ...figures });
  });

  it('a suspended workspace, with its rates', async () => {
    await subscribe(api(), [someone()]);
    const id = await draft(api());
    const since = new Date();
    await (await inside()).suspend(workspace.workspaceId, {
      since: since.toISOString(),
      bounceRate: 0.2,
      complaintRate: 0,
    });
    const rates = { bounce_rate: 0.2, complaint_rate: 0, since: since.toISOString() };
    expect(await refusedFor(id)).toEqual({ reason: 'reputation_blocked', ...rates });
  });

  it.each(['dryRun', 'dry-run', 'DRY_RUN', 'test', 'simulate', 'preview'])('%s, which means dry_run', async (name) => {
    const { status, body } = await send(api(), await draft(api()), { [name]: true });
    expect(status).toBe(422);
    expect(body.error.details.issues).toEqual([{ path: name, message: expect.stringContaining('`dry_run`') }]);
  });

  it.each(['To', 'TO', 'recipients', 'emails', 'to_emails', 'destinataires', 'adresses', 'audience'])(
    '%s, which means to',
    async (name) => {
      const { status, body } = await send(api(), await draft(api()), { [name]: ['a@example.net'], dry_run: true });
      expect(status).toBe(422);
      expect(body.error.details.issues).toEqual([{ path: name, message: expect.stringContaining('`to`') }]);
    },
  );

  it('ignores other unknown fields', async () => {
    const { status, body } = await send(api(), await draft(api()), { colour: 'red', dry_run: true });
    expect([status, body.blocked_reason]).toEqual([200, expect.any(String)]);
  });

  it('a campaign that is being sent or was sent, with 409; a dry run has the same text', async () => {
    await subscribe(api(), [someone()]);
    await setFaults(service, { latency_ms: 1500 });
    const id = await draft(api());
    await send(api(), id);
    for (const expected of ['sending', 'sent']) {
      const again = await send(api(), id);
      expect([again.status, again.body.error.code, again.body.error.details]).toEqual([
        409,
        'conflict',
        { status: expected },
      ]);
      const dry = await send(api(), id, { dry_run: true });
      expect(dry.body).toMatchObject({ would_send: false, recipients: null, blocked_reason: again.body.error.message });
      await untilSent(api(), id);
    }
  });
});

describe('sends at the same time', () => {
  it('of one draft: one succeeds, the others get a conflict, and nobody gets it twice', async () => {
    const emails = Array.from({ length: 60 }, () => someone());
    await subscribe(api(), emails);
    const id = await draft(api());
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(api(), id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409]);
    await untilSent(api(), id);
    const counts = await Promise.all(emails.map(async (email) => (await inbox(service, email)).length));
    expect(counts).toEqual(emails.map(() => 1));
    expect(await left()).toBe(2940);
  });

  it('for the last of the quota: one succeeds', async () => {
    const emails = Array.from({ length: 10 }, () => someone());
    await subscribe(api(), emails);
    await (await inside()).use(workspace.workspaceId, 2985);
    const ids = [await draft(api()), await draft(api())];
    const answers = await Promise.all(ids.map((id) => send(api(), id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 422]);
    expect(await left()).toBe(5);
    const won = ids[answers.findIndex(({ status }) => status === 202)] ?? '';
    await untilSent(api(), won);
    expect(await left()).toBe(5);
  });
});
