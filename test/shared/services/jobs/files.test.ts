import { jest } from '@jest/globals';
import type { ImportWork, Job } from '../../../../shared/domain/job.ts';
import { putStream } from '../../../../shared/store/files/bucket.ts';
import { startJobsWorld } from './world.ts';

let world: Awaited<ReturnType<typeof startJobsWorld>>;
beforeAll(async () => {
  world = await startJobsWorld();
}, 60_000);
afterAll(() => world.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

describe('a file that is written in pieces', () => {
  it('is complete at any length, and not visible before', async () => {
    const { getFile } = await import('../../../../shared/store/files/bucket.ts');
    const line = `${'é'.repeat(499)}\n`;
    for (const lines of [0, 1, 20_000]) {
      const key = `exports/test/${lines}`;
      async function* content(): AsyncGenerator<string> {
        for (let index = 0; index < lines; index += 1) {
          if (index === lines - 1) expect(await getFile(key)).toBeNull();
          yield line;
        }
      }
      const bytes = await putStream(key, content(), 'text/plain');
      expect(bytes).toBe(lines * Buffer.byteLength(line));
      const file = await getFile(key);
      expect(file?.length).toBe(bytes);
      expect(file?.equals(Buffer.from(line.repeat(lines)))).toBe(true);
    }
  });

  it('is not stored after an error', async () => {
    const { getFile } = await import('../../../../shared/store/files/bucket.ts');
    async function* broken(): AsyncGenerator<string> {
      yield 'x'.repeat(9_000_000);
      throw new Error('broken');
    }
    await expect(putStream('exports/test/broken', broken(), 'text/plain')).rejects.toThrow('broken');
    expect(await getFile('exports/test/broken')).toBeNull();
  });
});

describe('the report of an import', () => {
  it('contains any number of pieces in order', async () => {
    const [{ joinRefused, putRefusedPiece }, { getFile }, { refusedReportKey }] = await Promise.all([
      import('../../../../shared/store/files/importFiles.ts'),
      import('../../../../shared/store/files/bucket.ts'),
      import('../../../../shared/store/files/bucket.ts'),
    ]);
    const file = { workspaceId: world.workspaceId, id: 'job_report' };
    const lines = Array.from({ length: 35 }, (_, index) => `${index}\n`);
    await Promise.all(lines.map((line, index) => putRefusedPiece(file, index, line)));
    await joinRefused(file, lines.length, 'line\n');
    const report = await getFile(refusedReportKey(file.workspaceId, file.id));
    expect(report?.toString()).toBe(`line\n${lines.join('')}`);
  });
});

describe('a run of a job', () => {
  const jobOfFile = async (): Promise<Job<ImportWork>> => world.begun('email,firstName\nlise@run.example,Lise\n');
  const claimed = async (job: Job) => {
    const { JobRun } = await import('../../../../shared/services/jobs/jobRun.ts');
    const run = await JobRun.claim(await world.jobOf(job));
    if (!run) throw new Error('Another worker holds the job.');
    return run;
  };

  it('keeps its lease during a long step, and can end after it', async () => {
    const timers = jest.spyOn(globalThis, 'setInterval');
    const job = await jobOfFile();
    const run = await claimed(job);
    const { dueAt: before } = await world.jobOf(job);
    await run.withLease(async () => {
      const [renew, milliseconds] = timers.mock.calls.at(-1) ?? [];
      expect(milliseconds).toBeLessThanOrEqual(40_000);
      await Promise.all([renew?.(), renew?.(), run.saveProgress(run.job.work)]);
      expect(Date.parse((await world.jobOf(job)).dueAt ?? '')).toBeGreaterThan(Date.parse(before ?? ''));
    });
    await run.end('done', {});
    expect(await world.jobOf(job)).toMatchObject({ state: 'done', holder: null });
  });

  it('stops when the job is cancelled during a long step', async () => {
    const timers = jest.spyOn(globalThis, 'setInterval');
    const { cancelJob } = await import('../../../../shared/services/jobs/jobs.ts');
    const job = await jobOfFile();
    const run = await claimed(job);
    const lost = run.withLease(async () => {
      await cancelJob(world.context(), { id: job.id });
      await timers.mock.calls.at(-1)?.[0]();
      await run.saveProgress(run.job.work);
    });
    await expect(lost).rejects.toMatchObject({ name: 'LostJob' });
    expect(await world.jobOf(job)).toMatchObject({ state: 'canceled', dueAt: null });
  });

  it('is the last after five crashes', async () => {
    const { maxTries } = await import('../../../../shared/domain/job.ts');
    const job = await jobOfFile();
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const run = await claimed(job);
      expect(run.job.tries).toBe(tries);
      await run.release(0);
    }
    await world.run(job);
    expect(await world.jobOf(job)).toMatchObject({ state: 'failed', failure: expect.stringContaining('abandoned') });
  });
});

