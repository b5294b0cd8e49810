import { fillTable, itemsOf, readRecords, unreadableBefore } from '../records.ts';
import { startTestTable } from '../testTable.ts';

/** Two workspaces as release 1.0.0 wrote them: one as it is created, one with all that can be said of it, and its keys. */
const records = readRecords('workspaces.json');
const idOf = (name: string) =>
  String(records.find((item) => item.pk?.S === 'WORKSPACES' && item.name?.S === name)?.workspace_id?.S);
const [plain, full] = [idOf('Plain'), idOf('Full')];
const createdAt = '2026-11-21T10:00:00.000Z';
const now = new Date('2026-11-21T12:00:00.000Z');

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [workspaces, senders, apiKeys] = await Promise.all([
    import('../../../../shared/store/workspace/workspaces.ts'),
    import('../../../../shared/store/workspace/senders.ts'),
    import('../../../../shared/store/workspace/apiKeys.ts'),
  ]);
  return { ...workspaces, ...senders, ...apiKeys };
}

beforeAll(async () => {
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());
beforeEach(() => fillTable(records));

describe('workspaces of the release before', () => {
  it('are read with all that was said of them', async () => {
    expect(await modules.getWorkspace(plain)).toEqual({
      ...{ id: plain, publicId: expect.any(String), name: 'Plain', plan: 'free', language: 'en', createdAt },
      ...{ trackOpens: true, trackClicks: true, suspension: null, reputationBaseline: null },
      ...{ formOrigins: [], kinds: [], domains: [], senders: [] },
    });
    expect(await modules.getWorkspace(full)).toEqual({
      ...{ id: full, publicId: expect.any(String), name: 'Full', plan: 'growth', language: 'fr', createdAt },
      ...{ trackOpens: false, trackClicks: false, formOrigins: ['https://www.example.com'], kinds: [] },
      suspension: { since: createdAt, bounceRate: 0.06, complaintRate: 0.001 },
      reputationBaseline: { date: '2026-11-20', sent: 10, delivered: 9, bounced: 1, complained: 0 },
      domains: [
        { domain: 'example.com', verified: true },
        { domain: 'example.net', verified: false },
      ],
      senders: [
        { email: 'hello@example.com', name: 'Ada', default: true },
        { email: 'news@example.com', name: null, default: false },
      ],
    });
  });

  it('are listed, and found by their public id', async () => {
    const workspaces = await modules.listWorkspaces();
    expect(workspaces.map(({ name }) => name).sort()).toEqual(['Full', 'Plain']);
    const { publicId = '' } = (await modules.getWorkspace(full)) ?? {};
    expect(await modules.findWorkspaceByPublicId(publicId)).toBe(full);
  });

  it('are suspended once, resumed and changed', async () => {
    const suspension = { since: now.toISOString(), bounceRate: 0.1, complaintRate: 0 };
    expect(await modules.suspend(full, suspension)).toBe(false);
    expect(await modules.suspend(plain, suspension)).toBe(true);
    const baseline = { date: '2026-11-21', sent: 1, delivered: 1, bounced: 0, complained: 0 };
    expect(await modules.resume(full, baseline)).toBe(true);
    expect(await modules.getWorkspace(full)).toMatchObject({ suspension: null, reputationBaseline: baseline });
    expect(await modules.updateSettings(full, { plan: 'free', trackOpens: true })).toBe(true);
    expect(await modules.getWorkspace(full)).toMatchObject({ plan: 'free', trackOpens: true, trackClicks: false });
    expect(await modules.updateSettings('ws_nobody', { plan: 'free' })).toBe(false);
    expect(await modules.resume('ws_nobody', baseline)).toBe(false);
  });

  it('can be read by that release once this one has written them', async () => {
    const workspace = { id: 'ws_new', publicId: 'new', name: 'New', plan: 'free', language: 'fr', createdAt } as const;
    await modules.putWorkspace(workspace);
    await modules.suspend('ws_new', { since: createdAt, bounceRate: 0.1, complaintRate: 0 });
    await modules.putDomain('ws_new', 'example.org', now, now);
    await modules.putSenders('ws_new', [{ email: 'a@example.org', name: 'A', default: true }], now);
    const kindOf = (sk: string | undefined) => sk?.split('#')[0];
    const written = await itemsOf('WS#ws_new');
    expect(written).toHaveLength(3);
    for (const item of written) {
      const former = records.filter(
        ({ pk, sk }) => /^WS#[^#]*$/.test(String(pk?.S)) && kindOf(sk?.S) === kindOf(item.sk?.S),
      );
      expect(former.length).toBeGreaterThan(0);
      expect(unreadableBefore(former, item)).toEqual([]);
    }
  });

  it('are read though a later release speaks more languages', async () => {
    const items = records.map((item) => (item.language ? { ...item, language: { S: 'de' } } : item));
    await fillTable(items);
    expect(await modules.getWorkspace(full)).toMatchObject({ language: 'en', name: 'Full' });
  });
});

describe('API keys of the release before', () => {
  it('open what they opened, and stay revoked', async () => {
    const keys = await modules.listApiKeys(full);
    expect(keys.map(({ keyName, scopes, revokedAt }) => [keyName, scopes, revokedAt])).toEqual(
      expect.arrayContaining([
        ['Live', ['emails:send', 'webhooks:read'], null],
        ['Gone', ['subscribers:read'], '2026-11-21T10:01:00.000Z'],
      ]),
    );
    for (const key of keys) expect((await modules.countKeyCall(key.fingerprint, now))?.key).toEqual(key);
    const live = keys.find(({ keyName }) => keyName === 'Live');
    if (!live) throw new Error('There is no live key.');
    await modules.revokeApiKey(live, now);
    const revoked = await modules.countKeyCall(live.fingerprint, now);
    expect(revoked?.key).toMatchObject({ revokedAt: now.toISOString() });
  });

  it('can be read by that release once this one has written them', async () => {
    const [key] = await modules.listApiKeys(full);
    if (!key) throw new Error('There is no key.');
    const { revokedAt: _, ...fresh } = { ...key, fingerprint: 'new', keyId: 'key_new' };
    await modules.putApiKey(fresh);
    const former = records.filter(({ fingerprint }) => fingerprint);
    for (const partition of ['KEY#new', `WS#${full}#KEYS`]) {
      const written = (await itemsOf(partition)).filter((item) => item.key_id?.S === 'key_new');
      expect(written).toHaveLength(1);
      expect(written.flatMap((item) => unreadableBefore(former, item))).toEqual([]);
    }
    await expect(modules.putApiKey(fresh)).rejects.toThrow('already');
  });

  it('keep the scopes that are known when a later release has given them more', async () => {
    const scopes = { L: [{ S: 'lists:write' }, { S: 'emails:send' }] };
    await fillTable(records.map((item) => (item.scopes ? { ...item, scopes } : item)));
    for (const key of await modules.listApiKeys(full)) expect(key.scopes).toEqual(['emails:send']);
  });
});
