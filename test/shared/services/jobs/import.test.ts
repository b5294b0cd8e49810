import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';
import type { ImportProgress } from '../../../../shared/domain/job.ts';
import { addSeconds } from '../../../../shared/platform/clock.ts';
import { aroundCalls } from '../../store/aroundCalls.ts';
import { startJobsWorld } from './world.ts';

let world: Awaited<ReturnType<typeof startJobsWorld>>;
beforeAll(async () => {
  world = await startJobsWorld();
}, 60_000);
afterAll(() => world.stop());

let files = 0;
/** Lines of people that no other test uses. */
function linesOf(count: number): string[] {
  files += 1;
  return Array.from({ length: count }, (_, index) => `person${index}@file${files}.example,Ada ${index}`);
}
const csvOf = (lines: readonly string[]): string => ['email,firstName', ...lines, ''].join('\n');

async function progressOf(job: { readonly id: string }): Promise<ImportProgress> {
  const { work } = await world.jobOf(job);
  if (work.kind !== 'import') throw new Error('The job is not an import.');
  return work.progress;
}

async function peopleOf(domain: string): Promise<number> {
  const { getAddresses } = await import('../../../../shared/store/person/people.ts');
  const emails = Array.from({ length: 1300 }, (_, index) => `person${index}@${domain}`);
  const known = await getAddresses(world.workspaceId, emails, { consistent: true });
  return [...known.values()].filter(({ person }) => person.subscriber?.status === 'subscribed').length;
}

const refusedOf = async (id: string): Promise<string> => {
  const { importReport } = await import('../../../../shared/services/imports/importJob.ts');
  const answer = await fetch(await importReport(world.context(), { id }));
  expect(answer.headers.get('content-disposition')).toContain('attachment');
  return answer.text();
};

const conflict = () =>
  new TransactionCanceledException({
    ...{ message: 'Refused for a test.', $metadata: {} },
    CancellationReasons: [{ Code: 'TransactionConflict' }],
  });

