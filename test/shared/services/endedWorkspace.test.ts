import { operatorContext } from './context.ts';
import { startQueuesAndTable } from './queuesAndTable.ts';
import { declaredVerbs } from './verbs.ts';

let engines: Awaited<ReturnType<typeof startQueuesAndTable>>;
let verbs: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../shared/services/keys.ts')),
  ...(await import('../../../shared/services/reputation.ts')),
  ...(await import('../../../shared/services/workers/handleDueMail.ts')),
  ...(await import('../../../shared/services/imports/internal/batch.ts')),
  ...(await import('../../../shared/store/workspace/deletions.ts')),
  ...(await import('../../../shared/store/workspace/apiKeys.ts')),
  store: await import('../../../shared/store/workspace/workspaces.ts'),
  people: await import('../../../shared/store/person/people.ts'),
  audit: await import('../../../shared/store/audit.ts'),
});

beforeAll(async () => {
  engines = await startQueuesAndTable();
  verbs = await load();
});
afterAll(() => engines.stop());

const made = async () =>
  (await verbs.createWorkspace(operatorContext(), { name: 'Test', plan: 'free', language: 'en' })).id;
const closed = { code: 'conflict', details: { status: 'deleting' } };

describe('a workspace that is being deleted', () => {
  it('refuses every verb of an operator but its deletion, and notes none in its audit log', async () => {
    const id = await made();
    await verbs.deleteWorkspace(operatorContext(id), { name: 'Test' });
    const all = await declaredVerbs();
    expect(all.length).toBeGreaterThan(50);
    const open: string[] = [];
    for (const { action, call } of all) {
      const outcome = await call(operatorContext(id)).catch((error: unknown) => error);
      if (!(outcome instanceof Error && outcome.message.includes('is being deleted'))) open.push(action);
    }
    expect(open).toEqual(['workspace.delete']);
    expect((await verbs.audit.pageOfAudit(id, { limit: 5, after: undefined })).entries).toEqual([]);
  });

  it('stays suspended for a verb that looked at it a moment before', async () => {
    const id = await made();
    await verbs.closeWorkspace(id, new Date());
    const baseline = { date: '2026-11-21', sent: 0, delivered: 0, bounced: 0, complained: 0 };
    expect(await verbs.store.resume(id, baseline)).toBe(false);
    expect((await verbs.store.getWorkspace(id))?.suspension).not.toBeNull();
  });

  it('gets no key by a verb that looked at it a moment before', async () => {
    const id = await made();
    const key = {
      ...{ workspaceId: id, keyId: 'key_1', keyName: 'Late', lastFour: 'abcd', fingerprint: 'late', scopes: [] },
      ...{ parent: null, validUntil: null },
    };
    await verbs.closeWorkspace(id, new Date());
    expect(await verbs.putApiKey({ ...key, createdAt: new Date().toISOString() })).toBe(false);
    expect(await verbs.listApiKeys(id)).toEqual([]);
    await expect(verbs.createKey(operatorContext(id), { name: 'Late', scopes: [] })).rejects.toMatchObject(closed);
  });

  it('stores nobody who signed up before, and no further lines of an import', async () => {
    const id = await made();
    await verbs.closeWorkspace(id, new Date());
    const email = 'late@people.example';
    const signUp = { kind: 'sign_up', workspace_id: id, email, first_name: null, last_name: null };
    await verbs.handleDueMail(JSON.stringify(signUp), new Date());
    const options = { workspaceId: id, file: 'people.csv', columns: [{ kind: 'email' as const }], consentGiven: true };
    const batches = (async function* () {
      yield [{ line: 2, cells: [email] }];
    })();
    const imported = (async () => {
      for await (const _ of verbs.importBatches(options, batches as never)) throw new Error('A batch was written.');
    })();
    await expect(imported).rejects.toMatchObject(closed);
    expect((await verbs.people.getAddress(id, email)).person.subscriber).toBeNull();
  });

  it('is closed by the sweeper when who began its deletion died before', async () => {
    const id = await made();
    const deletion = { requested_at: new Date().toISOString(), due_pk: 'DUE#DELETION', due_sk: '2026-01-01' };
    const { putItem } = await import('../../../shared/store/table/write.ts');
    const { deletionKey } = await import('../../../shared/store/table/keys.ts');
    await putItem<typeof deletion>(deletionKey(id), deletion);
    const { sweepDueDeletions } = await import('../../../shared/services/sweep/deleteWorkspaces.ts');
    await sweepDueDeletions(new Date()).catch(() => {});
    expect(await verbs.store.isWorkspaceEnded(id)).toBe(true);
    expect((await verbs.showWorkspace(operatorContext(id))).sending.suspended).toBe(true);
  });
});
