import { createHash, randomUUID } from 'node:crypto';
import { operatorContext } from '../../shared/services/context.ts';
import { scan } from '../audit.ts';
import { draft, send as sendCampaign, subscribe, untilSent } from '../campaigns/campaign.ts';
import { call, eventually } from '../client.ts';
import { inbox, received } from '../inbox.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  Object.assign(process.env, service.environment, { PUBLIC_URL: service.baseUrl });
  const [showLink, erase, set, remove, sendPersonData, windows] = await Promise.all([
    import('../../../shared/services/preferences/preferences.ts'),
    import('../../../shared/services/rights/erasePerson.ts'),
    import('../../../shared/services/topics.ts'),
    import('../../../shared/services/topics.ts'),
    import('../../../shared/services/rights/sendPersonData.ts'),
    import('../../../shared/store/signUpWindows.ts'),
  ]);
  const { createLink } = await import('../../../shared/services/links.ts');
  return { ...showLink, ...erase, ...set, ...remove, ...sendPersonData, ...windows, createLink };
}

beforeAll(async () => {
  service = await sharedService();
  workspace = await newWorkspace(service);
  modules = await load();
});
afterAll(() => service.stop());

const someone = () => `p${randomUUID().slice(0, 12)}@example.net`;
const post = (path: string, body: unknown) =>
  call({ ...service, apiKey: workspace.apiKey }, 'POST', `/api/v1/${path}`, { body });
const letter = (to: unknown, over: object = {}) => ({
  ...{ from: `hello@${workspace.domain}`, to, subject: 'S', unsubscribe: true },
  ...{ html: '<p>Hi. <a href="{{unsubscribe_url}}">Leave</a>, <a href="https://example.com/">read</a></p>' },
  ...{ text: 'Leave: {{ unsubscribe_url }}' },
  ...over,
});
const operator = () => operatorContext(workspace.workspaceId);

/** The link in the headers of the latest message in a mailbox. */
async function linkOf(email: string): Promise<string> {
  const { raw } = await received(service, email);
  const [, link = ''] = /^List-Unsubscribe: <([^>]+)>\r$/m.exec(raw.toString().replaceAll(/\r\n[ \t]+/g, ' ')) ?? [];
  return link;
}

const press = (link: string, language = 'en') =>
  fetch(link, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Accept-Language': language },
    body: 'List-Unsubscribe=One-Click',
  });

