import { createHash, randomUUID } from 'node:crypto';
import { signUpsPerSource } from '../../shared/services/confirmations/signUp.ts';
import { type Answer, call, eventually } from '../acceptance/client.ts';
import { newWorkspace } from '../acceptance/workspace.ts';
import { operatorContext } from '../shared/services/context.ts';
import { PageDocument } from './documents.ts';
import { messagesTo, postForm, startWorld, type World, worldOf } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.service.stop());

const address = () => `person-${randomUUID()}@people.example`;

const api = (method: string, path: string, body?: unknown): Promise<Answer> =>
  call({ ...world.service, apiKey: world.workspace.apiKey }, method, path, { body });

const statusOf = async (email: string): Promise<string> =>
  (await api('GET', `/api/v1/subscribers/${email}`)).body.status;

async function pending(): Promise<string> {
  const email = address();
  expect((await api('POST', '/api/v1/subscribers', { email })).status).toBe(201);
  return email;
}

async function subscribed(): Promise<string> {
  const email = address();
  expect((await api('POST', '/api/v1/subscribers', { email, double_opt_in: false })).status).toBe(201);
  return email;
}

async function open(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { redirect: 'manual', ...init });
  return { response, page: new PageDocument(await response.text()) };
}

const post = (url: string, fields: Record<string, string> = {}) =>
  open(url, { method: 'POST', body: new URLSearchParams(fields) });

/** Signs up by the form, as a browser does. */
async function join(formUrl: string, fields: Record<string, string>) {
  const response = await postForm(formUrl, fields);
  return { response, page: new PageDocument(await response.text()) };
}

/** Does it again when the hour, and with it the allowance of a source, has turned in the meantime. */
async function withinOneHour<Result>(action: () => Promise<Result>): Promise<Result> {
  const hour = () => Math.floor(Date.now() / (signUpsPerSource.windowSeconds * 1000));
  const before = hour();
  const result = await action();
  return hour() === before ? result : action();
}

/** What mail scanners, link previews and prefetchers do with a link, in whatever form. */
async function scan(url: string): Promise<void> {
  for (const init of [
    {},
    { method: 'HEAD' },
    { headers: { Purpose: 'prefetch' } },
    { headers: { Range: 'bytes=0-9' } },
  ]) {
    expect((await fetch(url, init)).status).toBe(200);
  }
  expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(405);
  expect((await fetch(`${url}?confirm=yes&List-Unsubscribe=One-Click`)).status).toBe(200);
}

