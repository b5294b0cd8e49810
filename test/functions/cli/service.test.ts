import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { queues } from '../../../infra/resources.ts';
import { call } from '../../acceptance/client.ts';
import { startService, type TestService } from '../../acceptance/service.ts';
import { startDns, type Zone } from './dnsServer.ts';
import { mailroom, startCommands } from './mailroom.ts';
import { hasTerminal, mailroomAtTerminal } from './terminal.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
let service: TestService;
const commands = startCommands();
afterAll(() => commands.stop());
let workspace: string;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  workspace = (await json('workspace', 'create', 'Acme')).id;
});

const run = (...words: string[]) => mailroom([...words, '--data', service.dataDir]);
const json = (...words: string[]) => commands.json([...words, '--data', service.dataDir]);
const inWorkspace = (...words: string[]) => json(...words, '--workspace', workspace);

async function setVerification(domain: string, status: 'PENDING' | 'SUCCESS' | 'FAILED'): Promise<void> {
  const response = await fetch(`${service.sesEndpoint}/_control/identities/${domain}`, {
    method: 'PUT',
    body: JSON.stringify({ verification_status: status }),
  });
  expect(response.status).toBe(200);
}

async function verifiedDomain(): Promise<string> {
  const domain = `${workspace.slice(-8)}.example`;
  const { verified } = await inWorkspace('domain', 'add', domain);
  expect(verified).toBe(true);
  return domain;
}

describe('person', () => {
  it('exports the stored data of an address, and erases it', async () => {
    const { key } = await inWorkspace('key', 'create', 'Site', '--scopes', 'all');
    const email = `${workspace.slice(-8)}@example.net`;
    await call(service, 'POST', '/api/v1/subscribers', { body: { email, double_opt_in: false }, key });
    const { stdout, code } = await run('person', 'export', email, '--workspace', workspace);
    expect([code, JSON.parse(stdout).subscriber.email]).toEqual([0, email]);
    const { url } = await inWorkspace('person', 'link', email);
    expect(await (await fetch(url)).text()).toContain(email.split('@')[0]);
    const erased = await inWorkspace('person', 'erase', email.toUpperCase());
    expect(erased).toMatchObject({ erased: true, suppressed: true, reason: 'unsubscribe' });
    const again = await call(service, 'POST', '/api/v1/subscribers', { body: { email, double_opt_in: false }, key });
    expect(again.body.name).toBe('suppressed_recipient');
  });

  (hasTerminal ? it : it.skip)('asks at a terminal before it erases', async () => {
    const email = `${workspace.slice(-8)}@example.net`;
    const words = ['person', 'erase', email, '--workspace', workspace, '--data', service.dataDir];
    for (const answer of ['n\n', '\n', '\u0003', '\u0004']) {
      const { code, shown } = await mailroomAtTerminal(words, answer);
      expect([code, shown]).toEqual([1, expect.stringContaining(`stored about ${email}? This cannot be undone.`)]);
      expect(shown).toContain('error: Nothing was erased.');
    }
    expect(await mailroomAtTerminal(words, 'y\n')).toMatchObject({ code: 0, shown: expect.stringContaining('Erased') });
    const unasked = await mailroomAtTerminal([...words, '--yes'], 'n\n');
    expect([unasked.code, unasked.shown]).toEqual([0, expect.not.stringContaining('[y/N]')]);
  });

  it('refuses text that is not an address', async () => {
    const { code, stderr } = await run('person', 'erase', 'ada', '--workspace', workspace);
    expect(code).toBe(2);
    expect(stderr).toContain('"ada"');
  });
});

describe('topic', () => {
  it('adds, renames and removes topics, and reports every problem', async () => {
    const { data } = await inWorkspace('topic', 'set', 'category:news', '--name', 'News of the week');
    expect(data).toEqual([expect.objectContaining({ tag: 'category:news', name: 'News of the week' })]);
    await inWorkspace('topic', 'set', 'category:news', '--name', 'News');
    expect((await inWorkspace('topic', 'list')).data).toEqual([
      expect.objectContaining({ object: 'topic', tag: 'category:news', name: 'News' }),
    ]);
    expect((await inWorkspace('topic', 'remove', 'category:news')).data).toEqual([]);
    const { code, stderr } = await run('topic', 'set', 'news', '--name', ' ', '--workspace', workspace);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/tag.*category:newsletter/s);
    expect(stderr).toMatch(/name|1 more/);
  });

  it('can still be called by their former name', async () => {
    await inWorkspace('kind', 'set', 'category:news', '--name', 'News');
    expect((await inWorkspace('topic', 'list')).data).toHaveLength(1);
    expect((await mailroom(['--help'])).stdout).toMatch(/^ +topic\|kind /m);
  });
});

