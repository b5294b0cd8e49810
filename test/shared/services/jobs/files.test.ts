import { jest } from '@jest/globals';
import type { Job } from '../../../../shared/domain/job/job.ts';
import type { ImportWork } from '../../../../shared/domain/job/work.ts';
import { putStream } from '../../../../shared/store/files/multipart.ts';
import { startJobsWorld } from './world.ts';

let world: Awaited<ReturnType<typeof startJobsWorld>>;
beforeAll(async () => {
  world = await startJobsWorld();
}, 60_000);
afterAll(() => world.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

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

describe('the report of an import', () => {
  it('holds its pieces in their order, however many they are', async () => {
    const [{ joinRefused, putRefusedPiece }, { getFile }, { refusedReportKey }] = await Promise.all([
      import('../../../../shared/store/files/imports.ts'),
      import('../../../../shared/store/files/get.ts'),
      import('../../../../shared/store/files/keys.ts'),
    ]);
    const file = { workspaceId: world.workspaceId, id: 'job_report' };
    const lines = Array.from({ length: 35 }, (_, index) => `${index}\n`);
    await Promise.all(lines.map((line, index) => putRefusedPiece(file, index, line)));
    await joinRefused(file, lines.length, 'line\n');
    const report = await getFile(refusedReportKey(file.workspaceId, file.id));
    expect(report?.toString()).toBe(`line\n${lines.join('')}`);
  });
});

describe('a turn', () => {
  const jobOfFile = async (): Promise<Job<ImportWork>> => world.begun('email,firstName\nlise@turn.example,Lise\n');
  const taken = async (job: Job) => {
    const { Turn } = await import('../../../../shared/services/jobs/turn.ts');
    const turn = await Turn.take(await world.jobOf(job));
    if (!turn) throw new Error('Somebody is at it.');
    return turn;
  };

  it('keeps its lease through a step that says nothing, and ends as if it had not', async () => {
    const timers = jest.spyOn(globalThis, 'setInterval');
    const job = await jobOfFile();
    const turn = await taken(job);
    const { dueAt: before } = await world.jobOf(job);
    await turn.whileHeld(async () => {
      const [renew, milliseconds] = timers.mock.calls.at(-1) ?? [];
      expect(milliseconds).toBeLessThanOrEqual(40_000);
      await Promise.all([renew?.(), renew?.(), turn.note(turn.job.work)]);
      expect(Date.parse((await world.jobOf(job)).dueAt ?? '')).toBeGreaterThan(Date.parse(before ?? ''));
    });
    await turn.end('done', {});
    expect(await world.jobOf(job)).toMatchObject({ state: 'done', holder: null });
  });

  it('stops when it was cancelled in the middle of such a step', async () => {
    const timers = jest.spyOn(globalThis, 'setInterval');
    const { cancelJob } = await import('../../../../shared/services/jobs/cancel.ts');
    const job = await jobOfFile();
    const turn = await taken(job);
    const lost = turn.whileHeld(async () => {
      await cancelJob(world.context(), { id: job.id });
      await timers.mock.calls.at(-1)?.[0]();
      await turn.note(turn.job.work);
    });
    await expect(lost).rejects.toMatchObject({ name: 'LostJob' });
    expect(await world.jobOf(job)).toMatchObject({ state: 'canceled', dueAt: null });
  });

  it('is the last after five that died without a word', async () => {
    const { mostTries } = await import('../../../../shared/domain/job/job.ts');
    const job = await jobOfFile();
    for (let tries = 1; tries <= mostTries; tries += 1) {
      const turn = await taken(job);
      expect(turn.job.tries).toBe(tries);
      await turn.release(0);
    }
    await world.run(job);
    expect(await world.jobOf(job)).toMatchObject({ state: 'failed', failure: expect.stringContaining('given up') });
  });
});

describe('an export', () => {
  it('that always breaks is given up, though each time it got on for a while', async () => {
    const [{ batchWrite }, { deliveryKey }, { startPersonExport }, { mostTries }] = await Promise.all([
      import('../../../../shared/store/table/batchWrite.ts'),
      import('../../../../shared/store/table/keys.ts'),
      import('../../../../shared/services/rights/start.ts'),
      import('../../../../shared/domain/job/job.ts'),
    ]);
    const email = 'emmy@broken.example';
    const { workspaceId } = world;
    const Item = { ...deliveryKey(workspaceId, 'wh_1', 'whd_1'), body: email };
    await batchWrite([{ PutRequest: { Item } }]);
    const job = await startPersonExport(world.context(), { email });
    // Each look at the clock finds that it is time to say how far it is.
    let clock = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => {
      clock += 3000;
      return clock;
    });
    for (let tries = 1; tries <= mostTries; tries += 1) {
      expect((await world.jobOf(job)).state).toBe('running');
      await expect(world.run(job)).rejects.toThrow();
    }
    const given = await world.jobOf(job);
    expect(given).toMatchObject({ state: 'failed', failure: expect.stringContaining('given up') });
    expect(given.revision).toBeGreaterThan(1 + 2 * mostTries);
    await batchWrite([{ DeleteRequest: { Key: { pk: Item.pk, sk: Item.sk } } }]);
  });

  it.each(['csv', 'jsonl'] as const)(
    'that is too long for a turn says so, and is not begun anew: %s',
    async (format) => {
      const { startExport } = await import('../../../../shared/services/exports/start.ts');
      const job = await startExport(world.context(), { format });
      await world.runOneBatch(job);
      expect(await world.jobOf(job)).toMatchObject({
        state: 'failed',
        failure: expect.stringContaining('a quarter of an hour'),
      });
    },
  );

  it('of a person of whom nothing is found says that too', async () => {
    const { startPersonExport } = await import('../../../../shared/services/rights/start.ts');
    const job = await startPersonExport(world.context(), { email: 'nobody@turn.example' });
    await world.runOneBatch(job);
    expect(await world.jobOf(job)).toMatchObject({ state: 'failed' });
  });

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

describe('what is over', () => {
  it('keeps no address, however it ended', async () => {
    const [{ startErasure, startPersonExport }, { cancelJob }, { mostTries }] = await Promise.all([
      import('../../../../shared/services/rights/start.ts'),
      import('../../../../shared/services/jobs/cancel.ts'),
      import('../../../../shared/domain/job/job.ts'),
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
    await world.store.changeJob(await world.jobOf(givenUp), { tries: mostTries });
    await world.run(givenUp);

    const over = await Promise.all([canceled, refused, done, givenUp].map(world.jobOf));
    expect(over.map(({ state }) => state)).toEqual(['canceled', 'failed', 'done', 'failed']);
    expect(over.map(({ work }) => JSON.stringify(work)).filter((work) => /over\.example|"pk"/.test(work))).toEqual([]);
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

  it('goes on in another turn where the last one stopped, and leaves whoever came back meanwhile', async () => {
    const [{ startErasure }, { getAddress, getPeople, savePerson }, { batchWrite }, { readItem }, { newSubscriber }] =
      await Promise.all([
        import('../../../../shared/services/rights/start.ts'),
        import('../../../../shared/store/person/people.ts'),
        import('../../../../shared/store/table/batchWrite.ts'),
        import('../../../../shared/store/holdings/replace.ts'),
        import('../../../../shared/domain/person/subscriberValues.ts'),
      ]);
    const email = 'maryam@turns.example';
    await world.run(await world.begun(`email,firstName\n${email},Maryam\n`));
    const keys = Array.from({ length: 24 }, (_, index) => ({
      pk: `WS#${world.workspaceId}#NOTE#${index}`,
      sk: 'NOTE',
    }));
    await batchWrite(keys.map((key) => ({ PutRequest: { Item: { ...key, about: email } } })));
    const job = await startErasure(world.context(), { email });

    await world.runOneBatch(job);
    const paused = await world.jobOf(job);
    expect(paused).toMatchObject({ state: 'running', holder: null, tries: 0, work: { email } });
    const { person } = await getAddress(world.workspaceId, email);
    const back = { ...person, suppression: null, subscriber: newSubscriber('subscribed', new Date()) };
    expect(await savePerson(person, back, [])).toBe(true);

    let turns = 1;
    for (; (await world.jobOf(job)).state === 'running' && turns < 10; turns += 1) await world.runOneBatch(job);
    const { state, work } = await world.jobOf(job);
    expect([state, work]).toEqual(['done', expect.objectContaining({ email: null, position: null, records: 24 })]);
    expect(turns).toBeGreaterThan(2);
    const notes = await Promise.all(keys.map(readItem));
    expect(notes.filter((note) => note?.about === (work.kind === 'erasure' && work.alias))).toHaveLength(24);
    expect(await getPeople(world.workspaceId, [email])).toMatchObject([{ subscriber: { status: 'subscribed' } }]);
  });

  it('under way in the release before begins at the beginning, and changes nothing twice', async () => {
    const [{ startErasure }, { batchWrite }] = await Promise.all([
      import('../../../../shared/services/rights/start.ts'),
      import('../../../../shared/store/table/batchWrite.ts'),
    ]);
    const email = 'sofia@turns.example';
    const keys = Array.from({ length: 24 }, (_, index) => ({
      pk: `WS#${world.workspaceId}#SAID#${index}`,
      sk: 'SAID',
    }));
    await batchWrite(keys.map((key) => ({ PutRequest: { Item: { ...key, about: email } } })));
    const job = await startErasure(world.context(), { email });
    await world.runOneBatch(job);
    const { work } = await world.jobOf(job);
    // Nothing said where it stood.
    await world.store.changeJob(await world.jobOf(job), { work: { ...work, position: null } as typeof work });
    await world.run(job);
    expect(await world.jobOf(job)).toMatchObject({ state: 'done', work: { email: null, position: null, records: 24 } });
  });
});