describe('the form of a workspace with settings', () => {
  /** A workspace of its own, and the operator in it. */
  async function shop() {
    const { formUrl, workspace } = await worldOf(world.service, await newWorkspace(world.service));
    const service = { ...world.service, apiKey: workspace.apiKey };
    /** Once the worker has stored them. */
    const subscriber = (email: string) =>
      eventually(async () => {
        const { status, body } = await call(service, 'GET', `/api/v1/subscribers/${email}`);
        return status === 200 ? body : null;
      });
    return { formUrl, context: operatorContext(workspace.workspaceId), subscriber };
  }
  let verbs: Awaited<ReturnType<typeof load>>;
  const load = async () => ({
    ...(await import('../../shared/services/signUpForm.ts')),
    ...(await import('../../shared/services/signUpForm.ts')),
    ...(await import('../../shared/services/signUpForm.ts')),
  });
  beforeAll(async () => {
    verbs = await load();
  });

  const allowed = 'https://www.example.com';
  const settings = {
    text: 'News of the shop, once a month.\n<b>Nothing else.</b>',
    privacyUrl: 'https://www.example.com/privacy?a=1&b=2',
    redirectUrl: 'https://www.example.com/thanks',
    language: 'fr' as const,
  };

  it('says the words of its own in its own language, and links to the privacy page', async () => {
    const own = await shop();
    await verbs.allowFormOrigin(own.context, { origin: allowed });
    await verbs.setForm(own.context, { changes: settings });
    const answer = await fetch(own.formUrl, { headers: { 'Accept-Language': 'en' } });
    const text = await answer.text();
    expect(answer.headers.get('content-language')).toBe('fr');
    expect(text).toContain('<html lang="fr"');
    expect(text).toContain('&lt;b&gt;Nothing else.&lt;/b&gt;');
    expect(text).toContain('href="https://www.example.com/privacy?a=1&amp;b=2" target="_blank" rel="noopener"');
    expect(answer.headers.get('content-security-policy')).toContain("form-action 'self' https://www.example.com;");
  });

  it('redirects after a sign-up to the page of an allowed origin, the same for everybody, and nowhere else', async () => {
    const own = await shop();
    const redirect = { changes: { redirectUrl: settings.redirectUrl } };
    await expect(verbs.setForm(own.context, redirect)).rejects.toMatchObject({ issues: [{ path: 'redirect' }] });
    await verbs.allowFormOrigin(own.context, { origin: allowed });
    await verbs.setForm(own.context, redirect);
    const join = (fields: Record<string, string>) => postForm(own.formUrl, fields);
    for (const fields of [{ email: address() }, { email: address(), website: 'robot' }] as Record<string, string>[]) {
      const answer = await join(fields);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, settings.redirectUrl]);
    }
    expect((await join({ email: 'nobody' })).status).toBe(422);
    await verbs.forbidFormOrigin(own.context, { origin: allowed });
    expect((await join({ email: address() })).status).toBe(200);
  });

  it('asks custom questions, and stores the answers of a new person as custom fields', async () => {
    const own = await shop();
    const fields = [
      { name: 'city', label: '<b>City</b>' },
      { name: 'size', label: 'Size', choices: ['S', 'M'] },
    ];
    await verbs.setForm(own.context, { changes: { fields } });
    const page = await (await fetch(own.formUrl)).text();
    expect(page).toContain('&lt;b&gt;City&lt;/b&gt; (optional)');
    const email = address();
    const answers = { email, 'field-city': ' Paris ', 'field-size': 'XXL', 'field-plan': 'gold' };
    const long = { ...answers, 'field-city': 'x'.repeat(201) };
    const refused = await postForm(own.formUrl, long);
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('id="field-city-problem"')]);
    await postForm(own.formUrl, answers);
    // What the form does not offer, and what it does not ask, is nobody's answer.
    expect((await own.subscriber(email)).fields).toEqual({ city: 'Paris' });
  });

  it('asks few questions, each with a name and a label of its own', async () => {
    const own = await shop();
    const wrong = [
      { name: 'a b', label: 'A' },
      { name: 'b', label: ' ' },
      { name: 'c', label: 'C', choices: ['x', 'x'] },
      { name: 'd', label: 'D' },
      { name: 'd', label: 'D' },
      { name: 'e', label: 'E' },
    ];
    await expect(verbs.setForm(own.context, { changes: { fields: wrong } })).rejects.toMatchObject({
      issues: ['fields[0]', 'fields[1]', 'fields[2]', 'fields[4]', 'fields'].map((path) => ({ path })),
    });
  });

  it('has the colour and the logo of the workspace, by a policy that lets in nothing else', async () => {
    const own = await shop();
    const { setBrand } = await import('../../shared/services/brand.ts');
    const set = (changes: object) => setBrand(own.context, { changes });
    await expect(set({ color: '#ffcc00', logo: Buffer.from('<svg/>') })).rejects.toMatchObject({
      issues: [
        {
          path: 'color',
          text: { en: expect.stringMatching(/contrast of 1\.5 with white.*nearest such colour is #\w{6}/) },
        },
        { path: 'logo' },
      ],
    });
    await set({ color: '#8A1C6B', logo: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') });
    const answer = await fetch(own.formUrl);
    const text = await answer.text();
    const styles = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => style);
    const hashes = styles.map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(styles[1]).toContain('--accent: #8a1c6b');
    expect(text).toContain('<img class="logo" src="data:image/png;base64,');
    expect(answer.headers.get('content-security-policy')).toContain(`style-src ${hashes.join(' ')}; img-src data:`);
    await set({ color: null, logo: null });
    expect(await (await fetch(own.formUrl)).text()).not.toContain('class="logo" src');
  });

  it.each([
    'javascript:alert(1)',
    'http://www.example.com/',
    'https://u:p@www.example.com/',
    'https://a.example/"onclick=',
  ])('leads nowhere such as %s', async (url) => {
    const own = await shop();
    const changes = { privacyUrl: url, redirectUrl: url };
    await expect(verbs.setForm(own.context, { changes })).rejects.toMatchObject({
      issues: [{ path: 'privacy' }, { path: 'redirect' }],
    });
  });
});

describe('GET and HEAD', () => {
  it('change nothing, however often a scanner sends them', async () => {
    const waiting = await pending();
    const reader = await subscribed();
    await scan(await world.confirmationLink(waiting));
    await scan(await world.link('unsubscribe', { email: reader }));
    expect([await statusOf(waiting), await statusOf(reader)]).toEqual(['pending', 'subscribed']);
  });

  it('give every page the headers that keep it to itself', async () => {
    const link = await world.link('unsubscribe', { email: address() });
    for (const url of [link, world.formUrl, `${world.service.baseUrl}/confirm/x.y`]) {
      const { headers } = (await open(url)).response;
      expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /);
      expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('X-Frame-Options')).toBe('DENY');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('Set-Cookie')).toBeNull();
    }
  });

  it('405 for what no page takes, with what it does', async () => {
    const { response } = await open(`${world.service.baseUrl}/confirm/x.y`, { method: 'DELETE' });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST']);
  });
});