describe('an export', () => {
  it('that always fails is given up, whatever progress it showed', async () => {
    const [{ deleteItems, putItems }, { deliveryKey }, { startPersonExport }, { maxTries }] = await Promise.all([
      import('../../../../shared/store/table/batches.ts'),
      import('../../../../shared/store/table/keys.ts'),
      import('../../../../shared/services/rights/rightsJobs.ts'),
      import('../../../../shared/domain/job.ts'),
    ]);
    const email = 'emmy@broken.example';
    const { workspaceId } = world;
    const Item = { ...deliveryKey(workspaceId, 'wh_1', 'whd_1'), body: email };
    await putItems<{ body: string }>([Item]);
    const job = await startPersonExport(world.context(), { email });
    // Each reading of the clock is late enough to show progress.
    let clock = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => {
      clock += 3000;
      return clock;
    });
    for (let tries = 1; tries <= maxTries; tries += 1) {
      expect((await world.jobOf(job)).state).toBe('running');
      await expect(world.run(job)).rejects.toThrow();
    }
    const given = await world.jobOf(job);
    expect(given).toMatchObject({ state: 'failed', failure: expect.stringContaining('abandoned') });
    expect(given.revision).toBeGreaterThan(1 + 2 * maxTries);
    await deleteItems([{ pk: Item.pk, sk: Item.sk }]);
  });

  it.each(['csv', 'jsonl'] as const)(
    'that is too long for one run fails with that reason and is not retried: %s',
    async (format) => {
      const { startExport } = await import('../../../../shared/services/exports.ts');
      const job = await startExport(world.context(), { format });
      await world.runOneBatch(job);
      expect(await world.jobOf(job)).toMatchObject({
        state: 'failed',
        failure: expect.stringContaining('15 minutes'),
      });
    },
  );

  it('of an unknown person that is too long for one run fails too', async () => {
    const { startPersonExport } = await import('../../../../shared/services/rights/rightsJobs.ts');
    const job = await startPersonExport(world.context(), { email: 'nobody@run.example' });
    await world.runOneBatch(job);
    expect(await world.jobOf(job)).toMatchObject({ state: 'failed' });
  });

  it('is audited in the name of its operator, is kept for a day, and can be cancelled', async () => {
    const [{ startExport }, { downloadExport }, { cancelJob }, { pageOfAudit }] = await Promise.all([
      import('../../../../shared/services/exports.ts'),
      import('../../../../shared/services/jobs/exportFile.ts'),
      import('../../../../shared/services/jobs/jobs.ts'),
      import('../../../../shared/store/audit.ts'),
    ]);
    const people = await world.begun('email,firstName\nada@export.example,"=cmd|x"\n');
    await world.run(people);
    const job = await startExport(world.context(), { format: 'csv' });
    await expect(downloadExport(world.context(), { id: job.id })).rejects.toMatchObject({ code: 'not_found' });
    await world.run(job);
    const file = await (await fetch(await downloadExport(world.context(), { id: job.id }))).text();
    expect(file).toContain("ada@export.example,subscribed,'=cmd|x");
    const later = { ...world.context(), now: new Date(Date.now() + 86_500_000) };
    await expect(downloadExport(later, { id: job.id })).rejects.toMatchObject({ code: 'not_found' });

    const other = await startExport(world.context(), { format: 'jsonl' });
    await cancelJob(world.context(), { id: other.id });
    await world.run(other);
    expect(await world.jobOf(other)).toMatchObject({ state: 'canceled' });
    const { entries } = await pageOfAudit(world.workspaceId, { limit: 20, after: undefined });
    const said = entries.map(({ action, outcome }) => `${action} ${outcome}`);
    expect(said).toEqual(expect.arrayContaining(['subscriber.export done', 'export.download done', 'job.cancel done']));
  });
});

describe('an ended job', () => {
  it('keeps no address in any end state', async () => {
    const [{ startErasure, startPersonExport }, { cancelJob }, { maxTries }] = await Promise.all([
      import('../../../../shared/services/rights/rightsJobs.ts'),
      import('../../../../shared/services/jobs/jobs.ts'),
      import('../../../../shared/domain/job.ts'),
    ]);
    const email = 'katherine@over.example';
    const [canceled, refused, done] = [
      await startPersonExport(world.context(), { email }),
      await startPersonExport(world.context(), { email }),
      await startPersonExport(world.context(), { email }),
    ];
    await cancelJob(world.context(), { id: canceled.id });
    await world.runOneBatch(refused);
    await world.run(done);
    const givenUp = await startErasure(world.context(), { email });
    await world.runOneBatch(givenUp);
    await world.store.changeJob(await world.jobOf(givenUp), { tries: maxTries });
    await world.run(givenUp);

    const over = await Promise.all([canceled, refused, done, givenUp].map(world.jobOf));
    expect(over.map(({ state }) => state)).toEqual(['canceled', 'failed', 'done', 'failed']);
    expect(over.map(({ work }) => JSON.stringify(work)).filter((work) => /over\.example|"pk"/.test(work))).toEqual([]);
  });
});

