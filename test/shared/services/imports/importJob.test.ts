import { startJobsWorld } from '../jobs/world.ts';

let world: Awaited<ReturnType<typeof startJobsWorld>>;
let modules: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../../shared/services/imports/importJob.ts')),
  ...(await import('../../../../shared/services/imports/previewImport.ts')),
  ...(await import('../../../../shared/services/jobs/exportFile.ts')),
  ...(await import('../../../../shared/services/jobs/jobs.ts')),
});

beforeAll(async () => {
  world = await startJobsWorld();
  modules = await load();
}, 60_000);
afterAll(() => world.stop());

const conflict = { code: 'conflict' };
const refusedAt = (...paths: string[]) => ({ issues: paths.map((path) => expect.objectContaining({ path })) });
const email = { kind: 'email' } as const;

/** An import whose file of one piece is uploaded. */
async function uploaded(csv: string) {
  const bytes = Buffer.from(csv);
  const file = { filename: 'people.csv', bytes: bytes.length, suppressAs: null };
  const { id } = await modules.prepareImport(world.context(), file);
  await modules.addImportPiece(world.context(), { id, piece: 0, bytes });
  return id;
}
const plan = (id: string, consentGiven: boolean | null = true) =>
  modules.planImport(world.context(), { id, columns: [email], consentGiven, suppressAs: null });
const begin = (id: string, seen: number) => modules.beginImport(world.context(), { id, seen });
const cancel = (id: string) => modules.cancelJob(world.context(), { id });

describe('the file of an import', () => {
  const prepare = (bytes: number, filename = 'people.csv') =>
    modules.prepareImport(world.context(), { filename, bytes, suppressAs: null });

  it('has 1 byte to 1 GB', async () => {
    await expect(prepare(0)).rejects.toMatchObject(refusedAt('file'));
    expect((await prepare(1)).work).toMatchObject({ bytes: 1, received: 0 });
    expect((await prepare(1_000_000_000)).work).toMatchObject({ bytes: 1_000_000_000 });
    await expect(prepare(1_000_000_001)).rejects.toMatchObject(refusedAt('file'));
  });

  it('has a name of at most 255 characters, which is kept without folders and control characters', async () => {
    expect((await prepare(1, 'n'.repeat(255))).work.filename).toHaveLength(255);
    await expect(prepare(1, 'n'.repeat(256))).rejects.toMatchObject({ code: 'validation_error' });
    expect((await prepare(1, 'C:\\lists\\a\u0007/pe\u202Eople.csv')).work.filename).toBe('people.csv');
    expect((await prepare(1, 'lists/')).work.filename).toBe('file.csv');
  });

  it('has at most 200 columns', async () => {
    const header = (columns: number) =>
      ['email', ...Array.from({ length: columns - 1 }, (_, index) => `c${index}`)].join(',');
    const preview = async (columns: number) =>
      modules.previewImport(world.context(), { id: await uploaded(`${header(columns)}\nada@wide.example\n`) });
    expect((await preview(200)).columns).toHaveLength(200);
    await expect(preview(201)).rejects.toMatchObject(refusedAt('file'));
  });
});

