import type { OperatorRole } from '../../../../shared/domain/workspace/operatorRole.ts';
import type { OperatorActor } from '../../../../shared/services/context.ts';
import { contextOf, operatorContext } from '../context.ts';
import { startWorld } from './world.ts';

const load = async () => ({
  ...(await import('../../../../shared/services/keys/create.ts')),
  ...(await import('../../../../shared/services/keys/list.ts')),
  ...(await import('../../../../shared/services/kinds/remove.ts')),
  ...(await import('../../../../shared/services/kinds/set.ts')),
  ...(await import('../../../../shared/services/operators/listAudit.ts')),
  ...(await import('../../../../shared/services/operators/session.ts')),
  ...(await import('../../../../shared/services/operators/signIn.ts')),
  ...(await import('../../../../shared/services/operators/signOut.ts')),
  ...(await import('../../../../shared/services/subscribers/delete.ts')),
  ...(await import('../../../../shared/services/suppression/add.ts')),
  ...(await import('../../../../shared/services/workspaces/create.ts')),
  ...(await import('../../../../shared/services/workspaces/list.ts')),
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
  door: 'console',
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
  it('looks as a viewer, changes as an editor, and only owns as an owner', async () => {
    await expect(verbs.createKey(as('viewer'), wanted)).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(verbs.createKey(as('editor'), wanted)).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(verbs.createKey(as('owner'), wanted)).resolves.toMatchObject({ name: 'Site' });
    await expect(verbs.listKeys(as('viewer'))).resolves.toHaveLength(1);
    await expect(verbs.addSuppression(as('viewer'), ada)).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(verbs.addSuppression(as('editor'), ada)).resolves.toMatchObject({ email: ada.email });
  });

  it('reaches no further than its workspace, and none of the deployment', async () => {
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
  it('tells who did what, by which door and how it ended, the newest first', async () => {
    await verbs.createKey(as('owner'), { ...wanted, name: 'Audited' });
    await expect(verbs.deleteSubscriber(as('editor'), { email: 'nobody@people.example' })).rejects.toMatchObject({
      code: 'not_found',
    });
    const [refused, done] = await audit();
    expect(done).toMatchObject({ action: 'key.create', subject: 'Audited', by: 'Ada', role: 'owner', door: 'console' });
    expect(done).toMatchObject({ outcome: 'done' });
    expect(refused).toMatchObject({ action: 'subscriber.unsubscribe', role: 'editor', outcome: 'not_found' });
  });

  it('tells which kind of mail was offered, and which is offered no longer', async () => {
    const tag = 'category:news';
    await verbs.setKind(as('editor'), { tag, name: 'News' });
    await verbs.removeKind(as('editor'), { tag });
    const [removed, set] = await audit();
    expect([set, removed]).toMatchObject([
      { action: 'kind.set', subject: tag },
      { action: 'kind.remove', subject: tag },
    ]);
  });

  it('calls a person by a name of no meaning, the same each time', async () => {
    for (let time = 0; time < 2; time += 1) await verbs.addSuppression(as('editor'), ada);
    const [first, second] = await audit();
    expect(first?.subject).toMatch(/^erased-[0-9a-f]{40}@erased\.invalid$/);
    expect(second?.subject).toBe(first?.subject);
    expect(JSON.stringify(await audit())).not.toContain('ada@');
  });

  it('holds nothing of what keys did, and nothing of what was refused by role', async () => {
    const before = await audit();
    const key = { kind: 'key', keyId: 'key_1', keyName: 'Site', lastFour: 'abcd', scopes: [] } as const;
    await verbs.addSuppression({ ...contextOf(workspaceId), actor: key }, ada);
    await expect(verbs.createKey(as('viewer'), wanted)).rejects.toMatchObject({ code: 'insufficient_scope' });
    expect(await audit()).toEqual(before);
  });

  it('is turned page by page', async () => {
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
    const made = await verbs.createSignIn(operatorContext('', now), { name: 'Ada', role: 'editor', workspaceId });
    return { token: new URL(made.url).searchParams.get('token') ?? '' };
  };
  const at = (moment: Date) => ({ language: 'en' as const, now: moment, requestId: 'test' });

  it('comes of a link once, and of two at once one gets it', async () => {
    const given = await link();
    const tries = await Promise.all([verbs.signIn(at(now), given), verbs.signIn(at(now), given)]);
    expect(tries.filter(Boolean)).toHaveLength(1);
    expect(await verbs.signIn(at(now), given)).toBeNull();
  });

  it('comes of no link that is a quarter of an hour old, nor of one that never was', async () => {
    expect(await verbs.signIn(at(later(0.26)), await link())).toBeNull();
    expect(await verbs.signIn(at(now), { token: '' })).toBeNull();
  });

  it('says who it is for 12 hours, and nothing that was changed in it counts', async () => {
    const { token = '' } = (await verbs.signIn(at(now), await link())) ?? {};
    const session = await verbs.readSession(token, later(11.9));
    expect(session?.actor).toEqual({ ...actor('editor', workspaceId), door: 'console' });
    expect(await verbs.readSession(token, later(12.1))).toBeNull();
    const [text = '', signature = ''] = token.split('.');
    const payload = JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
    const raised = Buffer.from(JSON.stringify({ ...payload, role: 'owner' })).toString('base64url');
    for (const forged of [`${raised}.${signature}`, `${text}.`, text, '', `${token}.x`]) {
      expect(await verbs.readSession(forged, now)).toBeNull();
    }
    if (!session) throw new Error('There is no session.');
    expect(await verbs.readSession(`${text}.${await verbs.formTokenOf(session)}`, now)).toBeNull();
  });

  it('has forms of its own: the token of another one is none of its', async () => {
    const made = async () => {
      const { token = '' } = (await verbs.signIn(at(now), await link())) ?? {};
      const session = await verbs.readSession(token, now);
      if (!session) throw new Error('There is no session.');
      return session;
    };
    const [own, other] = [await made(), await made()];
    expect(await verbs.isFormTokenOf(own, await verbs.formTokenOf(own))).toBe(true);
    expect(await verbs.isFormTokenOf(own, await verbs.formTokenOf(other))).toBe(false);
    expect(await verbs.isFormTokenOf(own, '')).toBe(false);
  });

  it('ends with all others by one command', async () => {
    const { token = '' } = (await verbs.signIn(at(now), await link())) ?? {};
    expect(await verbs.readSession(token, now)).not.toBeNull();
    await verbs.signOutEverywhere(operatorContext());
    expect(await verbs.readSession(token, now)).toBeNull();
    const { token: fresh = '' } = (await verbs.signIn(at(now), await link())) ?? {};
    expect(await verbs.readSession(fresh, now)).not.toBeNull();
  });
});
