import { aroundCalls } from '../store/aroundCalls.ts';
import { startTestTable } from '../store/testTable.ts';

let stop: () => Promise<void>;
let modules: Awaited<ReturnType<typeof load>>;
let operations: string[] = [];
const workspaceId = 'ws_1';
const at = (seconds: number) => new Date(Date.parse('2026-12-01T09:00:00.000Z') + seconds * 1000);
const cap = { messages: 2, days: 7 };

async function load() {
  const [places, counted, workspaces, table] = await Promise.all([
    import('../../../shared/services/capPlaces.ts'),
    import('../../../shared/store/person/countedMessages.ts'),
    import('../../../shared/store/workspace/workspaces.ts'),
    import('../../../shared/store/table/table.ts'),
  ]);
  return { ...places, ...counted, ...workspaces, ...table };
}

beforeAll(async () => {
  ({ stop } = await startTestTable());
  modules = await load();
  const [plan, language] = ['free', 'en'] as const;
  await modules.putWorkspace({ id: workspaceId, publicId: 'p', name: 'Test', plan, language, createdAt: '' });
  aroundCalls(modules.documents, (next) => (call) => {
    operations.push(call.operation);
    return next(call);
  });
});
afterAll(() => stop());
beforeEach(() => modules.changeFrequencyCap(workspaceId, cap));

let people = 0;
const someone = () => {
  people += 1;
  return { workspaceId, email: `p${people}@example.net` };
};
const idsOf = async (email: string) => (await modules.getCounted(workspaceId, email)).map(({ id }) => id);

describe('a place in the frequency cap', () => {
  it('is taken, kept and free again for the same message', async () => {
    const ada = someone();
    expect(await modules.takePlace(ada, 'run_1#1', at(0))).toMatchObject({ kind: 'taken' });
    expect(await modules.takePlace(ada, 'run_1#1', at(1))).toMatchObject({ kind: 'taken' });
    expect(await modules.takePlace(ada, 'run_1#1', at(600))).toMatchObject({ kind: 'taken' });
    expect(await modules.takePlace(ada, 'run_2#1', at(601))).toMatchObject({ kind: 'taken' });
    expect(await modules.takePlace(ada, 'run_3#1', at(602))).toEqual({ kind: 'full', until: at(600 + 7 * 86_400) });
    expect(await idsOf(ada.email)).toEqual(['run_1#1', 'run_2#1']);
  });

  it('is never taken by more messages than there are places, however many try at once', async () => {
    const ada = someone();
    const taken = await Promise.all(
      Array.from({ length: 8 }, (_, index) => modules.takePlace(ada, `run_${index}#1`, at(0))),
    );
    expect(taken.filter((place) => place?.kind === 'taken')).toHaveLength(2);
    expect(await idsOf(ada.email)).toHaveLength(2);
  });

  it('needs none where the cap was removed meanwhile', async () => {
    await modules.changeFrequencyCap(workspaceId, null);
    expect(await modules.takePlace(someone(), 'run_1#1', at(0))).toBeNull();
  });

  it('is given back as it was taken, so that another message gets it', async () => {
    const ada = someone();
    const first = await modules.takePlace(ada, 'run_1#1', at(0));
    await modules.takePlace(ada, 'run_2#1', at(1));
    if (first?.kind !== 'taken') throw new Error('It was not taken.');
    // Taken anew by another attempt, which may send it.
    await modules.takePlace(ada, 'run_1#1', at(100));
    await modules.returnPlace(ada, first.message);
    expect(await idsOf(ada.email)).toEqual(['run_2#1', 'run_1#1']);
    await modules.returnPlace(ada, { id: 'run_1#1', at: at(100).getTime() });
    await modules.returnPlace(ada, { id: 'run_2#1', at: at(1).getTime() });
    expect(await idsOf(ada.email)).toEqual([]);
    expect(await modules.takePlace(ada, 'run_3#1', at(2))).toMatchObject({ kind: 'taken' });
  });

  it('costs one message a read and a write, and a call of a campaign one read for all', async () => {
    const ada = someone();
    operations = [];
    await modules.takePlace(ada, 'run_1#1', at(0));
    expect(operations).toEqual(['BatchGetItem', 'UpdateItem']);
    const emails = Array.from({ length: 50 }, () => someone().email);
    operations = [];
    expect(await modules.peopleWithoutPlace(workspaceId, emails, { cap, id: 'camp_1' }, at(0))).toEqual(new Set());
    expect(operations.filter((one) => one === 'BatchGetItem')).toHaveLength(1);
    expect(operations.filter((one) => one === 'UpdateItem')).toHaveLength(50);
    operations = [];
    // A slice that is tried again.
    expect(await modules.peopleWithoutPlace(workspaceId, emails, { cap, id: 'camp_1' }, at(9))).toEqual(new Set());
    expect(operations).toEqual(['BatchGetItem']);
  });

  it('is named for those of a call who have none, also when another message takes the last one meanwhile', async () => {
    const [ada, bob, eve] = [someone(), someone(), someone()];
    for (const one of [ada, bob]) await modules.takePlace(one, 'run_1#1', at(0));
    await modules.takePlace(bob, 'run_2#1', at(1));
    const emails = [ada, bob, eve].map(({ email }) => email);
    const [full, other] = await Promise.all([
      modules.peopleWithoutPlace(workspaceId, emails, { cap, id: 'camp_2' }, at(2)),
      modules.takePlace(ada, 'run_3#1', at(2)),
    ]);
    expect(full.has(bob.email)).toBe(true);
    expect(full.has(eve.email)).toBe(false);
    expect(full.has(ada.email)).toBe(other?.kind === 'taken');
    expect(await idsOf(ada.email)).toHaveLength(2);
  });
});
