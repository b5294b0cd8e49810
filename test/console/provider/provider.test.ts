import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import type { OperatorRole } from '../../../shared/domain/workspace/workspace.ts';
import { startService, type TestService } from '../../acceptance/service.ts';
import { mailroomJson } from '../../functions/cli/mailroom.ts';
import { operatorContext } from '../../shared/services/context.ts';
import { Browser } from './browser.ts';
import { clientId, startProvider, type TestProvider } from './oidcProvider.ts';

let provider: TestProvider;
let service: TestService;
let returning: string;
let place: string;

beforeAll(async () => {
  // The provider says that its defaults are not for production.
  for (const way of ['info', 'warn'] as const) jest.spyOn(console, way).mockImplementation(() => {});
  provider = await startProvider();
  service = await startService({ env: { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: clientId } });
  provider.serve(service.baseUrl);
  Object.assign(process.env, service.environment);
  verbs = await load();
  await giveUp('campaign', 3);
  returning = `${service.baseUrl}/console/session/return`;
  place = `/console/${service.workspaceId}`;
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});
beforeEach(() => Object.assign(provider, { tampered: null, signsAsStranger: false, comes: null }));

/** Puts messages where a queue's worker would have given them up; the overview may be a minute old, so this comes first. */
async function giveUp(queue: string, count: number): Promise<void> {
  const { SendMessageCommand, SQSClient } = await import('@aws-sdk/client-sqs');
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
  const QueueUrl = `${service.environment.QUEUE_URL_PREFIX}${queue}-dead`;
  for (let sent = 0; sent < count; sent += 1) await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
  sqs.destroy();
}

/** The operator's verbs, on the table of the service. */
const load = async () => ({
  ...(await import('../../../shared/services/operators/operators.ts')),
  ...(await import('../../../shared/services/operators/operators.ts')),
  ...(await import('../../../shared/services/operators/operators.ts')),
  ...(await import('../../../shared/services/operators/operators.ts')),
  ...(await import('../../../shared/services/operators/operators.ts')),
  ...(await import('../../../shared/services/operators/operators.ts')),
});
let verbs: Awaited<ReturnType<typeof load>>;

const invite = (email: string, role: OperatorRole, workspaceId: string | null = null) =>
  verbs.inviteOperator(operatorContext(), { email, role, workspaceId });
const audit = async (limit: number) => (await verbs.listAudit(operatorContext(), { workspaceId: null, limit })).entries;

let people = 0;

/** Somebody with an account at the provider, who was invited where a role is given. */
async function somebody(claims: Record<string, unknown> = {}, role: OperatorRole | null = 'owner') {
  people += 1;
  const email = `person${people}@acme.example`;
  const subject = `subject-${people}`;
  provider.accounts.set(subject, { email, email_verified: true, ...claims });
  if (role) await invite(email, role);
  return { email, subject };
}

/** Goes through the provider as somebody; where the browser would go with what the provider gave it. */
async function goneThrough(browser: Browser, subject: string | null, start = '/console/session/start') {
  provider.comes = subject;
  return browser.followTo(returning, `${service.baseUrl}${start}`);
}

async function signIn(subject: string, browser = new Browser()) {
  const answer = await browser.ask(await goneThrough(browser, subject));
  return { browser, answer };
}

const pageOf = (browser: Browser, path = place) => browser.ask(`${service.baseUrl}${path}`);

