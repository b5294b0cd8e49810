import { jest } from '@jest/globals';
import type { ImportProgress } from '../../../../shared/domain/job/work.ts';
import { addSeconds } from '../../../../shared/platform/clock.ts';
import { startJobsWorld } from './world.ts';

let world: Awaited<ReturnType<typeof startJobsWorld>>;
beforeAll(async () => {
  world = await startJobsWorld();
}, 60_000);
afterAll(() => world.stop());

let files = 0;
/** Lines of people whom no other test has. */
function linesOf(count: number): string[] {
  files += 1;
  return Array.from({ length: count }, (_, index) => `person${index}@file${files}.example,Ada ${index}`);
}
const csvOf = (lines: readonly string[]): string => ['email,firstName', ...lines, ''].join('\n');

async function progressOf(job: { readonly id: string }): Promise<ImportProgress> {
  const { work } = await world.jobOf(job);
  if (work.kind !== 'import') throw new Error('It is no import.');
  return work.progress;
}

async function peopleOf(domain: string): Promise<number> {
  const { getAddresses } = await import('../../../../shared/store/person/people.ts');
  const emails = Array.from({ length: 1300 }, (_, index) => `person${index}@${domain}`);
  const known = await getAddresses(world.workspaceId, emails, { consistent: true });
  return [...known.values()].filter(({ person }) => person.subscriber?.status === 'subscribed').length;
}

const refusedOf = async (id: string): Promise<string> => {
  const { importReport } = await import('../../../../shared/services/imports/background/report.ts');
  const answer = await fetch(await importReport(world.context(), { id }));
  expect(answer.headers.get('content-disposition')).toContain('attachment');
  return answer.text();
};

