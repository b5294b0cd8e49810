import { fillTable, storedItems } from '../tableItems.ts';
import { startTestTable } from '../testTable.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const createdAt = now.toISOString();
const workspace = { id: 'ws_1', publicId: 'public', name: 'Full', plan: 'free', language: 'fr', createdAt } as const;
const suspension = { since: createdAt, bounceRate: 0.1, complaintRate: 0 };
const baseline = { date: '2026-11-21', sent: 1, delivered: 1, bounced: 0, complained: 0 };

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [workspaces, apiKeys] = await Promise.all([
    import('../../../../shared/store/workspace/workspaces.ts'),
    import('../../../../shared/store/workspace/apiKeys.ts'),
  ]);
  return { ...workspaces, ...apiKeys };
}

beforeAll(async () => {
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());
beforeEach(async () => {
  await fillTable([]);
  await modules.putWorkspace(workspace);
});

describe('a workspace', () => {
  it('is suspended once, resumed and changed', async () => {
    expect(await modules.suspend('ws_1', suspension)).toBe(true);
    expect(await modules.suspend('ws_1', { ...suspension, bounceRate: 0.2 })).toBe(false);
    expect(await modules.getWorkspace('ws_1')).toMatchObject({ suspension });
    expect(await modules.resume('ws_1', baseline)).toBe(true);
    expect(await modules.getWorkspace('ws_1')).toMatchObject({ suspension: null, reputationBaseline: baseline });
    expect(await modules.updateSettings('ws_1', { plan: 'growth', trackOpens: false })).toBe(true);
    expect(await modules.getWorkspace('ws_1')).toMatchObject({ plan: 'growth', trackOpens: false, trackClicks: true });
  });

  it('is created once, and never by a change', async () => {
    await expect(modules.putWorkspace(workspace)).rejects.toThrow('already');
    expect(await modules.updateSettings('ws_none', { plan: 'free' })).toBe(false);
    expect(await modules.resume('ws_none', baseline)).toBe(false);
    expect(await modules.suspend('ws_none', suspension)).toBe(false);
    expect(await modules.renameWorkspace('ws_none', 'None')).toBe(false);
    expect(await modules.getWorkspace('ws_none')).toBeNull();
  });

  it('is read in English when a later release has stored a language that is unknown here', async () => {
    await fillTable((await storedItems()).map((item) => (item.language ? { ...item, language: { S: 'de' } } : item)));
    expect(await modules.getWorkspace('ws_1')).toMatchObject({ language: 'en', name: 'Full' });
  });

  it('has API keys that keep their known scopes when a later release has given them more', async () => {
    const key = {
      ...{ workspaceId: 'ws_1', keyId: 'key_1', keyName: 'Live', lastFour: '4af3', fingerprint: 'print' },
      ...{ parent: null, validUntil: null },
    };
    await modules.putApiKey({ ...key, scopes: ['emails:send'], createdAt });
    await expect(modules.putApiKey({ ...key, scopes: [], createdAt })).rejects.toThrow('already');
    const scopes = { L: [{ S: 'lists:write' }, { S: 'emails:send' }] };
    await fillTable((await storedItems()).map((item) => (item.scopes ? { ...item, scopes } : item)));
    for (const stored of await modules.listApiKeys('ws_1')) expect(stored.scopes).toEqual(['emails:send']);
  });
});