describe('key', () => {
  it('creates a key that works at once, lists it without the key, and revokes it at once', async () => {
    const { id, key, scopes } = await inWorkspace('key', 'create', 'Site', '--scopes', 'emails:send,webhooks:read');
    expect(scopes).toEqual(['emails:send', 'webhooks:read']);
    const me = await call(service, 'GET', '/api/v1/me', { key });
    expect(me.body).toMatchObject({ workspace: { id: workspace }, key: { id, name: 'Site' }, scopes });

    const listed = await run('key', 'list', '--workspace', workspace, '--json');
    expect(listed.stdout).not.toContain(key);
    expect(JSON.parse(listed.stdout).data).toEqual([
      expect.objectContaining({ id, last_four: key.slice(-4), revoked_at: null }),
    ]);

    const revoked = await inWorkspace('key', 'revoke', id);
    expect(revoked.revoked_at).toEqual(expect.any(String));
    expect((await call(service, 'GET', '/api/v1/me', { key })).body.name).toBe('revoked_api_key');
    expect((await inWorkspace('key', 'revoke', id)).revoked_at).toBe(revoked.revoked_at);
  });

  it('does not revoke a key of another workspace', async () => {
    const { id, key } = await inWorkspace('key', 'create', 'Site', '--scopes', 'all');
    const { code, stderr } = await run('key', 'revoke', id, '--workspace', service.workspaceId);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: There is no key with this id in this workspace/);
    expect((await call(service, 'GET', '/api/v1/me', { key })).status).toBe(200);
  });

  it('prints the full key with the warning that it is shown only once', async () => {
    const { stdout } = await run('key', 'create', 'Site', '--scopes', 'all', '--workspace', workspace);
    expect(stdout).toMatch(/^Key {5}mr_live_\w{49}$/m);
    expect(stdout).toContain('cannot be shown again');
  });
});