describe('an import in the background', () => {
  it('takes every line once, in however many turns, and goes on where the last one stopped', async () => {
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

  it('takes the last line of a person whom the next batch names again, though it was read before that was written', async () => {
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

  it('names refused lines by their numbers, in a file that no spreadsheet runs', async () => {
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

  it('is worked on by one at a time, and a message that comes again finds it done', async () => {
    const job = await world.begun(csvOf(linesOf(600)));
    await Promise.all([world.run(job), world.run(job), world.run(job)]);
    expect(await progressOf(job)).toMatchObject({ rows: 600, added: 600, updated: 0 });
    await world.run(job);
    expect(await progressOf(job)).toMatchObject({ rows: 600, added: 600, updated: 0 });
  });

  it('is taken up by the sweeper when its worker died, and what was under way changes nothing more', async () => {
    const lines = linesOf(600);
    const job = await world.begun(csvOf(lines));
    const { importBatches } = await import('../../../../shared/services/imports/batch.ts');
    // What a worker did that died before it noted it, its lease still running.
    const columns = [{ kind: 'email' }, { kind: 'firstName' }] as const;
    const options = { workspaceId: world.workspaceId, file: 'people.csv', columns, consentGiven: true };
    const batch = lines.slice(0, 500).map((line, index) => ({ line: index + 2, cells: line.split(',') }));
    const batches = (async function* () {
      yield batch;
    })();
    for await (const { result } of importBatches(options, batches)) expect(result.added).toBe(500);
    const seen = await world.jobOf(job);
    const leaseEnd = addSeconds(new Date(), 60);
    await world.store.changeJob(seen, { holder: 'dead', dueAt: leaseEnd.toISOString(), tries: 1 });
    await world.run(job);
    expect(await progressOf(job)).toMatchObject({ rows: 0 });

    const { sweepLateJobs } = await import('../../../../shared/services/sweep/lateJobs.ts');
    await sweepLateJobs(addSeconds(leaseEnd, 1));
    expect(await world.jobOf(job)).toMatchObject({ holder: null, state: 'running' });
    await world.run(job);
    expect(await progressOf(job)).toMatchObject({ rows: 600, added: 100, updated: 500, refused: 0 });
    expect(await peopleOf(`file${files}.example`)).toBe(600);
  });

  it('stops where it is cancelled, and what is done stays done', async () => {
    const job = await world.begun(csvOf(linesOf(1200)));
    await world.runOneBatch(job);
    const { cancelJob } = await import('../../../../shared/services/jobs/cancel.ts');
    await cancelJob(world.context(), { id: job.id });
    await world.run(job);
    expect(await world.jobOf(job)).toMatchObject({ state: 'canceled', dueAt: null });
    expect(await progressOf(job)).toMatchObject({ rows: 500 });
    expect(await peopleOf(`file${files}.example`)).toBe(500);
  });

  it('ends at what cannot be read, and says where; what stands before it was imported', async () => {
    const job = await world.begun(`${csvOf(linesOf(20))}"never closed,Eve\n${'more,lines\n'.repeat(50)}`);
    await world.run(job);
    const { state, failure } = await world.jobOf(job);
    expect(state).toBe('failed');
    expect(failure).toContain('from line 22 on: a quote is opened and not closed');
    expect(await progressOf(job)).toMatchObject({ rows: 20, added: 20 });
  });

  it('fails in words when its file is gone, and is given up when it gets nowhere', async () => {
    const job = await world.begun(csvOf(linesOf(3)));
    const { dropImport } = await import('../../../../shared/store/files/imports.ts');
    await dropImport(job, job.work.bytes, 0);
    await world.run(job);
    expect(await world.jobOf(job)).toMatchObject({ state: 'failed', failure: expect.stringContaining('not kept') });

    const other = await world.begun(csvOf(linesOf(3)));
    await world.store.changeJob(await world.jobOf(other), { work: { ...other.work, columns: null }, tries: 4 });
    await expect(world.run(other)).rejects.toThrow('not planned');
    expect(await world.jobOf(other)).toMatchObject({ state: 'failed', failure: expect.stringContaining('given up') });
  });

  it.each([
    ['a person', true, 'added'],
    ['somebody who has left', false, 'suppressed'],
  ] as const)(
    'is tried again when %s is being changed by others, and refuses nobody for it',
    async (_who, isPerson, figure) => {
      const [{ batchWrite }, { addressItemKey }] = await Promise.all([
        import('../../../../shared/store/table/batchWrite.ts'),
        import('../../../../shared/store/table/keys.ts'),
      ]);
      const lines = linesOf(3);
      const job = await world.begun(csvOf(lines));
      if (!isPerson) {
        const columns = [{ kind: 'email' }, { kind: 'everybody', standing: 'unsubscribe' }] as const;
        await world.store.changeJob(await world.jobOf(job), { work: { ...job.work, columns: [...columns] } });
      }
      // Each write finds that another came before it; the patience of a write passes quickly.
      const Key = addressItemKey(world.workspaceId, lines[1]?.split(',')[0] ?? '');
      await batchWrite([{ PutRequest: { Item: { ...Key, email: lines[1]?.split(',')[0] } } }]);
      let clock = performance.now();
      const quick = jest.spyOn(performance, 'now').mockImplementation(() => {
        clock += 1500;
        return clock;
      });
      await expect(world.run(job)).rejects.toThrow('Line 3: the address is being changed by many at once.');
      quick.mockRestore();
      expect(await world.jobOf(job)).toMatchObject({ state: 'running', holder: null });

      await batchWrite([{ DeleteRequest: { Key } }]);
      await world.run(job);
      expect((await world.jobOf(job)).state).toBe('done');
      const { rows, refused, ...progress } = await progressOf(job);
      expect([rows, refused, progress[figure] + progress.updated]).toEqual([3, 0, 3]);
    },
  );

  it('takes pieces in their order, each once, and of the right size', async () => {
    const [{ prepareImport }, { addImportPiece }, { pieceBytes }] = await Promise.all([
      import('../../../../shared/services/imports/background/prepare.ts'),
      import('../../../../shared/services/imports/background/addPiece.ts'),
      import('../../../../shared/domain/job/work.ts'),
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