describe('an invited person', () => {
  it('signs in at the provider and comes to the page that they wanted', async () => {
    const { subject, email } = await somebody({}, 'editor');
    const browser = new Browser();
    const wanted = `${place}/people?status=subscribed`;
    const closed = await pageOf(browser, wanted);
    const link = /href="([^"]+session\/start[^"]+)"/.exec(closed.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const back = await browser.ask(await goneThrough(browser, subject, link));
    expect([closed.status, back.status, back.location]).toEqual([401, 303, `${service.baseUrl}${wanted}`]);
    expect((await pageOf(browser)).text).toContain(`<bdi>${email}</bdi>, editor`);
    const [entry] = await audit(1);
    expect(entry).toMatchObject({ action: 'operator.sign_in', by: email, role: 'editor', outcome: 'done' });
  });

  it('is asked for by code, with PKCE, a state and a nonce, and the browser keeps nothing that a script could read', async () => {
    const { status, location, headers } = await new Browser().ask(`${service.baseUrl}/console/session/start`);
    const asked = Object.fromEntries(new URL(location ?? '').searchParams);
    expect([status, headers.get('cache-control')]).toEqual([303, 'no-store']);
    expect(asked).toMatchObject({ response_type: 'code', code_challenge_method: 'S256', scope: 'openid email' });
    expect(asked.redirect_uri).toBe(returning);
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]?.length).toBeGreaterThanOrEqual(43);
    expect(headers.get('set-cookie')).toMatch(
      /^mailroom-sign-in-\d+=[\w.-]+; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax$/,
    );
  });

  it('is also found when the provider has their address only in its answer about the user', async () => {
    const { subject } = await somebody();
    provider.tampered = ({ email: _email, email_verified: _verified, ...claims }) => claims;
    expect((await signIn(subject)).answer.status).toBe(303);
  });

  it('is found by an address in other letters, and in the other spelling of its domain', async () => {
    provider.accounts.set('idn', { email: 'Ada@BÜCHER.example', email_verified: true });
    await invite('ada@xn--bcher-kva.example', 'viewer');
    expect((await signIn('idn')).answer.status).toBe(303);
  });

  it('stays who they are when their address changes, and nobody who is given it later is them', async () => {
    const { subject, email } = await somebody();
    await signIn(subject);
    provider.accounts.set(subject, { email: 'other@acme.example', email_verified: true });
    expect((await signIn(subject)).answer.status).toBe(303);
    provider.accounts.set('successor', { email, email_verified: true });
    const { answer, browser } = await signIn('successor');
    expect([answer.status, answer.text.includes('Another account has signed in')]).toEqual([403, true]);
    expect((await pageOf(browser)).status).toBe(401);
  });

  it('does not become another person by taking their address', async () => {
    const first = await somebody({}, 'viewer');
    const { email } = await somebody({}, 'owner');
    await signIn(first.subject);
    provider.accounts.set(first.subject, { email, email_verified: true });
    const { browser } = await signIn(first.subject);
    expect((await pageOf(browser)).text).toContain(`<bdi>${first.email}</bdi>, viewer`);
  });
});