describe('domain', () => {
  it('creates the SES identity and prints the same records to publish each time', async () => {
    const domain = `${workspace.slice(-8)}.example`;
    const first = await inWorkspace('domain', 'add', domain.toUpperCase());
    const dkim = first.records.filter(({ type }: { type: string }) => type === 'CNAME');
    expect(dkim).toHaveLength(3);
    for (const { name, value } of dkim) {
      const token = name.replace(`._domainkey.${domain}`, '');
      expect(value).toBe(`${token}.dkim.amazonses.com`);
    }
    expect(first.records.at(-1)).toMatchObject({ type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none;' });
    expect((await inWorkspace('domain', 'add', domain)).records).toEqual(first.records);
  });

  it('stores the status that SES reports, also a lost verification, which has exit code 1', async () => {
    const domain = await verifiedDomain();
    await setVerification(domain, 'PENDING');
    const { code, stdout } = await run('domain', 'verify', domain, '--workspace', workspace, '--json');
    expect([code, JSON.parse(stdout)]).toEqual([1, expect.objectContaining({ verified: false })]);
    expect((await inWorkspace('domain', 'list')).data).toEqual([{ object: 'domain', domain, verified: false }]);
    await setVerification(domain, 'SUCCESS');
    expect(await inWorkspace('domain', 'verify', domain)).toMatchObject({ verified: true });
    expect((await inWorkspace('domain', 'list')).data).toEqual([{ object: 'domain', domain, verified: true }]);
  });

  it('receives bounces at a subdomain, and feedback as events only', async () => {
    const domain = `${workspace.slice(-8)}.example`;
    const added = await inWorkspace('domain', 'add', domain);
    expect(added).toMatchObject({ mail_from: { domain: `mail.${domain}` }, forwards_feedback: false, problems: [] });
    expect(added.records.slice(3, 5)).toMatchObject([
      {
        purpose: 'mail_from_mx',
        type: 'MX',
        name: `mail.${domain}`,
        value: '10 feedback-smtp.us-east-1.amazonses.com',
      },
      { purpose: 'mail_from_spf', type: 'TXT', name: `mail.${domain}`, value: 'v=spf1 include:amazonses.com ~all' },
    ]);
    const named = await inWorkspace('domain', 'add', domain, '--mail-from', `bounce.${domain}`);
    expect(named.mail_from.domain).toBe(`bounce.${domain}`);
    expect((await inWorkspace('domain', 'add', domain)).mail_from.domain).toBe(`bounce.${domain}`);
    const without = await inWorkspace('domain', 'add', domain, '--no-mail-from');
    expect([without.mail_from, without.records.length]).toEqual([null, 4]);
    const strange = await run('domain', 'add', domain, '--mail-from', 'mail.example.net', '--workspace', workspace);
    expect([strange.code, strange.stderr]).toEqual([1, expect.stringContaining(`is not a subdomain of ${domain}`)]);
  });

  it('adds the domain with a warning when SES refuses an optional setting', async () => {
    const domain = `${workspace.slice(-8)}.example`;
    const faults = (body: object) =>
      fetch(`${service.sesEndpoint}/_control/faults`, { method: 'PUT', body: JSON.stringify(body) });
    await faults({ error: 'TooManyRequestsException', operations: ['PutEmailIdentityMailFromAttributes'] });
    const added = await run('domain', 'add', domain, '--workspace', workspace);
    await faults({});
    expect([added.code, added.stdout]).toEqual([
      0,
      expect.stringContaining('Warning: the MAIL FROM domain was not set'),
    ]);
    expect(await inWorkspace('domain', 'add', domain)).toMatchObject({
      problems: [],
      mail_from: { domain: `mail.${domain}` },
    });
  });

  it('refuses an invalid domain, and one that was not added', async () => {
    const wrong = await run('domain', 'add', 'not a domain', '--workspace', workspace);
    expect([wrong.code, wrong.stderr]).toEqual([1, 'error: "not a domain" is not a domain name such as example.com\n']);
    const strange = await run('domain', 'verify', 'example.com', '--workspace', workspace);
    expect([strange.code, strange.stderr]).toEqual([
      1,
      'error: The domain "example.com" was not added to this workspace.\n',
    ]);
  });
});

describe('domain verify', () => {
  let dns: Awaited<ReturnType<typeof startDns>>;
  beforeAll(async () => {
    dns = await startDns();
  });
  afterAll(() => dns.stop());

  async function published(): Promise<{ domain: string; zone: Zone }> {
    const domain = `${workspace.slice(-8)}.example`;
    const { records } = await inWorkspace('domain', 'add', domain);
    const dkim = records
      .slice(0, 3)
      .map(({ name, value }: { name: string; value: string }) => [name, { CNAME: value }]);
    const mailFrom = {
      MX: [[10, 'feedback-smtp.us-east-1.amazonses.com'] as [number, string]],
      TXT: ['v=spf1 include:amazonses.com ~all'],
    };
    const policy = { TXT: ['v=DMARC1; p=quarantine'] };
    return {
      domain,
      zone: { ...Object.fromEntries(dkim), [`mail.${domain}`]: mailFrom, [`_dmarc.${domain}`]: policy },
    };
  }

  it('finds every record that is published as printed', async () => {
    const { domain, zone } = await published();
    dns.publish(zone);
    const asked = await inWorkspace('domain', 'verify', domain, '--strict', '--resolver', dns.address);
    expect(asked).toMatchObject({ verified: true, complete: true });
    expect(asked.checks.map(({ purpose, status }: Record<string, string>) => `${purpose} ${status}`)).toEqual([
      'dkim found',
      'dkim found',
      'dkim found',
      'mail_from_mx found',
      'mail_from_spf found',
      'dmarc found',
    ]);
  });

  it('reports missing and wrong records, and what to publish', async () => {
    const { domain, zone } = await published();
    const { [`_dmarc.${domain}`]: _, ...others } = zone;
    dns.publish({ ...others, [`mail.${domain}`]: { MX: [[10, 'mx.example.net']], TXT: ['v=spf1 -all'] } });
    const strict = await run('domain', 'verify', domain, '-w', workspace, '--strict', '--resolver', dns.address);
    expect(strict.code).toBe(1);
    expect(strict.stdout).toMatch(/^MAIL FROM {2}wrong: it points elsewhere .* 10 mx\.example\.net$/m);
    expect(strict.stdout).toMatch(/^SPF .*wrong: it lacks include:amazonses\.com .* v=spf1 -all$/m);
    expect(strict.stdout).toMatch(/^DMARC +missing/m);
    expect(strict.stdout.split('To publish:')[1]).toMatch(/MX .*\nTXT .*\nTXT +_dmarc\..* v=DMARC1; p=none;/);
    const lenient = await inWorkspace('domain', 'verify', domain, '--resolver', dns.address);
    expect(lenient).toMatchObject({ verified: true, complete: false });
  });

  it('does not read a missing DNS response as a missing record', async () => {
    const { domain } = await published();
    dns.publish(null);
    const { checks, complete } = await inWorkspace('domain', 'verify', domain, '--resolver', dns.address);
    expect([complete, new Set(checks.map(({ status }: { status: string }) => status))]).toEqual([
      false,
      new Set(['unknown']),
    ]);
  });
});

describe('account', () => {
  it('shows the limits of SES, and warns in the sandbox', async () => {
    expect(await json('account')).toMatchObject({
      sandbox: false,
      sending_enabled: true,
      recipients_per_24_hours: null,
    });
    const body = JSON.stringify({ sandbox: true });
    await fetch(`${service.sesEndpoint}/_control/faults`, { method: 'PUT', body });
    const { stdout } = await run('account');
    await fetch(`${service.sesEndpoint}/_control/faults`, { method: 'PUT', body: '{}' });
    expect(stdout).toMatch(/^Access {3}sandbox$/m);
    expect(stdout).toMatch(/^Day {6}\d+ of 200 recipients in the last 24 hours$/m);
    expect(stdout).toContain('Warning: in the sandbox, SES sends to verified addresses only.');
  });
});

describe('queue', () => {
  it('lists every queue, shows dead letters with addresses only on request, and moves them back', async () => {
    const { data } = await json('queue', 'list');
    expect(data.map(({ name }: { name: string }) => name)).toEqual(Object.keys(queues));
    const sqs = new SQSClient({
      endpoint: service.environment.AWS_ENDPOINT_URL_SQS ?? '',
      region: 'us-east-1',
      credentials,
    });
    const QueueUrl = `${service.environment.QUEUE_URL_PREFIX}webhook-delivery-dead`;
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{"to":"ada@example.net"}' }));
    sqs.destroy();
    const shown = await json('queue', 'show', 'webhook-delivery', '--dead');
    expect(shown).toMatchObject({ dead: 1, dead_letters: [{ bytes: 24 }] });
    expect(JSON.stringify(shown)).not.toContain('ada@example.net');
    const { stdout } = await run('queue', 'show', 'webhook-delivery', '--dead', '--bodies', '--limit', '5');
    expect(stdout).toContain('{"to":"ada@example.net"}');
    expect(await json('queue', 'redrive', 'webhook-delivery')).toMatchObject({ messages: 1 });
    expect(await json('queue', 'redrive', 'webhook-delivery')).toMatchObject({ messages: 0 });
  });

  it('names the existing queues after an unknown name', async () => {
    const { code, stderr } = await run('queue', 'redrive', 'nothing');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are feedback, confirmation')]);
  });
});

describe('sender', () => {
  it('makes the first sender the default, and changes the default on request', async () => {
    const domain = await verifiedDomain();
    const first = await inWorkspace('sender', 'add', `Acme <Hello@${domain}>`);
    expect(first).toMatchObject({ email: `hello@${domain}`, name: 'Acme', default: true });
    expect(await inWorkspace('sender', 'add', `news@mail.${domain}`)).toMatchObject({ name: null, default: false });
    await inWorkspace('sender', 'add', `team@${domain}`, '--default');
    const { data } = await inWorkspace('sender', 'list');
    const defaults = data.filter((one: { default: boolean }) => one.default).map((one: { email: string }) => one.email);
    expect([data.length, defaults]).toEqual([3, [`team@${domain}`]]);
  });

  it('renames an existing sender, which stays the default', async () => {
    const domain = await verifiedDomain();
    await inWorkspace('sender', 'add', `Acme <hello@${domain}>`);
    await inWorkspace('sender', 'add', `Acme Mail <hello@${domain}>`);
    const { data } = await inWorkspace('sender', 'list');
    expect(data).toEqual([{ object: 'sender', email: `hello@${domain}`, name: 'Acme Mail', default: true }]);
  });

  it('refuses an address on a domain that the workspace does not have, and an invalid address', async () => {
    const domain = await verifiedDomain();
    const strange = await run('sender', 'add', `hello@not${domain}`, '--workspace', workspace);
    expect([strange.code, strange.stderr]).toEqual([
      1,
      `error: the domain "not${domain}" was not added to this workspace\n`,
    ]);
    const wrong = await run('sender', 'add', 'hello', '--workspace', workspace);
    expect([wrong.code, wrong.stderr]).toEqual([1, 'error: "hello" has no @\n']);
  });
});

describe('settings of a workspace', () => {
  it('change at once, in "workspace show" and in the account', async () => {
    const { key } = await inWorkspace('key', 'create', 'Site', '--scopes', 'all');
    await inWorkspace('plan', 'set', 'growth');
    expect(await inWorkspace('tracking', 'set', '--opens', 'off')).toMatchObject({ opens: false, clicks: true });
    expect(await inWorkspace('tracking', 'set', '--clicks', 'off')).toMatchObject({ opens: false, clicks: false });
    expect(await json('workspace', 'show', workspace)).toMatchObject({
      id: workspace,
      plan: 'growth',
      monthly_quota: 500_000,
      used_this_month: 0,
      tracking: { opens: false, clicks: false },
      sending: { suspended: false },
    });
    const { body } = await call(service, 'GET', '/api/v1/me', { key });
    expect(body.plan).toEqual({ name: 'growth', monthly_quota: 500_000 });
  });

  it('hold a frequency cap, which can be changed and removed', async () => {
    const none = { object: 'frequency_cap', messages: null, days: null };
    expect(await inWorkspace('cap', 'show')).toEqual(none);
    const cap = { messages: 3, days: 7 };
    expect(await inWorkspace('cap', 'set', '--messages', '3', '--days', '7')).toMatchObject(cap);
    expect(await inWorkspace('cap', 'show')).toMatchObject(cap);
    expect(await json('workspace', 'show', workspace)).toMatchObject({ frequency_cap: cap });
    const { stdout } = await run('cap', 'set', '--messages', '10', '--days', '1', '--workspace', workspace);
    expect(stdout).toBe('Automations and campaigns send a person at most 10 messages in 1 day.\n');
    expect(await inWorkspace('cap', 'remove')).toEqual(none);
    expect(await inWorkspace('cap', 'show')).toEqual(none);
    const { data } = await inWorkspace('audit', 'list');
    expect(data.map(({ action, subject }: { action: string; subject: string }) => [action, subject])).toEqual(
      expect.arrayContaining([
        ['cap.remove', null],
        ['cap.set', '--messages 10 --days 1'],
      ]),
    );
  });

  it('are printed as a table for people', async () => {
    const { stdout } = await run('workspace', 'show', workspace);
    expect(stdout).toMatch(/^Plan {8}free, 0 of 3000 used this month$/m);
    const list = await run('workspace', 'list');
    expect(list.stdout).toMatch(/^ID +NAME +IN USE$/m);
    expect(list.stdout).toContain(`${workspace}  Acme`);
  });

  it('are those of the workspace that was created last, until another is chosen by name', async () => {
    const [name, made] = [`Shop ${workspace.slice(-8)}`, workspace];
    const { id } = await json('workspace', 'create', name);
    const used = await run('workspace', 'show');
    expect([used.code, used.stderr]).toEqual([0, `In ${name} (${id}).\n`]);
    expect((await json('workspace', 'show', '--workspace', name.toUpperCase())).id).toBe(id);
    expect(await json('use', made)).toEqual({ object: 'workspace', id: made, name: 'Acme' });
    expect((await json('workspace', 'show')).id).toBe(made);
    const list = await run('workspace', 'list');
    expect(list.stdout).toMatch(new RegExp(`^${made} +Acme +yes$`, 'm'));
    expect(list.stdout).toMatch(new RegExp(`^${id} +${name} +no$`, 'm'));
    expect(statSync(join(service.dataDir, 'chosen.json')).mode & 0o777).toBe(0o600);
  });

  it('require an id for a name that several workspaces have', async () => {
    await json('workspace', 'create', 'Acme');
    const { code, stderr } = await run('workspace', 'show', 'acme');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Several workspaces are called "acme": use the id')]);
  });

  it('require --workspace when there are several and none is in use, and an existing name', async () => {
    for (const chosen of ['{}', '{"local":"ws_gone"}']) {
      writeFileSync(join(service.dataDir, 'chosen.json'), chosen);
      const several = await run('domain', 'list');
      expect(several.code).toBe(1);
      expect(several.stderr).toContain('There are several workspaces: choose one with --workspace NAME');
    }
    const unknown = await run('workspace', 'show', 'ws_nobody');
    expect([unknown.code, unknown.stderr]).toEqual([1, 'error: There is no workspace "ws_nobody".\n']);
  });
});

describe('changes and removals', () => {
  it('rename a workspace and change its language', async () => {
    const name = `Shop ${workspace.slice(-8)}`;
    expect(await inWorkspace('workspace', 'rename', name)).toEqual({ object: 'workspace', id: workspace, name });
    await inWorkspace('workspace', 'language', 'fr');
    expect(await json('workspace', 'show', name)).toMatchObject({ id: workspace, name, language: 'fr' });
    const { data } = await json('workspace', 'list');
    expect(data).toContainEqual({ object: 'workspace', id: workspace, name });
  });

  it('remove senders, the default one last, and a domain without senders', async () => {
    const domain = await verifiedDomain();
    await inWorkspace('sender', 'add', `hello@${domain}`);
    await inWorkspace('sender', 'add', `news@${domain}`);
    const early = await run('sender', 'remove', `hello@${domain}`, '-w', workspace);
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('is the default sender')]);
    const used = await run('domain', 'remove', domain, '-w', workspace);
    expect([used.code, used.stderr]).toEqual([1, expect.stringContaining(`hello@${domain}, news@${domain}`)]);
    await inWorkspace('sender', 'remove', `News@${domain}`);
    await inWorkspace('sender', 'remove', `hello@${domain}`);
    expect(await inWorkspace('domain', 'remove', domain)).toEqual({ object: 'domain', domain, deleted: true });
    expect(await inWorkspace('workspace', 'show')).toMatchObject({ domains: [], senders: [] });
    expect((await run('domain', 'remove', domain, '-w', workspace)).stderr).toContain(
      'was not added to this workspace',
    );
  });

  it('rename, change and delete a segment', async () => {
    const { id } = await inWorkspace('segment', 'create', 'Vip', '--rule', '{"tag": "vip"}');
    await inWorkspace('segment', 'create', 'Others', '--rule', '{"not": {"tag": "vip"}}');
    const taken = await run('segment', 'edit', 'Vip', '--name', 'others', '-w', workspace);
    expect([taken.code, taken.stderr]).toEqual([1, 'error: There is a segment "others" already.\n']);
    const rule = { tag: 'gold' };
    const edited = await inWorkspace('segment', 'edit', 'vip', '--name', 'VIP', '--rule', JSON.stringify(rule));
    expect(edited).toMatchObject({ id, name: 'VIP', rule });
    await inWorkspace('segment', 'delete', id);
    expect((await inWorkspace('segment', 'list')).data).toEqual([expect.objectContaining({ name: 'Others' })]);
  });

  it('add, show, list and unsubscribe a person, and suppress an address', async () => {
    const ada = 'ada@example.net';
    const added = await inWorkspace(
      'subscriber',
      'add',
      ada,
      '--first-name',
      'Ada',
      '--tags',
      'vip,gold',
      '--consent-given',
    );
    expect(added).toMatchObject({ email: ada, status: 'subscribed', firstName: 'Ada', tags: ['vip', 'gold'] });
    expect(await inWorkspace('subscriber', 'show', ada)).toEqual(added);
    expect((await inWorkspace('subscriber', 'list', '--q', 'ada')).data).toEqual([added]);
    const wrong = await run('subscriber', 'add', 'nobody', '-w', workspace);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/^error: email /)]);
    for (const verb of ['show', 'preferences', 'delete']) {
      const { code, stderr } = await run('subscriber', verb, 'nobody@example.net', '-w', workspace);
      expect([code, stderr]).toEqual([1, 'error: There is no subscriber "nobody@example.net" in this workspace.\n']);
    }
    const unasked = await run('subscriber', 'add', 'bob@example.net', '-w', workspace);
    expect([unasked.code, unasked.stderr]).toEqual([
      1,
      expect.stringMatching(/no default sender .*: run "sender add" first/),
    ]);
    expect(await inWorkspace('subscriber', 'delete', ada)).toMatchObject({ status: 'unsubscribed' });
    await inWorkspace('suppression', 'add', 'bob@example.net', '--reason', 'complaint');
    const { data } = await inWorkspace('suppression', 'list');
    expect(data.map(({ email, reason }: Record<string, string>) => [email, reason])).toEqual([
      ['bob@example.net', 'complaint'],
      [ada, 'unsubscribe'],
    ]);
  });
});