describe('the preview of an import', () => {
  it('shows the first ten lines and counts all of them', async () => {
    const lines = Array.from({ length: 11 }, (_, index) => `p${index}@preview.example`);
    const { rows, lines: counted } = await modules.previewImport(world.context(), {
      id: await uploaded(['email', ...lines, ''].join('\n')),
    });
    expect(rows.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(counted).toEqual({ count: 11, isExact: true });
  });

  it('is refused before the file is complete', async () => {
    const file = { filename: 'a.csv', bytes: 10, suppressAs: null };
    const { id } = await modules.prepareImport(world.context(), file);
    await expect(modules.previewImport(world.context(), { id })).rejects.toMatchObject(conflict);
    await expect(begin(id, (await plan(id)).revision)).rejects.toMatchObject(conflict);
  });
});

describe('the verbs of an import', () => {
  it('begin it only as it was planned and seen, and only once', async () => {
    const id = await uploaded('email\nada@verbs.example\n');
    const { revision: unplanned } = await world.jobOf({ id });
    await expect(begin(id, unplanned)).rejects.toMatchObject(conflict);
    const { revision: first } = await plan(id);
    await expect(begin(id, (await plan(id, null)).revision)).rejects.toMatchObject(conflict);
    const { revision: latest } = await plan(id);
    await expect(begin(id, first)).rejects.toMatchObject(conflict);
    const begun = await begin(id, latest);
    expect(begun).toMatchObject({ state: 'running' });
    expect((await begin(id, latest)).revision).toBe(begun.revision);
    await expect(plan(id)).rejects.toMatchObject(conflict);
    await world.run({ id });
    expect(await begin(id, latest)).toMatchObject({ state: 'done' });
    await expect(plan(id)).rejects.toMatchObject(conflict);
  });

  it('change nothing after it was cancelled', async () => {
    const id = await uploaded('email\nada@canceled.example\n');
    const { revision } = await plan(id);
    const canceled = await cancel(id);
    expect(canceled).toMatchObject({ state: 'canceled' });
    expect(await cancel(id)).toEqual(canceled);
    await expect(begin(id, revision)).rejects.toMatchObject(conflict);
    await expect(begin(id, canceled.revision)).rejects.toMatchObject(conflict);
    await expect(plan(id)).rejects.toMatchObject(conflict);
    await world.run({ id });
    expect(await world.jobOf({ id })).toEqual(canceled);
  });

  it('take no piece after it was cancelled', async () => {
    const file = { filename: 'a.csv', bytes: 3, suppressAs: null };
    const { id } = await modules.prepareImport(world.context(), file);
    await cancel(id);
    const piece = { id, piece: 0, bytes: Buffer.from('abc') };
    await expect(modules.addImportPiece(world.context(), piece)).rejects.toMatchObject(conflict);
  });

  it('leave it done when it is cancelled afterwards, without a report when no line was refused', async () => {
    const job = await world.begun('email,firstName\nada@done.example,Ada\n');
    await world.run(job);
    expect(await cancel(job.id)).toMatchObject({ state: 'done' });
    await expect(modules.importReport(world.context(), { id: job.id })).rejects.toMatchObject({ code: 'not_found' });
    await expect(modules.downloadExport(world.context(), { id: job.id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('refuse columns without an address, and duplicates', async () => {
    const id = await uploaded('email,a\nada@columns.example,x\n');
    const planned = (columns: Parameters<typeof modules.planImport>[1]['columns']) =>
      modules.planImport(world.context(), { id, columns, consentGiven: true, suppressAs: null });
    const city = { kind: 'field', name: 'city' } as const;
    await expect(planned([city])).rejects.toMatchObject(refusedAt('columns.email'));
    await expect(planned([email, city, city])).rejects.toMatchObject(refusedAt('columns.fields.city'));
    expect((await planned([email, { kind: 'ignored' }])).work.columns).toHaveLength(2);
  });
});

describe('jobs', () => {
  it('are listed by kind, from the hundred newest', async () => {
    const kinds = ['import'] as const;
    const now = Date.now() + 60_000;
    for (let index = 0; index < 101; index += 1) {
      const context = { ...world.context(), now: new Date(now + index) };
      await modules.prepareImport(context, { filename: `${index}.csv`, bytes: 1, suppressAs: null });
    }
    const jobs = await modules.listJobs(world.context(), { kinds });
    expect(jobs).toHaveLength(100);
    const names = jobs.map(({ work }) => (work.kind === 'import' ? work.filename : ''));
    expect([names[0], names.at(-1)]).toEqual(['100.csv', '1.csv']);
    expect(await modules.listJobs(world.context(), { kinds: ['export'] })).toEqual([]);
  });

  it('keep the file of an export for a day', () => {
    const ended = new Date('2026-11-20T12:00:00.000Z');
    const later = (milliseconds: number) => new Date(ended.getTime() + milliseconds);
    const isKept = (at: Date) => modules.isExportKept(ended.toISOString(), at);
    expect([isKept(later(86_400_000 - 1)), isKept(later(86_400_000))]).toEqual([true, false]);
    expect(modules.isExportKept(null, ended)).toBe(false);
  });
});