describe('POST /confirm/{token}', () => {
  it('confirms once, and says so the second time', async () => {
    const email = await pending();
    const link = await world.confirmationLink(email);
    const first = await post(link);
    const second = await post(link);
    expect([first.response.status, first.page.heading]).toEqual([200, 'Your subscription is confirmed']);
    expect([second.response.status, second.page.heading]).toEqual([200, 'Already confirmed']);
    expect((await api('GET', `/api/v1/subscribers/${email}`)).body).toMatchObject({
      status: 'subscribed',
      confirmed_at: expect.any(String),
    });
  });

  it('has a page of its own for a link that is expired, tampered with, of nobody, replaced', async () => {
    const email = await pending();
    const subject = { email, confirmationId: 'another' };
    const genuine = await world.confirmationLink(email);
    const cases = {
      expired: await world.link('confirm', subject, new Date(Date.now() - 8 * 86_400_000)),
      tampered: `${genuine.slice(0, -1)}${genuine.endsWith('A') ? 'B' : 'A'}`,
      nobody: await world.link('confirm', { email: address(), confirmationId: 'x' }),
      replaced: await world.link('confirm', subject),
      unsubscribe: (await world.link('unsubscribe', { email })).replace('/unsubscribe/', '/confirm/'),
    };
    const answers = await Promise.all(
      Object.entries(cases).map(async ([name, url]) => {
        const { response, page } = await post(url);
        expect((await open(url)).page.heading).toBe(page.heading);
        return [name, response.status, page.heading];
      }),
    );
    expect(answers).toEqual([
      ['expired', 410, 'This link has expired'],
      ['tampered', 400, 'This link does not work'],
      ['nobody', 404, 'This sign-up no longer exists'],
      ['replaced', 409, 'This link is no longer valid'],
      ['unsubscribe', 400, 'This link does not work'],
    ]);
    expect(await statusOf(email)).toBe('pending');
  });

  it('confirms in the workspace of the link and in no other that knows the same person', async () => {
    const other = await worldOf(world.service, await newWorkspace(world.service));
    const email = await pending();
    await call({ ...world.service, apiKey: other.workspace.apiKey }, 'POST', '/api/v1/subscribers', {
      body: { email },
    });
    await post(await world.confirmationLink(email, 2));
    const statuses = await Promise.all(
      [world, other].map(async ({ workspace }) => {
        const key = { ...world.service, apiKey: workspace.apiKey };
        return (await call(key, 'GET', `/api/v1/subscribers/${email}`)).body.status;
      }),
    );
    expect(statuses.sort()).toEqual(['pending', 'subscribed']);
  });
});