describe('a refused person', () => {
  it.each<[string, Record<string, unknown>, OperatorRole | null, string]>([
    ['was invited by nobody', {}, null, 'The address that you signed in with was not invited'],
    ['has an address that is not verified', { email_verified: false }, 'owner', 'not verified'],
    ['has an address of which nothing is said', { email_verified: undefined }, 'owner', 'not verified'],
    ['has no address', { email: undefined }, 'owner', 'The address that you signed in with was not invited'],
  ])('%s: sees a calm page, and nothing else', async (_, claims, role, said) => {
    const { subject } = await somebody(claims, role);
    const { answer, browser } = await signIn(subject);
    expect([answer.status, answer.text.includes(said)]).toEqual([403, true]);
    expect((await pageOf(browser)).status).toBe(401);
    // Who tries again is asked who they are, and not taken for the same as before.
    const start = /href="([^"]+session\/start[^"]+)"/.exec(answer.text)?.[1]?.replaceAll('&amp;', '&');
    const again = await browser.ask(`${service.baseUrl}${start}`);
    expect(new URL(again.location ?? '').searchParams.get('prompt')).toBe('login');
  });

  it('gave up at the provider', async () => {
    const browser = new Browser();
    const answer = await browser.ask(await goneThrough(browser, null));
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(answer.text).toContain('The sign-in was cancelled');
  });

  it.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
    ['another nonce', (claims) => ({ ...claims, nonce: 'forged' })],
    ['no nonce', ({ nonce: _nonce, ...claims }) => claims],
    ['another issuer', (claims) => ({ ...claims, iss: 'http://127.0.0.1:1' })],
    ['another client', (claims) => ({ ...claims, aud: 'elsewhere' })],
    ['a time that is over', (claims) => ({ ...claims, exp: 1_700_000_000 })],
  ])('brings an ID token with %s', async (_, tampered) => {
    const { subject } = await somebody();
    provider.tampered = tampered;
    const { answer, browser } = await signIn(subject);
    const session = `mailroom-${new URL(service.baseUrl).port}=`;
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([400, expect.not.stringContaining(session)]);
    expect((await pageOf(browser)).status).toBe(401);
  });

  it('has an ID token with a wrong signature', async () => {
    const { subject } = await somebody();
    provider.signsAsStranger = true;
    expect((await signIn(subject)).answer.status).toBe(400);
  });

  it('brings a state that was not theirs, none, or a code of another browser', async () => {
    const { subject } = await somebody();
    const browser = new Browser();
    const back = new URL(await goneThrough(browser, subject));
    const forged = new URL(back);
    forged.searchParams.set('state', 'forged');
    expect((await browser.ask(forged.href)).status).toBe(400);
    // What was begun is over, whatever comes after.
    expect((await browser.ask(back.href)).status).toBe(400);
    // A victim is sent the attacker's code: their browser began nothing, or something else.
    const attacker = new Browser();
    const code = await goneThrough(attacker, subject);
    const victim = new Browser();
    expect((await victim.ask(code)).status).toBe(400);
    await goneThrough(victim, subject);
    expect((await victim.ask(code)).status).toBe(400);
    expect((await pageOf(victim)).status).toBe(401);
  });

  it('brings a code a second time, with all that belonged to it', async () => {
    const { subject } = await somebody();
    const browser = new Browser();
    const back = await goneThrough(browser, subject);
    const kept = [...browser.cookiesOf(service.baseUrl)];
    expect((await browser.ask(back)).status).toBe(303);
    const thief = new Browser();
    for (const [name, value] of kept) thief.setCookie(service.baseUrl, name, value);
    expect((await thief.ask(back)).status).toBe(400);
  });

  it('took longer than a quarter of an hour, or wrote what they keep themselves', async () => {
    const { subject } = await somebody();
    for (const change of [(_old: string, late: string) => late, (old: string) => `${old.slice(0, -2)}xx`, () => 'x']) {
      const browser = new Browser();
      const back = await goneThrough(browser, subject);
      const [[name = '', token = ''] = []] = [...browser.cookiesOf(service.baseUrl)];
      browser.setCookie(service.baseUrl, name, change(token, await olderBy(token, 16 * 60_000)));
      expect((await browser.ask(back)).status).toBe(400);
    }
  });
});

/** The same transaction as it would be kept had it been begun so much earlier, signed as the service signs. */
async function olderBy(token: string, milliseconds: number): Promise<string> {
  const { hkdfSync } = await import('node:crypto');
  const [text = ''] = token.split('.');
  const underWay = JSON.parse(Buffer.from(text, 'base64url').toString()) as { until: number };
  const older = Buffer.from(JSON.stringify({ ...underWay, until: underWay.until - milliseconds })).toString(
    'base64url',
  );
  const { current } = JSON.parse(readFileSync(service.environment.CONSOLE_SECRET_FILE ?? '', 'utf8'));
  const key = Buffer.from(hkdfSync('sha256', current, 'mailroom', 'console', 32));
  return `${older}.${createHmac('sha256', key).update(`transaction.${older}`).digest('base64url')}`;
}

describe('the page to come back to', () => {
  it.each([
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/console/../health',
    'javascript:alert(1)',
  ])('is never %s', async (back) => {
    const { subject } = await somebody();
    const browser = new Browser();
    const start = `/console/session/start?${new URLSearchParams({ back })}`;
    const { location } = await browser.ask(await goneThrough(browser, subject, start));
    expect(location).toBe(`${service.baseUrl}/console`);
  });
});

