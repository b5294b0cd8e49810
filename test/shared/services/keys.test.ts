import { startTestTable } from '../store/testTable.ts';
import { operatorContext } from './context.ts';

let stop: () => Promise<void>;
let verbs: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../shared/services/keys.ts')),
  ...(await import('../../../shared/services/workspaces/workspaces.ts')),
});

beforeAll(async () => {
  ({ stop } = await startTestTable());
  verbs = await load();
});
afterAll(() => stop());

it('a key that is revoked twice keeps the date of the first time, in the answer and in the list', async () => {
  const workspace = await verbs.createWorkspace(operatorContext(), { name: 'Test', plan: 'free', language: 'en' });
  const at = (time: string) => operatorContext(workspace.id, new Date(time));
  const { id } = await verbs.createKey(at('2026-11-20T10:00:00.000Z'), { name: 'Shop', scopes: ['emails:send'] });
  const first = await verbs.revokeKey(at('2026-11-21T10:00:00.000Z'), { id });
  const second = await verbs.revokeKey(at('2026-11-22T10:00:00.000Z'), { id });
  expect(first.revoked_at).toBe('2026-11-21T10:00:00.000Z');
  expect(second).toEqual(first);
  expect(await verbs.listKeys(at('2026-11-22T11:00:00.000Z'))).toMatchObject([{ id, revoked_at: first.revoked_at }]);
});