describe('unsubscribe: true', () => {
  it('puts the recipient’s own link, untracked and always the same, into headers and bodies', async () => {
    const email = someone();
    const sent = await post('emails', letter(`Ada <${email.toUpperCase()}>`));
    expect(sent.status).toBe(202);
    const { mail, raw } = await received(service, email.toUpperCase());
    const link = await linkOf(email.toUpperCase());
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/unsubscribe\/[\w-]{22}\.ws_\w{26}$/);
    expect(raw.toString()).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(mail.text).toContain(`Leave: ${link}`);
    expect(mail.html).toContain(`href="${link}"`);
    expect(mail.html).not.toContain('href="https://example.com/"');
    expect(await modules.showUnsubscribeLink(operator(), { email })).toBe(link);
    expect(sent.body).not.toHaveProperty('unsubscribe_url');
  });

  it('unsubscribes at once, by POST only: opening the link changes nothing', async () => {
    const email = someone();
    await post('emails', letter(email, { html: undefined }));
    const link = await linkOf(email);
    const page = await (await fetch(link)).text();
    expect(page).toContain(email.split('@')[0]);
    expect((await post('emails', letter(email))).status).toBe(202);
    expect((await press(link)).status).toBe(200);
    expect((await press(link)).status).toBe(200);
    expect(await post('emails', letter(email))).toMatchObject({
      status: 422,
      body: { error: { code: 'suppressed_recipient', details: { recipients: [{ email, reason: 'unsubscribe' }] } } },
    });
    const [start, rest] = link.split(/(?<=unsubscribe\/)/) as [string, string];
    for (const wrong of [
      `${start}${rest.startsWith('A') ? 'B' : 'A'}${rest.slice(1)}`,
      `${link}x`,
      `${start}.${workspace.workspaceId}`,
    ])
      expect((await press(wrong)).status).toBe(400);
  });

  it.each<[string, object, string[]]>([
    ['two recipients', { to: ['a@example.net', 'b@example.net'] }, ['needs a single recipient']],
    ['a copy', { cc: 'b@example.net' }, ['needs a single recipient']],
    [
      'a blind copy and a link of the caller',
      { bcc: ['b@example.net'], unsubscribe_url: 'https://example.com/u' },
      ['needs a single recipient', 'cannot be used with "unsubscribe_url"'],
    ],
  ])('is 422 with %s', async (_name, over, told) => {
    const answer = await post('emails', letter('a@example.net', over));
    expect(answer.status).toBe(422);
    expect(answer.body.error.details.issues).toEqual(
      told.map((message) => ({ path: 'unsubscribe', message: expect.stringContaining(message) })),
    );
  });

  it('works for each email of a batch, and stores nothing about refused recipients', async () => {
    const [one, other, refused] = [someone(), someone(), someone()];
    await post('suppression', { email: refused });
    expect((await post('emails', letter(refused))).status).toBe(422);
    const batch = await post('emails/batch', [letter(one), letter(other), letter(someone(), { unsubscribe: false })]);
    expect(batch.status).toBe(202);
    expect(new Set([await linkOf(one), await linkOf(other)]).size).toBe(2);
    expect(await linkOf(one)).toBe(await modules.showUnsubscribeLink(operator(), { email: one }));
    const links = (await scan(service)).filter(({ sk }) => sk === 'LEAVE').map((item) => JSON.stringify(item));
    expect(links.some((item) => item.includes(one))).toBe(true);
    expect(links.some((item) => item.includes(refused))).toBe(false);
  });

  it('works for a scheduled email, whose recipient can refuse tracking before it is sent', async () => {
    const email = someone();
    const link = await modules.showUnsubscribeLink(operator(), { email });
    await choose(link, [['untracked', 'on']]);
    const scheduled_at = new Date(Date.now() + 2000).toISOString();
    expect((await post('emails', letter(email, { scheduled_at }))).status).toBe(202);
    const { mail } = await received(service, email);
    expect(await linkOf(email)).toBe(link);
    expect([isTracked(mail.html), mail.text?.trim()]).toEqual([false, `Leave: ${link}`]);
  });

  it('creates one link in concurrent requests', async () => {
    const email = someone();
    await Promise.all(Array.from({ length: 5 }, () => post('emails', letter(email))));
    const known = await Promise.all([1, 2, 3].map(() => modules.showUnsubscribeLink(operator(), { email })));
    expect(new Set([...known, await linkOf(email)]).size).toBe(1);
  });

  it('of an erased person leads to a page that says so, and stores nothing again', async () => {
    const email = someone();
    await post('emails', letter(email));
    const link = await linkOf(email);
    await modules.erasePerson(operator(), { email });
    const answer = await press(link);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('Nothing about you is stored');
    const items = (await scan(service)).map((item) => JSON.stringify(item));
    expect(items.filter((item) => item.includes(email))).toEqual([]);
    expect(items.filter((item) => item.includes('erased-') && item.includes('#ADDRESS#'))).toEqual([]);
  });
});

/** Posts the form as a browser does: a hidden field for each shown kind, and the ticked boxes. */
async function choose(link: string, fields: readonly (readonly [string, string])[]): Promise<Response> {
  const body = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value]));
  return fetch(link.replace('/unsubscribe/', '/preferences/'), { method: 'POST', body });
}

const place = () => ({ ...service, apiKey: workspace.apiKey });
const isTracked = (html: string | false | undefined) => String(html).includes('href="https://example.com/"') === false;

