import type { ImportProgress, Job } from '../../../../shared/domain/job.ts';
import type { Context, KeyActor } from '../../../../shared/services/context.ts';
import { startJobsWorld } from './world.ts';

let world: Awaited<ReturnType<typeof startJobsWorld>>;
let modules: Awaited<ReturnType<typeof load>>;
beforeAll(async () => {
  world = await startJobsWorld();
  modules = await load();
}, 60_000);
afterAll(() => world.stop());

async function load() {
  const [uploaded, keys, exporting, rights, jobs, config, people, audit] = await Promise.all([
    import('../../../../shared/services/imports/uploadedImport.ts'),
    import('../../../../shared/services/keys.ts'),
    import('../../../../shared/services/exports.ts'),
    import('../../../../shared/services/rights/rightsJobs.ts'),
    import('../../../../shared/services/jobs/jobs.ts'),
    import('../../../../shared/platform/config.ts'),
    import('../../../../shared/store/person/people.ts'),
    import('../../../../shared/store/audit.ts'),
  ]);
  return { ...uploaded, ...keys, ...exporting, ...rights, ...jobs, ...config, ...people, ...audit };
}

/** The context of calls with a new key. */
async function keyContext(): Promise<Context<KeyActor>> {
  const scopes = ['subscribers:read', 'subscribers:write', 'subscribers:erase'] as const;
  const { id, name, last_four } = await modules.createKey(world.context(), { name: 'Shop', scopes });
  const actor = { kind: 'key', keyId: id, keyName: name, lastFour: last_four, scopes } as const;
  return { ...world.context(), actor };
}
const revoke = ({ actor }: Context<KeyActor>) => modules.revokeKey(world.context(), { id: actor.keyId });

const columns = [
  { header: 'Email', as: 'email' },
  { header: 'A', as: 'field', field: 'a' },
] as const;

/** Announced, and its file uploaded. */
async function uploaded(context: Context<KeyActor>, csv: string, consent_given = true): Promise<string> {
  const request = { filename: 'people.csv', size: Buffer.byteLength(csv), kind: 'subscribers' as const };
  const created = await modules.createImport(context, { ...request, consent_given, columns: [...columns] });
  const { id, upload } = await modules.withUpload(context, created);
  await replace(upload, csv);
  return id;
}

async function replace(upload: { url: string; headers: Readonly<Record<string, string>> }, csv: string) {
  expect((await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: csv })).status).toBe(200);
}

async function progressOf(job: Pick<Job, 'id'>): Promise<ImportProgress> {
  const { work } = await world.jobOf(job);
  if (work.kind !== 'import') throw new Error('The job is not an import.');
  return work.progress;
}