/** The two encodings that RFC 8058 section 3.1 allows a mail client, and what clients send besides. */
const oneClickBodies: [string, () => RequestInit][] = [
  ['application/x-www-form-urlencoded', () => ({ body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })],
  [
    'multipart/form-data',
    () => {
      const body = new FormData();
      body.set('List-Unsubscribe', 'One-Click');
      return { body };
    },
  ],
  ['no body at all', () => ({})],
  ['text', () => ({ body: 'List-Unsubscribe=One-Click', headers: { 'Content-Type': 'text/plain' } })],
];

describe('POST /unsubscribe/{token}', () => {
  it.each(oneClickBodies)('unsubscribes at once by %s, without cookie, question or redirect', async (_name, init) => {
    const email = await subscribed();
    const url = await world.link('unsubscribe', { email });
    const { response, page } = await open(url, { method: 'POST', ...init() });
    expect([response.status, response.redirected, page.heading]).toEqual([200, false, 'You are unsubscribed']);
    expect(response.headers.get('Set-Cookie')).toBeNull();
    expect(await statusOf(email)).toBe('unsubscribed');
    const { body } = await api('GET', `/api/v1/suppression?email=${email}`);
    expect(body.data).toMatchObject([{ email, reason: 'unsubscribe', scope: 'organization' }]);
  });

  it('answers the same when it is done already, and offers the form as the way back', async () => {
    const url = await world.link('unsubscribe', { email: await subscribed() });
    await post(url);
    const { response, page } = await post(url);
    expect([response.status, page.heading]).toEqual([200, 'You are unsubscribed']);
    expect(page.attribute('a', 'href')).toEqual([world.formUrl]);
  });

  it('does nothing for a link that is tampered with or meant to confirm', async () => {
    const email = await subscribed();
    const url = await world.link('unsubscribe', { email });
    const bent = url.replace(/\/unsubscribe\/(.)/, (_all, first) => `/unsubscribe/${first === 'W' ? 'X' : 'W'}`);
    const foreign = (await world.link('confirm', { email, confirmationId: 'x' })).replace('/confirm/', '/unsubscribe/');
    for (const wrong of [bent, foreign, `${url}x`, `${url}.x`, `${world.service.baseUrl}/unsubscribe/%00`]) {
      const { response, page } = await post(wrong);
      expect([wrong, response.status, page.heading]).toEqual([wrong, 400, 'This link does not work']);
    }
    expect(await statusOf(email)).toBe('subscribed');
  });
});