describe('a session', () => {
  it('ends with the removal of whose it is, and takes another role, at the next request', async () => {
    const { subject, email } = await somebody({}, 'owner');
    const { browser } = await signIn(subject);
    await verbs.changeOperator(operatorContext(), { email, role: 'viewer', workspaceId: null });
    expect((await pageOf(browser)).text).toContain(`<bdi>${email}</bdi>, viewer`);
    await verbs.removeOperator(operatorContext(), { email });
    expect((await pageOf(browser)).status).toBe(401);
    // An invitation anew is no way back for what was open before.
    await invite(email, 'owner');
    expect((await pageOf(browser)).status).toBe(401);
    expect((await signIn(subject, browser)).answer.status).toBe(303);
  });

  it('ends everywhere by one command, for one person or for all', async () => {
    const [one, other] = [await somebody(), await somebody()];
    const devices = [(await signIn(one.subject)).browser, (await signIn(one.subject)).browser];
    const { browser } = await signIn(other.subject);
    await verbs.signOutOperator(operatorContext(), { email: one.email });
    for (const device of devices) expect((await pageOf(device)).status).toBe(401);
    expect((await pageOf(browser)).status).toBe(200);
    await verbs.signOutEverywhere(operatorContext());
    expect((await pageOf(browser)).status).toBe(401);
    expect((await signIn(one.subject)).answer.status).toBe(303);
  });

  it('that ended while a form was open loses nothing: who signs in again beside it sends it then', async () => {
    const { subject, email } = await somebody();
    const { browser } = await signIn(subject);
    const origin = { origin: service.baseUrl };
    const post = (fields: Record<string, string>) =>
      browser.ask(`${service.baseUrl}${place}/settings`, {
        method: 'POST',
        headers: origin,
        body: new URLSearchParams(fields),
      });
    await verbs.signOutOperator(operatorContext(), { email });
    const kept = await post({ form_token: 'old', name: 'A name of many words' });
    expect([kept.status, kept.text.includes('value="A name of many words"')]).toEqual([401, true]);
    expect(kept.text).toContain('target="_blank" rel="noopener"');
    await signIn(subject, browser);
    const asked = await post({ name: 'A name of many words' });
    expect([asked.status, asked.text.includes('value="A name of many words"')]).toEqual([403, true]);
    const form_token = /name="form_token" value="([^"]+)"/.exec(asked.text)?.[1] ?? '';
    expect((await post({ form_token, name: 'A name of many words' })).status).toBe(303);
  });

  it('is ended by its owner at the provider as well, by a page between', async () => {
    const { subject } = await somebody();
    const { browser } = await signIn(subject);
    const form_token = /name="form_token" value="([^"]+)"/.exec((await pageOf(browser)).text)?.[1] ?? '';
    const left = await browser.ask(`${service.baseUrl}/console/sign-out`, {
      method: 'POST',
      headers: { origin: service.baseUrl },
      body: new URLSearchParams({ form_token }),
    });
    expect(left.status).toBe(200);
    const end = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(left.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(new URL(end).origin).toBe(provider.issuer);
    expect(Object.fromEntries(new URL(end).searchParams)).toMatchObject({
      client_id: clientId,
      post_logout_redirect_uri: `${service.baseUrl}/console`,
    });
    expect((await browser.ask(end)).status).toBe(200);
    expect((await pageOf(browser)).status).toBe(401);
  });
});

describe('the overview', () => {
  const warning = '3 messages failed several times: Campaigns being sent.';

  it('warns operators of all workspaces about failed messages', async () => {
    const { browser } = await signIn((await somebody({}, 'viewer')).subject);
    expect((await pageOf(browser)).text).toContain(warning);
  });

  it('does not warn operators of one workspace', async () => {
    const { subject, email } = await somebody({}, null);
    await invite(email, 'owner', service.workspaceId);
    const { browser } = await signIn(subject);
    const page = await pageOf(browser);
    expect([page.status, page.text.includes('failed several times')]).toEqual([200, false]);
  });
});