describe('sending resume', () => {
  it('lifts a suspension', async () => {
    Object.assign(process.env, service.environment);
    const { suspend } = await import('../../../shared/store/workspace/workspaces.ts');
    await suspend(workspace, { since: '2026-11-21T08:00:00.000Z', bounceRate: 0.07, complaintRate: 0 });
    expect((await json('workspace', 'show', workspace)).sending).toMatchObject({
      suspended: true,
      suspended_at: '2026-11-21T08:00:00.000Z',
    });
    expect(await inWorkspace('sending', 'resume')).toMatchObject({ suspended: false, was_suspended: true });
    expect((await json('workspace', 'show', workspace)).sending.suspended).toBe(false);
    expect(await inWorkspace('sending', 'resume')).toMatchObject({ was_suspended: false });
  });
});

describe('suppression', () => {
  it('suppresses an address for all workspaces until an operator removes it', async () => {
    const domain = await verifiedDomain();
    const { key } = await inWorkspace('key', 'create', 'Site', '--scopes', 'all');
    const send = () =>
      call(service, 'POST', '/api/v1/emails', {
        key,
        body: { from: `hello@${domain}`, to: `ada@${domain}`, subject: 'Hello', text: 'Hello' },
      });
    await json('suppression', 'add', `Ada@${domain}`, '--platform', '--reason', 'bounce');
    expect((await send()).body.error.details.recipients).toEqual([
      { email: `ada@${domain}`, reason: 'bounce', scope: 'platform' },
    ]);
    const removed = await json('suppression', 'remove', `ada@${domain}`, '--platform');
    expect(removed).toMatchObject({ email: `ada@${domain}`, reason: 'bounce', scope: 'platform', deleted: true });
    expect((await send()).status).toBe(202);
  });

  it('removes an address from the list of one workspace only', async () => {
    const { key } = await inWorkspace('key', 'create', 'Site', '--scopes', 'all');
    const body = { email: 'ada@example.net', reason: 'complaint' };
    expect((await call(service, 'POST', '/api/v1/suppression', { key, body })).status).toBe(201);
    const elsewhere = await run('suppression', 'remove', 'ada@example.net', '--workspace', service.workspaceId);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      1,
      'error: "ada@example.net" is not on the suppression list of this workspace.\n',
    ]);
    expect(await inWorkspace('suppression', 'remove', 'Ada@Example.net')).toEqual({
      object: 'suppression',
      email: 'ada@example.net',
      reason: 'complaint',
      scope: 'organization',
      deleted: true,
      kept_at_ses: false,
    });
    expect((await call(service, 'GET', '/api/v1/suppression', { key })).body.data).toEqual([]);
    expect((await run('suppression', 'remove', 'ada@example.net', '-w', workspace)).code).toBe(1);
  });

  it('leaves a person unsubscribed when the address is removed from the list', async () => {
    const { key } = await inWorkspace('key', 'create', 'Site', '--scopes', 'all');
    const person = { email: 'ada@example.net', double_opt_in: false };
    await call(service, 'POST', '/api/v1/subscribers', { key, body: person });
    const { stdout: added } = await run('suppression', 'add', person.email, '-w', workspace);
    expect(added).toContain('Their subscription has ended. Only they can subscribe again, through the sign-up form.');
    const { stdout: removed } = await run('suppression', 'remove', person.email, '-w', workspace);
    expect(removed).toContain('They stay unsubscribed and get single emails only.');
    const { body } = await call(service, 'GET', `/api/v1/subscribers/${person.email}`, { key });
    expect(body.status).toBe('unsubscribed');
  });

  it('says nothing of a subscription of an address that is no subscriber', async () => {
    const { stdout: added } = await run('suppression', 'add', 'nobody.knows@example.net', '-w', workspace);
    expect(added).toBe('nobody.knows@example.net gets no more mail from this workspace.\n');
    const { stdout: removed } = await run('suppression', 'remove', 'nobody.knows@example.net', '-w', workspace);
    expect(removed).toBe('nobody.knows@example.net was removed from the list; the reason was: manual.\n');
  });
});