describe('POST /join/{public_id}', () => {
  it('answers the same, byte for byte, for every address', async () => {
    const other = await worldOf(world.service, await newWorkspace(world.service));
    const key = { ...world.service, apiKey: other.workspace.apiKey };
    const people = [address(), address(), address(), address()] as const;
    const [known, gone, blocked, stranger] = people;
    await call(key, 'POST', '/api/v1/subscribers', { body: { email: known, double_opt_in: false } });
    await call(key, 'POST', '/api/v1/subscribers', { body: { email: gone, double_opt_in: false } });
    await call(key, 'DELETE', `/api/v1/subscribers/${gone}`);
    await call(key, 'POST', '/api/v1/suppression', { body: { email: blocked, reason: 'complaint' } });
    const answers = await Promise.all(
      people.map(async (email) => {
        const { response, page } = await join(other.formUrl, { email });
        const headers = [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
        return JSON.stringify([response.status, headers, page.source.replaceAll(email.split('@')[0] ?? '', 'person')]);
      }),
    );
    expect(new Set(answers).size).toBe(1);
    await other.confirmationLink(stranger);
    await other.confirmationLink(gone);
    expect(await messagesTo(world.service, known)).toEqual([]);
    expect(await messagesTo(world.service, blocked)).toEqual([]);
  });

  it('shows what is wrong, keeps what was entered and stores nothing', async () => {
    const { response, page } = await join(world.formUrl, { email: 'ada@', firstName: '"Ada" <b>', lastName: '' });
    expect(response.status).toBe(422);
    expect(page.attribute('input', 'value').slice(0, 3)).toEqual(['ada@', '"Ada" <b>', '']);
    expect(page.text('title')[0]).toMatch(/^Error/);
  });

  it('wants the token of the form, which is good for a day, for this form and in any frame', async () => {
    const { createFormToken } = await import('../../shared/services/confirmations/formToken.ts');
    const publicId = world.formUrl.split('/').at(-1) ?? '';
    const token = (hoursAgo: number, id = publicId) => createFormToken(id, new Date(Date.now() - hoursAgo * 3_600_000));
    const email = address();
    const send = async (form_token: string) => (await post(world.formUrl, { email, form_token })).response.status;
    const genuine = await token(1);
    const wrong = ['', 'x', `${genuine}x`, `${genuine}.x`, await token(25), await token(-1), await token(1, 'another')];
    for (const each of wrong) expect([each, await send(each)]).toEqual([each, 422]);
    expect((await api('GET', `/api/v1/subscribers/${email}`)).status).toBe(404);
    const { page } = await post(world.formUrl, { email });
    expect(page.text('p')[1]).toContain('send the form again');
    expect(page.attribute('input', 'value')[0]).toBe(email);
    expect(await send(await token(23))).toBe(200);
    expect(await send(page.attribute('input', 'value').at(-1) ?? '')).toBe(200);
  });

  it('thanks a robot that fills in the trap, and does nothing for it', async () => {
    const email = address();
    const caught = await join(world.formUrl, { email, website: 'https://spam.example' });
    const control = address();
    await join(world.formUrl, { email: control });
    expect([caught.response.status, caught.page.heading]).toEqual([200, 'Check your inbox']);
    await world.confirmationLink(control);
    expect(await messagesTo(world.service, email)).toEqual([]);
    expect((await api('GET', `/api/v1/subscribers/${email}`)).status).toBe(404);
  });

  it('stops a source that signs up too many, with a page that says when to come back', async () => {
    const { max } = signUpsPerSource;
    const answers = await withinOneHour(async () => {
      const { formUrl } = await worldOf(world.service, await newWorkspace(world.service));
      const given = [];
      for (let count = 0; count <= max; count += 1) given.push(await join(formUrl, { email: address() }));
      return given;
    });
    const statuses = answers.map(({ response }) => response.status);
    expect(statuses.slice(0, max)).toEqual(Array(max).fill(200));
    expect(statuses[max]).toBe(429);
    expect(Number(answers[max]?.response.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(answers[max]?.page.heading).toBe('Please wait');
  });

  it.each(['x', '%2e%2e%2f', '%00', '<script>', "a'b", 'x'.repeat(3000), '%F0%9F%92%A9'])(
    'answers 404 to the form %s',
    async (id) => {
      const { response, page } = await post(`${world.service.baseUrl}/join/${encodeURI(id)}`, { email: address() });
      expect(response.status).toBe(404);
      expect(page.all('script')).toEqual([]);
    },
  );
});

describe('a whole life', () => {
  it('form, mail, confirm, one-click, form again, confirm, back', async () => {
    const email = address();
    await join(world.formUrl, { email, firstName: 'Ada' });
    const first = await world.confirmationLink(email);
    expect(await statusOf(email)).toBe('pending');
    await post(first);
    expect(await statusOf(email)).toBe('subscribed');

    const leave = await world.link('unsubscribe', { email });
    await open(leave, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
    expect(await statusOf(email)).toBe('unsubscribed');
    expect((await post(first)).page.heading).toBe('This link is no longer valid');
    expect((await api('POST', '/api/v1/subscribers', { email })).status).toBe(409);

    await join(world.formUrl, { email });
    const second = await world.confirmationLink(email, 2);
    expect(await statusOf(email)).toBe('unsubscribed');
    expect((await post(second)).page.heading).toBe('Your subscription is confirmed');
    expect(await statusOf(email)).toBe('subscribed');
    expect((await api('GET', `/api/v1/suppression?email=${email}`)).body.data).toEqual([]);
  });
});
