import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { startTestTable } from '../testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let store: typeof import('../../../../shared/store/workspace/apiKeys.ts');
let documents: typeof import('../../../../shared/store/table/table.ts').documents;
beforeAll(async () => {
  table = await startTestTable();
  store = await import('../../../../shared/store/workspace/apiKeys.ts');
  ({ documents } = await import('../../../../shared/store/table/table.ts'));
});
afterAll(() => table.stop());

const began = new Date('2026-11-21T10:00:30Z');
const minutesLater = (minutes: number) => new Date(began.getTime() + minutes * 60_000);

let made = 0;
async function newKey() {
  made += 1;
  const key = {
    workspaceId: 'ws_1',
    keyId: `key_${made}`,
    keyName: 'Shop',
    lastFour: 'abcd',
    fingerprint: `print_${made}`,
    scopes: ['emails:send' as const],
    createdAt: began.toISOString(),
    parent: null,
    validUntil: null,
  };
  await store.putApiKey(key);
  return { ...key, revokedAt: null };
}

const itemOf = async (fingerprint: string) => {
  const Key = { pk: `KEY#${fingerprint}`, sk: 'KEY' };
  return (await documents.send(new GetCommand({ TableName: 'test', Key, ConsistentRead: true }))).Item;
};

describe('a call of a key', () => {
  it('is answered with the key and with how many there were in its minute', async () => {
    const key = await newKey();
    await store.countKeyCall(key.fingerprint, began);
    const counted = await store.countKeyCall(key.fingerprint, began);
    expect(counted).toEqual({
      key,
      end: null,
      window: { count: 2, resetsAt: Date.parse('2026-11-21T10:01:00Z') / 1000 },
    });
    expect((await store.countKeyCall(key.fingerprint, minutesLater(1)))?.window.count).toBe(1);
  });

  it('is counted once, however many come at the same time', async () => {
    const { fingerprint } = await newKey();
    const counted = await Promise.all(Array.from({ length: 50 }, () => store.countKeyCall(fingerprint, began)));
    const counts = counted.map((each) => each?.window.count ?? 0).sort((a, b) => a - b);
    expect(counts).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  it('finds a revocation at once, also under way with others', async () => {
    const key = await newKey();
    const calls = Array.from({ length: 20 }, () => store.countKeyCall(key.fingerprint, began));
    await store.revokeApiKey(key, began);
    expect((await store.countKeyCall(key.fingerprint, began))?.key.revokedAt).toBe(began.toISOString());
    await Promise.all(calls);
    const [listed] = (await store.listApiKeys('ws_1')).filter(({ keyId }) => keyId === key.keyId);
    expect(listed?.revokedAt).toBe(began.toISOString());
  });

  it('keeps the date of a revocation when it is revoked again', async () => {
    const key = await newKey();
    await store.revokeApiKey(key, began);
    await store.revokeApiKey(key, minutesLater(5));
    expect((await store.countKeyCall(key.fingerprint, minutesLater(6)))?.key.revokedAt).toBe(began.toISOString());
    const listed = (await store.listApiKeys('ws_1')).find(({ keyId }) => keyId === key.keyId);
    expect(listed?.revokedAt).toBe(began.toISOString());
  });

  it('clears the counts of past minutes once there are nine of them', async () => {
    const { fingerprint } = await newKey();
    const counts: number[] = [];
    for (let call = 0; call < 10; call += 1) {
      await store.countKeyCall(fingerprint, minutesLater(call * 7));
      const names = Object.keys((await itemOf(fingerprint)) ?? {});
      counts.push(names.filter((name) => name.startsWith('calls_')).length);
    }
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 1]);
  });

  it('writes nothing for a key that there is not', async () => {
    expect(await store.countKeyCall('stranger', began)).toBeNull();
    expect(await itemOf('stranger')).toBeUndefined();
  });

  it('leaves few counts behind, in whatever minutes it comes', async () => {
    const { fingerprint } = await newKey();
    for (let call = 0; call < 60; call += 1) {
      const counted = await store.countKeyCall(fingerprint, minutesLater(call * 7));
      expect(counted?.window.count).toBe(1);
      const names = Object.keys((await itemOf(fingerprint)) ?? {}).filter((name) => name.startsWith('calls_'));
      expect(names.length).toBeLessThanOrEqual(10);
    }
  });
});

describe('when a key was last used', () => {
  it('is the minute of its last call, though nothing is written for it', async () => {
    const [used, unused] = [await newKey(), await newKey()];
    for (const minutes of [0, 1, 7]) await store.countKeyCall(used.fingerprint, minutesLater(minutes));
    const last = await store.lastCalls([used.fingerprint, unused.fingerprint, 'print_of_none']);
    expect([...last]).toEqual([[used.fingerprint, new Date('2026-11-21T10:07:00Z')]]);
  });
});