describe('an import job', () => {
  it('imports every line once over several runs', async () => {
    const job = await world.begun(csvOf(linesOf(1300)));
    for (const rows of [500, 1000, 1300]) {
      await world.runOneBatch(job);
      expect(await progressOf(job)).toMatchObject({ rows, added: rows });
      expect(await world.jobOf(job)).toMatchObject({ state: 'running', holder: null });
    }
    await world.runOneBatch(job);
    expect(await world.jobOf(job)).toMatchObject({ state: 'done' });
    expect(await progressOf(job)).toMatchObject({ rows: 1300, added: 1300, updated: 0, refused: 0 });
    expect(await peopleOf(`file${files}.example`)).toBe(1300);
  });

  it('uses the last line of a person also across batches that are read ahead', async () => {
    const lines = linesOf(1100);
    const [first = ''] = lines[0]?.split(',') ?? [];
    lines[499] = `${first},Grace`;
    lines[500] = `${first},Alan`;
    lines[1000] = `${first},Emmy`;
    const job = await world.begun(csvOf(lines));
    await world.run(job);
    expect(await progressOf(job)).toMatchObject({ rows: 1100, added: 1097, updated: 3, refused: 0 });
    const { getPeople } = await import('../../../../shared/store/person/people.ts');
    const [person] = await getPeople(world.workspaceId, [first]);
    expect(person).toMatchObject({ version: 4, subscriber: { firstName: 'Emmy' } });
  });

  it('reports refused lines by number, guarded against formulas', async () => {
    const lines = linesOf(700);
    lines[3] = '=HYPERLINK("http://x.example"),Eve';
    lines[650] = '@nobody,"<img src=x>"';
    const job = await world.begun(csvOf(lines));
    await world.runOneBatch(job);
    await world.run(job);
    expect(await progressOf(job)).toMatchObject({ rows: 700, added: 698, refused: 2 });
    const report = (await refusedOf(job.id)).trim().split('\n');
    expect(report).toEqual([
      'line,email,reason',
      expect.stringMatching(/^5,"?'=HYPERLINK/),
      expect.stringMatching(/^652,'@nobody,email /),
    ]);
  });

  it('is run by one worker at a time, and a repeated message changes nothing', async () => {
    const job = await world.begun(csvOf(linesOf(600)));
    await Promise.all([world.run(job), world.run(job), world.run(job)]);
    expect(await progressOf(job)).toMatchObject({ rows: 600, added: 600, updated: 0 });
    await world.run(job);
    expect(await progressOf(job)).toMatchObject({ rows: 600, added: 600, updated: 0 });
  });

  it('waits for a person whom others keep changing for longer than one write is tried', async () => {
    const lines = linesOf(30);
    const [busy = ''] = String(lines[7]).split(',');
    const { documents } = await import('../../../../shared/store/table/table.ts');
    const end = performance.now() + 10_000;
    const release = aroundCalls(documents, (next) => (command) => {
      const isTheirs = /Write|Put/.test(command.operation) && JSON.stringify(command.input).includes(busy);
      if (isTheirs && performance.now() < end) throw conflict();
      return next(command);
    });
    const job = await world.begun(csvOf(lines));
    await world.run(job);
    release();
    expect(await progressOf(job)).toMatchObject({ rows: 30, added: 30, refused: 0 });
    expect(await world.jobOf(job)).toMatchObject({ state: 'done' });
  });

  it('is resumed by the sweeper after a crash, and repeating the interrupted batch changes nothing', async () => {
    const lines = linesOf(600);
    const job = await world.begun(csvOf(lines));
    const { importBatches } = await import('../../../../shared/services/imports/internal/batch.ts');
    // A worker that crashed after a batch, before it saved the progress, with a valid lease.
    const columns = [{ kind: 'email' }, { kind: 'firstName' }] as const;
    const options = { workspaceId: world.workspaceId, file: 'people.csv', columns, consentGiven: true };
    const batch = lines.slice(0, 500).map((line, index) => ({ line: index + 2, cells: line.split(',') }));
    const batches = (async function* () {
      yield batch;
    })();
    for await (const { result } of importBatches(options, batches)) expect(result.added).toBe(500);
    const seen = await world.jobOf(job);
    const leaseEnd = addSeconds(new Date(), 60);
    await world.store.changeJob(seen, { holder: 'crashed', dueAt: leaseEnd.toISOString(), tries: 1 });
    await world.run(job);
    expect(await progressOf(job)).toMatchObject({ rows: 0 });

    const { sweepLateJobs } = await import('../../../../shared/services/sweep/requeue.ts');
    await sweepLateJobs(addSeconds(leaseEnd, 1));
    expect(await world.jobOf(job)).toMatchObject({ holder: null, state: 'running' });
    await world.run(job);
    expect(await progressOf(job)).toMatchObject({ rows: 600, added: 100, updated: 500, refused: 0 });
    expect(await peopleOf(`file${files}.example`)).toBe(600);
  });

  it('stops when it is cancelled, and keeps what is imported', async () => {
    const job = await world.begun(csvOf(linesOf(1200)));
    await world.runOneBatch(job);
    const { cancelJob } = await import('../../../../shared/services/jobs/jobs.ts');
    await cancelJob(world.context(), { id: job.id });
    await world.run(job);
    expect(await world.jobOf(job)).toMatchObject({ state: 'canceled', dueAt: null });
    expect(await progressOf(job)).toMatchObject({ rows: 500 });
    expect(await peopleOf(`file${files}.example`)).toBe(500);
  });

  it('fails at a syntax error with its position, after it has imported the lines before', async () => {
    const job = await world.begun(`${csvOf(linesOf(20))}"never closed,Eve\n${'more,lines\n'.repeat(50)}`);
    await world.run(job);
    const { state, failure } = await world.jobOf(job);
    expect(state).toBe('failed');
    expect(failure).toContain('from line 22 on: a quote is opened and never closed');
    expect(await progressOf(job)).toMatchObject({ rows: 20, added: 20 });
  });

  it('fails with a reason when its file is gone, and is given up without progress', async () => {
    const job = await world.begun(csvOf(linesOf(3)));
    const { dropImport } = await import('../../../../shared/store/files/importFiles.ts');
    await dropImport(job, job.work);
    await world.run(job);
    expect(await world.jobOf(job)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('no longer stored'),
    });

    const other = await world.begun(csvOf(linesOf(3)));
    await world.store.changeJob(await world.jobOf(other), { work: { ...other.work, columns: null }, tries: 4 });
    await expect(world.run(other)).rejects.toThrow('without a plan');
    expect(await world.jobOf(other)).toMatchObject({ state: 'failed', failure: expect.stringContaining('abandoned') });
  });

  it.each([
    ['a person', true, 'added'],
    ['somebody who has left', false, 'suppressed'],
  ] as const)(
    'is retried when %s is changed by other processes, without refusing the line',
    async (_who, isPerson, figure) => {
      const [{ deleteItems, putItems }, { addressItemKey }] = await Promise.all([
        import('../../../../shared/store/table/batches.ts'),
        import('../../../../shared/store/table/keys.ts'),
      ]);
      const lines = linesOf(3);
      const job = await world.begun(csvOf(lines));
      if (!isPerson) {
        const columns = [{ kind: 'email' }, { kind: 'everybody', standing: 'unsubscribe' }] as const;
        await world.store.changeJob(await world.jobOf(job), { work: { ...job.work, columns: [...columns] } });
      }
      // Each write conflicts, and the time limit for retries passes quickly.
      const Key = addressItemKey(world.workspaceId, lines[1]?.split(',')[0] ?? '');
      await putItems<{ email: string | undefined }>([{ ...Key, email: lines[1]?.split(',')[0] }]);
      let clock = performance.now();
      const quick = jest.spyOn(performance, 'now').mockImplementation(() => {
        clock += 1500;
        return clock;
      });
      await expect(world.run(job)).rejects.toThrow('Line 3: too many processes are changing this address.');
      quick.mockRestore();
      expect(await world.jobOf(job)).toMatchObject({ state: 'running', holder: null });

      await deleteItems([Key]);
      await world.run(job);
      expect((await world.jobOf(job)).state).toBe('done');
      const { rows, refused, ...progress } = await progressOf(job);
      expect([rows, refused, progress[figure] + progress.updated]).toEqual([3, 0, 3]);
    },
  );

  it('accepts pieces in order, each once, and of the right size', async () => {
    const [{ prepareImport }, { addImportPiece }, { pieceBytes }] = await Promise.all([
      import('../../../../shared/services/imports/importJob.ts'),
      import('../../../../shared/services/imports/importJob.ts'),
      import('../../../../shared/domain/job.ts'),
    ]);
    const bytes = pieceBytes + 3;
    const { id } = await prepareImport(world.context(), { filename: 'a.csv', bytes, suppressAs: null });
    const send = (piece: number, length: number) =>
      addImportPiece(world.context(), { id, piece, bytes: Buffer.alloc(length, 'x') });
    await expect(send(1, 3)).rejects.toMatchObject({ code: 'conflict' });
    await expect(send(0, 5)).rejects.toMatchObject({ code: 'conflict' });
    await send(0, pieceBytes);
    await send(0, pieceBytes);
    expect((await send(1, 3)).work.received).toBe(2);
  });
});