describe('an import of an uploaded file', () => {
  it('reads it in ranges, over several runs, in the name of the key', async () => {
    const context = await keyContext();
    // Three ranges, with lines and characters across their borders.
    const filler = 'é'.repeat(1000);
    const header = ['Email', 'A', ...Array.from({ length: 6 }, (_, index) => `F${index}`)];
    const lines = Array.from({ length: 700 }, (_, index) =>
      [`n${index}@ranges.example`, index, ...header.slice(2).map(() => filler)].join(','),
    );
    const csv = [header.join(','), ...lines, ''].join('\n');
    const size = Buffer.byteLength(csv);
    expect(size).toBeGreaterThan(8_000_000);
    const fields = header.slice(2).map((name) => ({ header: name, as: 'field' as const, field: name.toLowerCase() }));
    const created = await modules.createImport(context, {
      ...{ filename: '../people.csv', size, kind: 'subscribers', consent_given: true },
      columns: [...columns, ...fields],
    });
    await replace((await modules.withUpload(context, created)).upload, csv);
    await modules.startImport(context, created);
    await world.runOneBatch(created);
    expect(await progressOf(created)).toMatchObject({ rows: 500, added: 500, refused: 0 });
    await world.run(created);
    expect(await progressOf(created)).toMatchObject({ rows: 700, added: 700, refused: 0 });
    const [last] = await modules.getPeople(world.workspaceId, ['n699@ranges.example']);
    expect(last?.subscriber?.fields).toMatchObject({ a: '699', f0: filler, f5: filler });
    expect(last?.subscriber?.consents).toMatchObject([{ how: 'import', by: 'people.csv' }]);
    const { getFile, importUploadKey } = await import('../../../../shared/store/files/bucket.ts');
    expect(await getFile(importUploadKey(world.workspaceId, created.id))).toBeNull();
  });

  it('ends when the file is replaced after the start, and imports nothing of another one', async () => {
    const context = await keyContext();
    const csv = 'Email,A\none@replaced.example,1\n';
    const id = await uploaded(context, csv);
    const { upload } = await modules.withUpload(
      context,
      await modules.createImport(context, {
        ...{ filename: 'p.csv', size: csv.length, kind: 'subscribers', consent_given: true },
        columns: [...columns],
      }),
    );
    await modules.startImport(context, { id });
    const { presignImport } = await import('../../../../shared/store/files/importFiles.ts');
    const address = await presignImport({ workspaceId: world.workspaceId, id }, csv.length, {
      now: new Date(),
      expiresInSeconds: 60,
    });
    expect(new URL(address.url).pathname).not.toBe(new URL(upload.url).pathname);
    await replace(address, csv.replace('one', 'two'));
    await world.run({ id });
    expect(await world.jobOf({ id })).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('replaced after the start'),
    });
    const people = await modules.getPeople(world.workspaceId, ['one@replaced.example', 'two@replaced.example']);
    expect(people).toEqual([]);
  });

  it('requests no more confirmations than the keys of a workspace may', async () => {
    modules.takeSettings({ KEY_CONFIRMATIONS_PER_DAY: '4' });
    const { createWorkspace } = await import('../../../../shared/services/workspaces/workspaces.ts');
    const { id: workspaceId } = await createWorkspace(world.context(), { name: 'Free', plan: 'free', language: 'en' });
    const { putDomain, putSenders } = await import('../../../../shared/store/workspace/workspaces.ts');
    const now = new Date();
    await putDomain(workspaceId, 'free.example', now, now);
    await putSenders(workspaceId, [{ email: 'hello@free.example', name: 'Free', default: true }], now);
    const own = { ...(await keyContext()), workspaceId };
    const { id, name, last_four } = await modules.createKey(
      { ...world.context(), workspaceId },
      { name: 'K', scopes: [] },
    );
    const actor = { ...own.actor, keyId: id, keyName: name, lastFour: last_four };
    const context = { ...own, actor };
    // A tenth of the 3,000 of the plan; the 4 of a day are for the days after that.
    const lines = Array.from({ length: 310 }, (_, index) => `n${index}@free.example,1`);
    const jobId = await uploaded(context, ['Email,A', ...lines, ''].join('\n'), false);
    await modules.startImport(context, { id: jobId });
    const { runJob } = await import('../../../../shared/services/workers/runJob.ts');
    await runJob({ kind: 'job', workspace_id: workspaceId, job_id: jobId });
    const job = await world.store.getJob(workspaceId, jobId);
    expect(job).toMatchObject({ state: 'done', work: { progress: { rows: 310, added: 300, refused: 10 } } });
  });
});

describe('a job of a key that was revoked', () => {
  it('does not begin', async () => {
    const context = await keyContext();
    const exported = await modules.startExport(context, { format: 'csv' });
    const erased = await modules.startErasure(context, { email: 'kept@revoked.example' });
    const importId = await uploaded(context, 'Email,A\nnobody@revoked.example,1\n');
    await modules.startImport(context, { id: importId });
    await world.run(await world.begun('email,firstName\nkept@revoked.example,Kept\n'));
    await revoke(context);
    for (const job of [exported, erased, { id: importId }]) {
      await world.run(job);
      expect(await world.jobOf(job)).toMatchObject({
        state: 'failed',
        failure: expect.stringContaining('was revoked before it began'),
      });
    }
    const people = await modules.getPeople(world.workspaceId, ['kept@revoked.example', 'nobody@revoked.example']);
    expect(people.map(({ email }) => email)).toEqual(['kept@revoked.example']);
  });

  it('goes on to its end once it has begun', async () => {
    const context = await keyContext();
    const lines = Array.from({ length: 600 }, (_, index) => `n${index}@goes-on.example,1`);
    const id = await uploaded(context, ['Email,A', ...lines, ''].join('\n'));
    await modules.startImport(context, { id });
    await world.runOneBatch({ id });
    await revoke(context);
    await world.run({ id });
    expect(await world.jobOf({ id })).toMatchObject({ state: 'done', work: { progress: { added: 600 } } });
  });
});

describe('a job of a key', () => {
  it('is audited in its name, also by the worker', async () => {
    const context = await keyContext();
    const job = await modules.startErasure(context, { email: 'audited@keys.example' });
    expect(job.by).toEqual({ name: `Shop (…${context.actor.lastFour})`, role: 'owner' });
    await world.run(job);
    expect((await world.jobOf(job)).state).toBe('done');
    const { entries } = await modules.pageOfAudit(world.workspaceId, { limit: 10, after: undefined });
    expect(entries.find(({ action }) => action === 'person.erase')).toMatchObject({
      ...{ by: job.by.name, role: 'key', door: 'api', outcome: 'done' },
    });
  });

  it('is stored once by a call that repeats one that crashed', async () => {
    const context = { ...(await keyContext()), reservedId: 'email_01k9zq3v5c8r2m4n6p7s9t0wxy' };
    const first = await modules.startExport(context, { format: 'jsonl' });
    expect(first.id).toBe('job_01k9zq3v5c8r2m4n6p7s9t0wxy');
    await world.run(first);
    expect(await modules.startExport(context, { format: 'jsonl' })).toMatchObject({ id: first.id, state: 'done' });
  });
});