describe('the page of preferences', () => {
  it('of an erased person, opened by the link of a campaign, shows no address and stores no choice', async () => {
    const email = someone();
    await subscribe(place(), [email]);
    const link = await modules.createLink('unsubscribe', { workspaceId: workspace.workspaceId, email }, new Date());
    const url = link.replace('/unsubscribe/', '/preferences/');
    const [name = ''] = email.split('@');
    expect(await (await fetch(url)).text()).toContain(name);
    await modules.erasePerson(operator(), { email });
    expect(await (await fetch(url)).text()).not.toContain(name);
    const answer = await choose(link, [['untracked', 'on']]);
    expect(await answer.text()).toContain('Nothing about you is stored');
    const items = (await scan(service)).map((item) => JSON.stringify(item));
    expect(items.filter((item) => item.includes(email))).toEqual([]);
  });

  it('is linked from the unsubscribe page, shows only the address, and changes nothing when opened', async () => {
    const email = someone();
    await subscribe(place(), [{ email, firstName: 'Ada', lastName: 'Lovelace', fields: { city: 'London' } }]);
    const link = await modules.showUnsubscribeLink(operator(), { email });
    const offered = await (await fetch(link)).text();
    const url = link.replace('/unsubscribe/', '/preferences/');
    expect(offered).toContain(`href="${url}"`);
    const held = async () => (await scan(service)).filter((item) => JSON.stringify(item).includes(email));
    const before = new Set(await held());
    const page = await (await fetch(url, { headers: { 'Accept-Language': 'fr' } })).text();
    expect(page).toContain('Ce que vous recevez');
    expect(page).not.toMatch(/Lovelace|London/);
    expect(new Set(await held())).toEqual(before);
    expect((await fetch(`${url}x`)).status).toBe(400);
  });

  it('ends tracking for one person, in single mail and in campaigns', async () => {
    const [quiet, other] = [someone(), someone()];
    await subscribe(place(), [quiet, other]);
    const link = await modules.showUnsubscribeLink(operator(), { email: quiet });
    expect((await choose(link, [['untracked', 'on']])).status).toBe(200);
    for (const to of [quiet, other]) await post('emails', letter(to, { unsubscribe: false }));
    expect(isTracked((await received(service, quiet)).mail.html)).toBe(false);
    expect(isTracked((await received(service, other)).mail.html)).toBe(true);
    await post('emails/batch', [letter([quiet, other], { unsubscribe: false, subject: 'Both' })]);
    expect((await received(service, other)).message.subject).toBe('Both');
    expect(isTracked((await received(service, other)).mail.html)).toBe(false);

    const id = await draft(place(), { text: 'See [this](https://example.com/).' });
    await sendCampaign(place(), id);
    await untilSent(place(), id);
    const { body } = await call(place(), 'GET', `/api/v1/campaigns/${id}`);
    expect(body.progress).toMatchObject({ waiting: 0, failed: 0, skipped: 0, sent: body.progress.queued });
    expect(isTracked((await received(service, quiet)).mail.html)).toBe(false);
    expect(isTracked((await received(service, other)).mail.html)).toBe(true);

    await choose(link, []);
    await post('emails', letter(quiet, { unsubscribe: false }));
    expect(isTracked((await received(service, quiet)).mail.html)).toBe(true);
  });

  it('lets a person leave a kind of mail and return to it; an email with its tag is refused as a whole', async () => {
    const tag = 'category:news';
    await modules.setTopic(operator(), { tag, name: 'News <of> the week' });
    const email = someone();
    const news = letter(email, { tags: [{ name: 'category', value: 'news' }] });
    expect((await post('emails', news)).status).toBe(202);
    const link = await linkOf(email);
    const page = await choose(link, [['kind', tag]]);
    expect(await page.text()).toContain('News &lt;of&gt; the week');
    const refused = { email, reason: 'unsubscribe', scope: 'organization', tag };
    expect(await post('emails', news)).toMatchObject({
      status: 422,
      body: { error: { code: 'suppressed_recipient', details: { recipients: [refused] } } },
    });
    expect((await post('emails/batch', [letter(email), news])).body.error).toMatchObject({
      code: 'suppressed_recipient',
      details: { issues: [{ path: '[1].to', message: `${email} has unsubscribed from this topic (${tag})` }] },
    });
    expect((await post('emails', letter(email))).status).toBe(202);
    await modules.deleteTopic(operator(), { id: tag });
    expect((await post('emails', news)).status).toBe(202);
    await modules.setTopic(operator(), { tag, name: 'News' });
    expect((await post('emails', news)).status).toBe(422);
    await choose(link, [
      ['kind', tag],
      ['receive', tag],
    ]);
    expect((await post('emails', news)).status).toBe(202);
    // Only offered kinds can be left.
    await choose(link, [['kind', 'category:receipt']]);
    expect((await post('emails', letter(email, { tags: [{ name: 'category', value: 'receipt' }] }))).status).toBe(202);
  });

  it('skips people who left the kind of a campaign, as unsubscribed, with the topic', async () => {
    const tag = 'category:offers';
    const own = await newWorkspace(service);
    const at = { ...service, apiKey: own.apiKey };
    const refused = await call(at, 'POST', '/api/v1/campaigns', {
      body: { name: 'N', subject: 'S', text: 'T.', tag },
    });
    expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([422, 'tag']);
    await modules.setTopic(operatorContext(own.workspaceId), { tag, name: 'Offers' });
    const [left, stays] = [someone(), someone()];
    await subscribe(at, [left, stays]);
    const link = await modules.showUnsubscribeLink(operatorContext(own.workspaceId), { email: left });
    expect((await choose(link, [['kind', tag]])).status).toBe(200);
    const [ofKind, plain] = [await draft(at, { tag }), await draft(at)];
    const dry = await sendCampaign(at, ofKind, { dry_run: true, to: [left, stays] });
    const reasons = {
      invalid: 0,
      not_in_list: 0,
      pending: 0,
      unsubscribed: 1,
      bounced: 0,
      complained: 0,
      suppressed: 0,
      outside_segment: 0,
    };
    const excluded = { email: left, reason: 'unsubscribed', topic_id: dry.body.target.topic.id, tag };
    expect(dry.body).toMatchObject({ recipients: 1, audience: { excluded: 1, excluded_addresses: [excluded] } });
    expect(dry.body.audience.reasons).toEqual(reasons);
    expect((await sendCampaign(at, ofKind, { dry_run: true })).body.recipients).toBe(1);
    expect((await sendCampaign(at, plain, { dry_run: true })).body.recipients).toBe(2);
    expect((await sendCampaign(at, ofKind)).body.queued).toBe(1);
    await untilSent(at, ofKind);
    expect((await call(at, 'GET', `/api/v1/campaigns/${ofKind}`)).body.tag).toBe(tag);
    await modules.erasePerson(operatorContext(own.workspaceId), { email: left });
    expect((await scan(service)).filter((item) => JSON.stringify(item).includes(left))).toEqual([]);
  });

  it('mails the stored data to the person only, once a day, also after they left, and not after a bounce', async () => {
    const [email, gone, dead] = [someone(), someone(), someone()];
    await subscribe(
      place(),
      [email, gone, dead].map((one) => ({ email: one, firstName: 'Ada', lastName: 'Lovelace' })),
    );
    const ask = async (one: string) => {
      const link = await modules.showUnsubscribeLink(operator(), { email: one });
      return choose(link, [['data', 'send']]);
    };
    await press(await modules.showUnsubscribeLink(operator(), { email: gone }));
    await post('suppression', { email: dead, reason: 'bounce' });
    const answers = await Promise.all([email, email, gone, dead].map(ask));
    const pages = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const page of pages) expect(page).not.toContain('Lovelace');
    for (const one of [email, gone]) {
      const { mail } = await received(service, one);
      expect(mail.headers.has('list-unsubscribe')).toBe(false);
      const [file] = mail.attachments;
      expect(JSON.parse(file?.content.toString() ?? '')).toMatchObject({
        ...{ object: 'person', email: one, subscriber: { firstName: 'Ada', lastName: 'Lovelace' } },
        suppression: one === gone ? { reason: 'unsubscribe' } : null,
      });
    }
    await ask(email);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect([(await inbox(service, email)).length, (await inbox(service, dead)).length]).toEqual([1, 0]);
  });

  it('mails the stored data on a second request when the first was lost', async () => {
    const email = someone();
    await subscribe(place(), [email]);
    // As if the process of a page had crashed before it queued the message.
    const subject = `${workspace.workspaceId}#DATA#${createHash('sha256').update(email).digest('base64url')}`;
    await modules.countSignUp(subject, 86_400, new Date());
    const link = await modules.showUnsubscribeLink(operator(), { email });
    for (const _ of [1, 2, 3]) expect((await choose(link, [['data', 'send']])).status).toBe(200);
    await received(service, email);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await inbox(service, email)).toHaveLength(1);
  });

  it('mails the stored data once for repeated and concurrent messages', async () => {
    const email = someone();
    await subscribe(place(), [email]);
    const { workspaceId } = workspace;
    const asked = { kind: 'data', workspaceId, email, askedAt: '2026-11-22T00:00:00.000Z' } as const;
    const both = await Promise.allSettled([
      modules.sendPersonData(asked, new Date()),
      modules.sendPersonData(asked, new Date()),
    ]);
    expect(both.map(({ status }) => status)).toContain('fulfilled');
    await received(service, email);
    await eventually(() =>
      modules.sendPersonData(asked, new Date()).then(
        () => true,
        () => false,
      ),
    );
    expect(await inbox(service, email)).toHaveLength(1);
    await modules.sendPersonData({ ...asked, askedAt: '2026-11-23T00:00:00.000Z' }, new Date());
    expect(await inbox(service, email)).toHaveLength(2);
  });

  it('keeps the choices when the person changes, and deletes them with an erasure', async () => {
    const email = someone();
    const link = await modules.showUnsubscribeLink(operator(), { email });
    await choose(link, [['untracked', 'on']]);
    await post('subscribers', { email, double_opt_in: false });
    const kept = () => scan(service).then((items) => items.filter(({ preferences }) => preferences !== undefined));
    expect((await kept()).filter((item) => item.email === email)).toHaveLength(1);
    await modules.erasePerson(operator(), { email });
    expect((await kept()).filter((item) => item.email === email)).toEqual([]);
    expect(await (await choose(link, [['untracked', 'on']])).text()).toContain('Nothing about you is stored');
    expect((await scan(service)).filter((item) => JSON.stringify(item).includes(email))).toEqual([]);
  });
});

