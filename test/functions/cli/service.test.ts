import { call } from '../../acceptance/client.ts';
import { startService, type TestService } from '../../acceptance/service.ts';
import { mailroom, mailroomJson } from './mailroom.ts';

let service: TestService;
let workspace: string;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  workspace = (await json('workspace', 'create', 'Acme')).id;
});

const run = (...words: string[]) => mailroom([...words, '--data', service.dataDir]);
const json = (...words: string[]) => mailroomJson([...words, '--data', service.dataDir]);
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

describe('key', () => {
  it('makes a key that opens its workspace at once, lists it without the key, and revokes it at once', async () => {
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
    expect(stderr).toMatch(/^error: There is no key with this id in the workspace/);
    expect((await call(service, 'GET', '/api/v1/me', { key })).status).toBe(200);
  });

  it('shows the full key to a person too, with the warning that it is the only time', async () => {
    const { stdout } = await run('key', 'create', 'Site', '--scopes', 'all', '--workspace', workspace);
    expect(stdout).toMatch(/^Key {5}mr_live_\w{49}$/m);
    expect(stdout).toContain('cannot be shown again');
  });
});

describe('domain', () => {
  it('makes the SES identity and prints the records to publish, the same each time', async () => {
    const domain = `${workspace.slice(-8)}.example`;
    const first = await inWorkspace('domain', 'add', domain.toUpperCase());
    const dkim = first.records.filter(({ type }: { type: string }) => type === 'CNAME');
    expect(dkim).toHaveLength(3);
    for (const { name, value } of dkim) {
      const token = name.replace(`._domainkey.${domain}`, '');
      expect(value).toBe(`${token}.dkim.amazonses.com`);
    }
    expect(first.records.at(-1)).toEqual({ type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none;' });
    expect((await inWorkspace('domain', 'add', domain)).records).toEqual(first.records);
  });

  it('keeps what SES says when it is asked, a lost verification included', async () => {
    const domain = await verifiedDomain();
    await setVerification(domain, 'PENDING');
    expect(await inWorkspace('domain', 'verify', domain)).toMatchObject({ verified: false });
    expect((await inWorkspace('domain', 'list')).data).toEqual([{ object: 'domain', domain, verified: false }]);
    await setVerification(domain, 'SUCCESS');
    expect(await inWorkspace('domain', 'verify', domain)).toMatchObject({ verified: true });
    expect((await inWorkspace('domain', 'list')).data).toEqual([{ object: 'domain', domain, verified: true }]);
  });

  it('refuses what is no domain, and asks of none that was not added', async () => {
    const wrong = await run('domain', 'add', 'not a domain', '--workspace', workspace);
    expect([wrong.code, wrong.stderr]).toEqual([1, 'error: "not a domain" is not a domain name such as example.com\n']);
    const strange = await run('domain', 'verify', 'example.com', '--workspace', workspace);
    expect([strange.code, strange.stderr]).toEqual([
      1,
      'error: The domain "example.com" was not added to this workspace.\n',
    ]);
  });
});

describe('sender', () => {
  it('takes the first as the default, and moves the flag when asked', async () => {
    const domain = await verifiedDomain();
    const first = await inWorkspace('sender', 'add', `Acme <Hello@${domain}>`);
    expect(first).toMatchObject({ email: `hello@${domain}`, name: 'Acme', default: true });
    expect(await inWorkspace('sender', 'add', `news@mail.${domain}`)).toMatchObject({ name: null, default: false });
    await inWorkspace('sender', 'add', `team@${domain}`, '--default');
    const { data } = await inWorkspace('sender', 'list');
    const defaults = data.filter((one: { default: boolean }) => one.default).map((one: { email: string }) => one.email);
    expect([data.length, defaults]).toEqual([3, [`team@${domain}`]]);
  });

  it('renames a sender that is there, and leaves it the default', async () => {
    const domain = await verifiedDomain();
    await inWorkspace('sender', 'add', `Acme <hello@${domain}>`);
    await inWorkspace('sender', 'add', `Acme Mail <hello@${domain}>`);
    const { data } = await inWorkspace('sender', 'list');
    expect(data).toEqual([{ object: 'sender', email: `hello@${domain}`, name: 'Acme Mail', default: true }]);
  });

  it('refuses an address of a domain that the workspace does not have, and what is no address', async () => {
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
  it('change at once and show in "workspace show" and in the account', async () => {
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

  it('tells a person the same as a table', async () => {
    const { stdout } = await run('workspace', 'show', workspace);
    expect(stdout).toMatch(/^Plan {8}free, 0 of 3000 used this month$/m);
    const list = await run('workspace', 'list');
    expect(list.stdout).toMatch(/^ID +NAME$/m);
    expect(list.stdout).toContain(`${workspace}  Acme`);
  });

  it('asks which workspace when there are several, and names one that does not exist', async () => {
    const several = await run('domain', 'list');
    expect(several.code).toBe(1);
    expect(several.stderr).toContain('There are several workspaces: say which with --workspace ID');
    const unknown = await run('workspace', 'show', 'ws_nobody');
    expect([unknown.code, unknown.stderr]).toEqual([1, 'error: There is no workspace "ws_nobody".\n']);
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
  it('blocks an address for every workspace until an operator takes it off', async () => {
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

  it('takes an address off the list of its own workspace only', async () => {
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
    });
    expect((await call(service, 'GET', '/api/v1/suppression', { key })).body.data).toEqual([]);
    expect((await run('suppression', 'remove', 'ada@example.net', '-w', workspace)).code).toBe(1);
  });

  it('leaves a person unsubscribed whose address comes off the list', async () => {
    const { key } = await inWorkspace('key', 'create', 'Site', '--scopes', 'all');
    const person = { email: 'ada@example.net', double_opt_in: false };
    await call(service, 'POST', '/api/v1/subscribers', { key, body: person });
    await call(service, 'POST', '/api/v1/suppression', { key, body: { email: person.email } });
    await inWorkspace('suppression', 'remove', person.email);
    const { body } = await call(service, 'GET', `/api/v1/subscribers/${person.email}`, { key });
    expect(body.status).toBe('unsubscribed');
  });
});