describe('the command line', () => {
  it('invites, lists, changes, signs out and removes', async () => {
    const run = (...words: string[]) => mailroomJson(['operator', ...words, '--data', service.dataDir]);
    const email = 'ada@acme.example';
    const invited = await run('invite', 'Ada@acme.example', '--role', 'editor', '-w', service.workspaceId);
    expect(invited).toMatchObject({ email, role: 'editor', workspace_id: service.workspaceId, mailed: false });
    expect(invited.sign_in_at).toBe(`${service.baseUrl}/console`);
    expect(await run('change', email, '--role', 'viewer')).toMatchObject({ role: 'viewer', workspace_id: null });
    expect((await run('list')).data).toContainEqual(expect.objectContaining({ email, signed_in_at: null }));
    expect(await run('sign-out', email)).toMatchObject({ ended: true });
    expect(await run('remove', email)).toMatchObject({ email });
    await expect(run('remove', email)).rejects.toThrow('This address was not invited.');
  });
});

describe('the room of operators', () => {
  const act = async (browser: Browser, path: string, fields: Record<string, string>) => {
    const url = `${service.baseUrl}${place}/settings/operators`;
    const form_token = /name="form_token" value="([^"]+)"/.exec((await browser.ask(url)).text)?.[1] ?? '';
    return browser.ask(`${url}${path}`, {
      method: 'POST',
      headers: { origin: service.baseUrl },
      body: new URLSearchParams({ form_token, ...fields }),
    });
  };

  it('lets an owner invite, change, end and remove, and records each in the audit log', async () => {
    const { browser } = await signIn((await somebody()).subject);
    const email = 'grace@acme.example';
    const wrong = await act(browser, '/invite', { email: 'grace', role: 'editor', reach: '' });
    expect([wrong.status, wrong.text.includes('must be an email address')]).toEqual([422, true]);
    const invited = await act(browser, '/invite', { email: 'Grace@ACME.example', role: 'editor', reach: '' });
    const list = await pageOf(browser, `${place}/settings/operators`);
    // No address of a page says whose it is.
    const hrefs = [...list.text.matchAll(/href="([^"]*operators[^"]*)"/g)].map(([, href = '']) => href);
    expect(hrefs.join()).not.toMatch(/grace|acme\.example/i);
    const row = list.text.split('<tr').find((text) => text.includes(email)) ?? '';
    const path = /settings\/operators(\/at\/[\w-]+)\/change/.exec(row)?.[1] ?? '';
    const steps = [
      invited,
      await act(browser, `${path}/change`, { role: 'viewer', reach: service.workspaceId }),
      await act(browser, `${path}/end`, {}),
    ];
    expect(steps.map(({ status }) => status)).toEqual([303, 303, 303]);
    const data = await verbs.listOperators(operatorContext());
    expect(data).toContainEqual(expect.objectContaining({ email, role: 'viewer', workspace_id: service.workspaceId }));
    for (const step of ['change', 'end', 'remove']) {
      const page = await pageOf(browser, `${place}/settings/operators${path}/${step}`);
      expect([step, page.status]).toEqual([step, 200]);
    }
    expect((await act(browser, `${path}/remove`, {})).status).toBe(303);
    expect((await act(browser, `${path}/remove`, {})).status).toBe(404);
    const log = await audit(6);
    expect(log.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['operator.invite', 'operator.change', 'operator.sign_out', 'operator.remove']),
    );
    expect(log[0]).toMatchObject({ subject: email, outcome: 'not_found', door: 'console' });
  });

  it('is for owners of all workspaces: others see no names, and their posts do nothing', async () => {
    const { subject, email } = await somebody({}, null);
    await invite(email, 'owner', service.workspaceId);
    const { browser } = await signIn(subject);
    const page = await pageOf(browser, `${place}/settings/operators`);
    expect([page.status, page.text.includes('@acme.example</bdi></')]).toEqual([200, false]);
    const answer = await act(browser, '/invite', { email: 'mallory@acme.example', role: 'owner', reach: '' });
    expect(answer.status).toBe(403);
    expect(JSON.stringify(await verbs.listOperators(operatorContext()))).not.toContain('mallory');
  });

  it('makes no links beside the provider: a session that asks no list would outlive its maker’s removal', async () => {
    const { browser } = await signIn((await somebody()).subject);
    const answer = await act(browser, '', { name: 'Later', role: 'owner', reach: '' });
    expect([answer.status, answer.text.includes('sign-in?token=')]).toEqual([422, false]);
  });
});