describe('preferences by REST', () => {
  const path = (email: string) => `/api/v1/subscribers/${email}/preferences`;
  const read = (email: string) => call(place(), 'GET', path(email));
  const patch = (email: string, body: unknown) => call(place(), 'PATCH', path(email), { body });
  const proof = { at: '2026-11-20T18:05:00+01:00', source: 'https://shop.example/account', text: 'Measure my opens.' };
  const isOpenTracked = (html: string | false | undefined) => String(html).includes('<img');
  const issuesOf = (answer: Awaited<ReturnType<typeof patch>>) => [
    answer.status,
    answer.body.error.details.issues?.map(({ path }: { path: string }) => path),
  ];
  const stored = async (email: string) =>
    (await scan(service)).find((item) => item.email === email && item.sk === 'ADDRESS')?.preferences;

  it('show what a person said, refuse for them at any time, and never give back', async () => {
    const email = someone();
    await subscribe(place(), [email]);
    const record = { object: 'preferences', email, status: 'subscribed' };
    const unknown = { opens: 'unknown', clicks: 'unknown' };
    expect((await read(email.toUpperCase())).body).toEqual({ ...record, tracking: unknown, topics: expect.any(Array) });
    // Nothing is written for a change that changes nothing.
    expect((await patch(email, {})).status).toBe(200);
    expect(await stored(email)).toBeUndefined();
    const denied = await patch(email, { tracking: { opens: 'denied' } });
    expect([denied.status, denied.body.tracking]).toEqual([200, { opens: 'denied', clicks: 'unknown' }]);
    expect((await patch(email, { tracking: { opens: 'denied' } })).status).toBe(200);
    // 1.0.0 knows one flag: it would track neither.
    expect(await stored(email)).toMatchObject({ untracked: true, opens: 'denied' });
    const back = await patch(email, { tracking: { opens: 'granted', clicks: 'granted', proof } });
    expect([back.status, back.body.error.code]).toEqual([409, 'conflict']);
    expect((await read(email)).body.tracking).toEqual({ opens: 'denied', clicks: 'unknown' });
    const link = await modules.showUnsubscribeLink(operator(), { email });
    const page = await (await fetch(link.replace('/unsubscribe/', '/preferences/'))).text();
    expect(page).toMatch(/value="opens" checked/);
    expect(page).not.toMatch(/value="clicks" checked/);
    await choose(link, [['untracked', 'clicks']]);
    expect((await read(email)).body.tracking).toEqual({ opens: 'unknown', clicks: 'denied' });
    // A refusal that was taken back is no consent, and can become one with a proof.
    expect((await patch(email, { tracking: { opens: 'granted', proof } })).body.tracking).toEqual({
      opens: 'granted',
      clicks: 'denied',
    });
    await choose(link, [['untracked', 'clicks']]);
    expect((await read(email)).body.tracking.opens).toBe('granted');
    expect((await patch(email, { tracking: { opens: 'denied' } })).body.tracking.opens).toBe('denied');
    expect((await patch(email, { tracking: { opens: 'granted', proof } })).status).toBe(409);
  });

  it('keep the proof of a consent, export it and erase it', async () => {
    const email = someone();
    await subscribe(place(), [email]);
    const words = { ...proof, text: 'Measure whether I read this.' };
    expect((await patch(email, { tracking: { opens: 'granted', clicks: 'denied', proof: words } })).status).toBe(200);
    // The state is reached already: the first proof stays the only one.
    expect((await patch(email, { tracking: { opens: 'granted', proof: { ...words, text: 'B' } } })).status).toBe(200);
    const { exportPerson } = await import('../../../shared/services/rights/exportPerson.ts');
    let text = '';
    for await (const piece of exportPerson(operator(), { email })) text += piece.text;
    expect(JSON.parse(text).preferences).toEqual({
      untracked: false,
      tracking: { opens: 'granted', clicks: 'denied' },
      tracking_proofs: [
        { of: ['opens'], ...words, by: expect.stringMatching(/^key_/), recorded_at: expect.any(String) },
      ],
      left_kinds: [],
    });
    await modules.erasePerson(operator(), { email });
    expect((await scan(service)).filter((item) => JSON.stringify(item).includes(words.text))).toEqual([]);
    expect((await read(email)).status).toBe(404);
    expect((await patch(email, { tracking: { opens: 'denied' } })).status).toBe(404);
  });

  it('let a person leave a topic, and only the page return them to it', async () => {
    const email = someone();
    await subscribe(place(), [email]);
    const topic = await call(place(), 'POST', '/api/v1/topics', { body: { name: `Letters ${randomUUID()}` } });
    const { id, tag, name } = topic.body;
    const of = (answer: Awaited<ReturnType<typeof patch>>) =>
      answer.body.topics.find((one: { id: string }) => one.id === id);
    const leave = { topics: [{ id, subscription: 'opt_out' }] };
    const stay = { topics: [{ id, subscription: 'opt_in' }] };
    expect(of(await patch(email, stay))).toEqual({ id, name, subscription: 'opt_in' });
    for (const _ of [1, 2]) expect(of(await patch(email, leave)).subscription).toBe('opt_out');
    const [tagName, value] = tag.split(':');
    const refused = await post('emails', letter(email, { tags: [{ name: tagName, value }] }));
    expect(refused.body.error.code).toBe('suppressed_recipient');
    // All or nothing: the refusal of tracking beside it is not stored.
    expect((await patch(email, { ...stay, tracking: { opens: 'denied' } })).status).toBe(409);
    expect((await read(email)).body.tracking.opens).toBe('unknown');
    const link = await modules.showUnsubscribeLink(operator(), { email });
    await choose(link, [
      ['kind', tag],
      ['receive', tag],
    ]);
    expect(of(await patch(email, stay)).subscription).toBe('opt_in');
    const other = await newWorkspace(service);
    const foreign = await call({ ...service, apiKey: other.apiKey }, 'POST', '/api/v1/topics', { body: { name } });
    const foreignId = foreign.body.id;
    expect(issuesOf(await patch(email, { topics: [{ id: foreignId, subscription: 'opt_out' }] }))).toEqual([
      422,
      ['topics[0].id'],
    ]);
  });

  it.each<[string, object, string[]]>([
    ['granted without a proof', { tracking: { opens: 'granted' } }, ['tracking.proof']],
    ['a proof alone', { tracking: { opens: 'denied', proof } }, ['tracking.proof']],
    ['unknown', { tracking: { clicks: 'unknown' } }, ['tracking.clicks']],
    [
      'a consent in the future, without an offset, or without words',
      { tracking: { opens: 'granted', proof: { at: '2026-11-20T18:05:00', source: '', text: '' } } },
      ['tracking.proof.at', 'tracking.proof.source', 'tracking.proof.text'],
    ],
    [
      'a future consent',
      { tracking: { opens: 'granted', proof: { ...proof, at: '2999-01-01T00:00:00Z' } } },
      ['tracking.proof.at'],
    ],
    ['another name', { trackin: { opens: 'denied' } }, ['trackin']],
    ['another name inside', { tracking: { open: 'denied' } }, ['tracking.open']],
    ['a status', { status: 'subscribed' }, ['status']],
    ['a topic twice', { topics: [1, 2].map(() => ({ id: 'top_1', subscription: 'opt_out' })) }, ['topics[1].id']],
  ])('refuse %s', async (_name, body, paths) => {
    const email = someone();
    await subscribe(place(), [email]);
    expect(issuesOf(await patch(email, body))).toEqual([422, paths]);
    expect(await stored(email)).toBeUndefined();
  });

  it('end the tracking of opens or clicks alone, in single mail and in campaigns, with several refusals at once', async () => {
    const own = await newWorkspace(service);
    const at = { ...service, apiKey: own.apiKey };
    const [opens, clicks, both, neither] = [someone(), someone(), someone(), someone()];
    const all = [opens, clicks, both, neither];
    await subscribe(at, all);
    const choices: readonly [string, object][] = [
      [opens, { opens: 'denied' }],
      [clicks, { clicks: 'denied' }],
      [both, { opens: 'denied', clicks: 'denied' }],
    ];
    for (const [email, tracking] of choices) {
      expect((await call(at, 'PATCH', path(email), { body: { tracking } })).status).toBe(200);
    }
    const trackedFor = async (email: string) => {
      const { html } = (await received(service, email)).mail;
      return [isOpenTracked(html), isTracked(html)];
    };
    const expected = [
      [false, true],
      [true, false],
      [false, false],
      [true, true],
    ];
    const send = (to: unknown) =>
      call(at, 'POST', '/api/v1/emails', {
        body: {
          ...letter(to, { unsubscribe: false }),
          from: `hello@${own.domain}`,
          track: { opens: true, clicks: true },
        },
      });
    for (const to of all) expect((await send(to)).status).toBe(202);
    expect(await Promise.all(all.map(trackedFor))).toEqual(expected);
    const id = await draft(at, { text: 'See [this](https://example.com/).', track: { opens: true, clicks: true } });
    await sendCampaign(at, id);
    await untilSent(at, id);
    const { body } = await call(at, 'GET', `/api/v1/campaigns/${id}`);
    expect(body.progress).toMatchObject({ waiting: 0, failed: 0, skipped: 0, sent: 4 });
    expect(await Promise.all(all.map(trackedFor))).toEqual(expected);
    // One message to several people cannot be tracked for some of them.
    await send([opens, neither]);
    expect(await trackedFor(neither)).toEqual([false, true]);
  });
});