describe('an erasure', () => {
  it('deletes the address from its own record, and cannot be cancelled', async () => {
    const [{ startErasure }, { cancelJob }, { getAddress }] = await Promise.all([
      import('../../../../shared/services/rights/rightsJobs.ts'),
      import('../../../../shared/services/jobs/jobs.ts'),
      import('../../../../shared/store/person/people.ts'),
    ]);
    await world.run(await world.begun('email,firstName\nhedy@erase.example,Hedy\n'));
    const job = await startErasure(world.context(), { email: 'Hedy@erase.example' });
    await expect(cancelJob(world.context(), { id: job.id })).rejects.toMatchObject({ code: 'conflict' });
    await world.run(job);
    const { state, work } = await world.jobOf(job);
    expect([state, work]).toEqual(['done', expect.objectContaining({ email: null, alias: expect.any(String) })]);
    const { person } = await getAddress(world.workspaceId, 'hedy@erase.example');
    expect([person.subscriber, person.suppression?.isErased]).toEqual([null, true]);
  });

  it('continues in another run, and leaves a person who has subscribed again meanwhile', async () => {
    const [{ startErasure }, { getAddress, getPeople, savePerson }, { putItems }, { getItem }, { newSubscriber }] =
      await Promise.all([
        import('../../../../shared/services/rights/rightsJobs.ts'),
        import('../../../../shared/store/person/people.ts'),
        import('../../../../shared/store/table/batches.ts'),
        import('../../../../shared/store/table/table.ts'),
        import('../../../../shared/domain/person/person.ts'),
      ]);
    const email = 'maryam@runs.example';
    await world.run(await world.begun(`email,firstName\n${email},Maryam\n`));
    const keys = Array.from({ length: 24 }, (_, index) => ({
      pk: `WS#${world.workspaceId}#NOTE#${index}`,
      sk: 'NOTE',
    }));
    await putItems<{ about: string }>(keys.map((key) => ({ ...key, about: email })));
    const job = await startErasure(world.context(), { email });

    await world.runOneBatch(job);
    const paused = await world.jobOf(job);
    expect(paused).toMatchObject({ state: 'running', holder: null, tries: 0, work: { email } });
    const { person } = await getAddress(world.workspaceId, email);
    const back = { ...person, suppression: null, subscriber: newSubscriber('subscribed', new Date()) };
    expect(await savePerson(person, back, [])).toBe(true);

    let runs = 1;
    for (; (await world.jobOf(job)).state === 'running' && runs < 10; runs += 1) await world.runOneBatch(job);
    const { state, work } = await world.jobOf(job);
    expect([state, work]).toEqual(['done', expect.objectContaining({ email: null, position: null, records: 24 })]);
    expect(runs).toBeGreaterThan(2);
    const notes = await Promise.all(keys.map((key) => getItem(key)));
    expect(notes.filter((note) => note?.about === (work.kind === 'erasure' && work.alias))).toHaveLength(24);
    expect(await getPeople(world.workspaceId, [email])).toMatchObject([{ subscriber: { status: 'subscribed' } }]);
  });

  it('without a stored position starts at the beginning, and changes no record twice', async () => {
    const [{ startErasure }, { putItems }] = await Promise.all([
      import('../../../../shared/services/rights/rightsJobs.ts'),
      import('../../../../shared/store/table/batches.ts'),
    ]);
    const email = 'sofia@runs.example';
    const keys = Array.from({ length: 24 }, (_, index) => ({
      pk: `WS#${world.workspaceId}#SAID#${index}`,
      sk: 'SAID',
    }));
    await putItems<{ about: string }>(keys.map((key) => ({ ...key, about: email })));
    const job = await startErasure(world.context(), { email });
    await world.runOneBatch(job);
    const { work } = await world.jobOf(job);
    await world.store.changeJob(await world.jobOf(job), { work: { ...work, position: null } as typeof work });
    await world.run(job);
    expect(await world.jobOf(job)).toMatchObject({ state: 'done', work: { email: null, position: null, records: 24 } });
  });
});
