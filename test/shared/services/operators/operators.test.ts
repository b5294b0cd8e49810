import { createHmac, hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { createId } from '../../../../shared/domain/identifier.ts';
import type { OperatorRole } from '../../../../shared/domain/workspace/workspace.ts';
import type { OperatorActor } from '../../../../shared/services/context.ts';
import { contextOf, operatorContext } from '../context.ts';
import { startWorld } from './world.ts';

const load = async () => ({
  ...(await import('../../../../shared/services/keys.ts')),
  ...(await import('../../../../shared/services/keys.ts')),
  ...(await import('../../../../shared/services/topics.ts')),
  ...(await import('../../../../shared/services/topics.ts')),
  ...(await import('../../../../shared/services/operators/operators.ts')),
  ...(await import('../../../../shared/services/operators/session.ts')),
  ...(await import('../../../../shared/services/operators/linkSignIn.ts')),
  ...(await import('../../../../shared/services/operators/operators.ts')),
  ...(await import('../../../../shared/services/serviceSecret.ts')),
  ...(await import('../../../../shared/services/subscribers/subscribers.ts')),
  ...(await import('../../../../shared/services/suppression.ts')),
  ...(await import('../../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../../shared/store/audit.ts')),
});

let world: Awaited<ReturnType<typeof startWorld>>;
let verbs: Awaited<ReturnType<typeof load>>;
let workspaceId: string;

beforeAll(async () => {
  world = await startWorld();
  verbs = await load();
  workspaceId = (await verbs.createWorkspace(operatorContext(), { name: 'One', plan: 'free', language: 'en' })).id;
});
afterAll(() => world.stop());

const actor = (role: OperatorRole, only: string | null = null): OperatorActor => ({
  kind: 'operator',
  entryPoint: 'console',
  name: 'Ada',
  role,
  workspaceId: only,
});
const as = (role: OperatorRole, only: string | null = null) => ({
  ...contextOf(workspaceId),
  actor: actor(role, only),
});
const audit = async () => (await verbs.listAudit(operatorContext(), { workspaceId, limit: 100 })).entries;
const wanted = { name: 'Site', scopes: ['emails:send'] } as const;
const ada = { email: 'ada@people.example', reason: 'manual' } as const;

describe('a role', () => {
  it('lets viewers read, editors change and owners own', async () => {
    await expect(verbs.createKey(as('viewer'), wanted)).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(verbs.createKey(as('editor'), wanted)).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(verbs.createKey(as('owner'), wanted)).resolves.toMatchObject({ name: 'Site' });
    await expect(verbs.listKeys(as('viewer'))).resolves.toHaveLength(1);
    await expect(verbs.addSuppression(as('viewer'), ada)).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(verbs.addSuppression(as('editor'), ada)).resolves.toMatchObject({ email: ada.email });
  });

  it('applies to its workspace only, and not to the deployment', async () => {
    const stranger = as('owner', 'ws_other');
    await expect(verbs.createKey(stranger, wanted)).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(verbs.addSuppression(stranger, ada)).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(verbs.listAudit(stranger, { workspaceId, limit: 1 })).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    const inside = { ...operatorContext(), actor: actor('owner', workspaceId) };
    const another = { name: 'Two', plan: 'free', language: 'en' } as const;
    await expect(verbs.createWorkspace(inside, another)).rejects.toMatchObject({ code: 'insufficient_scope' });
    await verbs.createWorkspace(operatorContext(), another);
    expect(await verbs.listWorkspaces(operatorContext())).toHaveLength(2);
    expect((await verbs.listWorkspaces(inside)).map(({ id }) => id)).toEqual([workspaceId]);
  });
});

describe('the audit log', () => {
  it('contains operator, action, entry point and outcome, newest first', async () => {
    await verbs.createKey(as('owner'), { ...wanted, name: 'Audited' });
    await expect(verbs.deleteSubscriber(as('editor'), { email: 'nobody@people.example' })).rejects.toMatchObject({
      code: 'not_found',
    });
    const [refused, done] = await audit();
    expect(done).toMatchObject({ action: 'key.create', subject: 'Audited', by: 'Ada', role: 'owner', door: 'console' });
    expect(done).toMatchObject({ outcome: 'done' });
    expect(refused).toMatchObject({ action: 'subscriber.unsubscribe', role: 'editor', outcome: 'not_found' });
  });

  it('contains the kinds of mail that were added and removed', async () => {
    const tag = 'category:news';
    await verbs.setTopic(as('editor'), { tag, name: 'News' });
    await verbs.deleteTopic(as('editor'), { id: tag });
    const [removed, set] = await audit();
    expect([set, removed]).toMatchObject([
      { action: 'kind.set', subject: tag },
      { action: 'topic.delete', subject: tag },
    ]);
  });

  it('names a person by a pseudonym that is always the same', async () => {
    for (let time = 0; time < 2; time += 1) await verbs.addSuppression(as('editor'), ada);
    const [first, second] = await audit();
    expect(first?.subject).toMatch(/^person:[0-9a-f]{40}$/);
    expect(second?.subject).toBe(first?.subject);
    expect(JSON.stringify(await audit())).not.toContain('ada@');
  });

  it('shows an entry of an earlier release, which named everybody as if erased, by the pseudonym', async () => {
    const [entry] = await audit();
    if (!entry) throw new Error('There is one.');
    const hash = 'f'.repeat(40);
    const { object: _, ...stored } = {
      ...entry,
      id: createId('aud', new Date()),
      subject: `erased-${hash}@erased.invalid`,
    };
    await verbs.putAudit(workspaceId, stored);
    expect((await audit())[0]?.subject).toBe(`person:${hash}`);
  });

  it('does not contain the calls of API keys, nor actions that a role does not allow', async () => {
    const before = await audit();
    const key = { kind: 'key', keyId: 'key_1', keyName: 'Site', lastFour: 'abcd', scopes: [] } as const;
    await verbs.addSuppression({ ...contextOf(workspaceId), actor: key }, ada);
    await expect(verbs.createKey(as('viewer'), wanted)).rejects.toMatchObject({ code: 'insufficient_scope' });
    expect(await audit()).toEqual(before);
  });

  it('is returned in pages', async () => {
    const all = await audit();
    const first = await verbs.listAudit(operatorContext(), { workspaceId, limit: 2 });
    const rest = await verbs.listAudit(operatorContext(), { workspaceId, limit: 100, after: first.next ?? '' });
    expect([...first.entries, ...rest.entries]).toEqual(all);
    expect(rest.next).toBeNull();
  });
});

describe('a session', () => {
  const now = new Date();
  const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  const link = async () => {
    const made = await verbs.createSignInLink(operatorContext('', now), { name: 'Ada', role: 'editor', workspaceId });
    return { token: new URL(made.url).searchParams.get('token') ?? '' };
  };
  const at = (moment: Date) => ({ language: 'en' as const, now: moment, requestId: 'test' });

  it('can be created once by a link, also by concurrent requests', async () => {
    const given = await link();
    const tries = await Promise.all([verbs.signInByLink(at(now), given), verbs.signInByLink(at(now), given)]);
    expect(tries.filter(Boolean)).toHaveLength(1);
    expect(await verbs.signInByLink(at(now), given)).toBeNull();
  });

  it('cannot be created by an expired or unknown link', async () => {
    expect(await verbs.signInByLink(at(later(0.26)), await link())).toBeNull();
    expect(await verbs.signInByLink(at(now), { token: '' })).toBeNull();
  });

  it('is valid for 12 hours, and refused after any change', async () => {
    const { token = '' } = (await verbs.signInByLink(at(now), await link())) ?? {};
    const session = await verbs.readSession(token, later(11.9));
    expect(session?.actor).toEqual({ ...actor('editor', workspaceId), entryPoint: 'console' });
    expect(await verbs.readSession(token, later(12.1))).toBeNull();
    const [text = '', signature = ''] = token.split('.');
    const payload = JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
    const raised = Buffer.from(JSON.stringify({ ...payload, role: 'owner' })).toString('base64url');
    for (const forged of [`${raised}.${signature}`, `${text}.`, text, '', `${token}.x`, 'bnVsbA.x']) {
      expect(await verbs.readSession(forged, now)).toBeNull();
    }
    if (!session) throw new Error('There is no session.');
    expect(await verbs.readSession(`${text}.${await verbs.formTokenOf(session)}`, now)).toBeNull();
  });

  it('has its own form token, which is not valid for another session', async () => {
    const made = async () => {
      const { token = '' } = (await verbs.signInByLink(at(now), await link())) ?? {};
      const session = await verbs.readSession(token, now);
      if (!session) throw new Error('There is no session.');
      return session;
    };
    const [own, other] = [await made(), await made()];
    expect(await verbs.isFormTokenOf(own, await verbs.formTokenOf(own))).toBe(true);
    expect(await verbs.isFormTokenOf(own, await verbs.formTokenOf(other))).toBe(false);
    expect(await verbs.isFormTokenOf(own, '')).toBe(false);
  });

  const opened = async () => {
    const { token = '' } = (await verbs.signInByLink(at(now), await link())) ?? {};
    const session = await verbs.readSession(token, now);
    if (!session) throw new Error('There is no session.');
    return { token, session };
  };

  it('ends alone, by a sign-out, also one by a link, and a second sign-out changes nothing', async () => {
    const [own, other] = [await opened(), await opened()];
    for (let time = 0; time < 2; time += 1) await verbs.endSession(own.session);
    expect(await verbs.readSession(own.token, now)).toBeNull();
    expect(await verbs.readSession(other.token, now)).not.toBeNull();
  });

  it('ends when its record says so, and does not exist without one, whatever a signed token says', async () => {
    const { sign } = await import('../../../../shared/platform/secret.ts');
    const claims = { name: 'nobody', role: 'owner', workspaceId: null, until: now.getTime() + 1e11, epoch: 0 };
    const text = Buffer.from(JSON.stringify({ id: 'A'.repeat(22), email: null, ...claims })).toString('base64url');
    expect(await verbs.readSession(`${text}.${await sign('console', `session.${text}`)}`, now)).toBeNull();
    const { token } = await opened();
    expect(await verbs.readSession(token, later(11.9))).not.toBeNull();
    expect(await verbs.readSession(token, later(12.1))).toBeNull();
  });

  /** Signs the content of a token with the secret that a file holds now. */
  const signerOf = (file: string | undefined) => {
    const { current } = JSON.parse(readFileSync(file ?? '', 'utf8'));
    const key = Buffer.from(hkdfSync('sha256', current, 'mailroom', 'console', 32));
    return (token: string) => {
      const [text = ''] = token.split('.');
      return `${text}.${createHmac('sha256', key).update(`session.${text}`).digest('base64url')}`;
    };
  };

  it('cannot be signed with the service secret', async () => {
    const { token } = await opened();
    expect(signerOf(process.env.CONSOLE_SECRET_FILE)(token)).toBe(token);
    expect(await verbs.readSession(signerOf(process.env.SERVICE_SECRET_FILE)(token), now)).toBeNull();
  });

  it('outlives a rotation of the secrets, after which the earlier one signs none', async () => {
    const before = await opened();
    const byEarlier = signerOf(process.env.CONSOLE_SECRET_FILE);
    await verbs.rotateSecret(operatorContext());
    // Within five minutes all processes have read the new one.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout'], now: Date.now() + 6 * 60_000 });
    const { token } = await opened();
    jest.useRealTimers();
    expect(await verbs.readSession(before.token, now)).not.toBeNull();
    expect(await verbs.readSession(token, now)).not.toBeNull();
    expect(byEarlier(before.token)).toBe(before.token);
    expect(byEarlier(token)).not.toBe(token);
    expect(await verbs.readSession(byEarlier(token), now)).toBeNull();
  });

  it('ends together with all others', async () => {
    const { token = '' } = (await verbs.signInByLink(at(now), await link())) ?? {};
    expect(await verbs.readSession(token, now)).not.toBeNull();
    await verbs.signOutEverywhere(operatorContext());
    expect(await verbs.readSession(token, now)).toBeNull();
    const { token: fresh = '' } = (await verbs.signInByLink(at(now), await link())) ?? {};
    expect(await verbs.readSession(fresh, now)).not.toBeNull();
  });
});
