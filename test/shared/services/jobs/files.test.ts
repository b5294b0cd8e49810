import { putStream } from '../../../../shared/store/files/multipart.ts';
import { startJobsWorld } from './world.ts';

let world: Awaited<ReturnType<typeof startJobsWorld>>;
beforeAll(async () => {
  world = await startJobsWorld();
}, 60_000);
afterAll(() => world.stop());

describe('a file that is written as it is made', () => {
  it('is whole however long it is, and is not there before', async () => {
    const { getFile } = await import('../../../../shared/store/files/get.ts');
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

  it('is not there when it broke off', async () => {
    const { getFile } = await import('../../../../shared/store/files/get.ts');
    async function* broken(): AsyncGenerator<string> {
      yield 'x'.repeat(9_000_000);
      throw new Error('broken');
    }
    await expect(putStream('exports/test/broken', broken(), 'text/plain')).rejects.toThrow('broken');
    expect(await getFile('exports/test/broken')).toBeNull();
  });
});

describe('an export', () => {
  it('is noted in the name of who began it, is kept for a day, and ends when it is cancelled', async () => {
    const [{ startExport }, { downloadExport }, { cancelJob }, { pageOfAudit }] = await Promise.all([
      import('../../../../shared/services/exports/start.ts'),
      import('../../../../shared/services/exports/download.ts'),
      import('../../../../shared/services/jobs/cancel.ts'),
      import('../../../../shared/store/operator/audit.ts'),
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

describe('an erasure', () => {
  it('takes the address with it, and cannot be stopped', async () => {
    const [{ startErasure }, { cancelJob }, { getAddress }] = await Promise.all([
      import('../../../../shared/services/rights/start.ts'),
      import('../../../../shared/services/jobs/cancel.ts'),
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
});
