import { addSeconds } from '../../../../shared/platform/clock.ts';
import { startTestTable } from '../../store/testTable.ts';
import { operatorContext } from '../context.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let run: Awaited<ReturnType<typeof load>>;
let workspaceId: string;

const load = async () => ({
  ...(await import('../../../../shared/services/confirmations/pause.ts')),
  ...(await import('../../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../../shared/store/serviceMail.ts')),
  ...(await import('../../../../shared/store/table/transaction.ts')),
  ...(await import('../../../../shared/store/workspace/workspaces.ts')),
});

beforeAll(async () => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
  table = await startTestTable();
  run = await load();
});
afterAll(() => table.stop());
beforeEach(async () => {
  const created = await run.createWorkspace(operatorContext(), { name: 'Test', plan: 'free', language: 'en' });
  workspaceId = created.id;
});

const noon = new Date('2026-11-20T12:00:00.000Z');
const hours = (count: number) => addSeconds(noon, count * 3600);
const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const damage = { delivered: 60, bounced: 50 };

/** Outcomes of confirmations, reported at this time. */
const report = (at: Date, counts: { delivered?: number; bounced?: number }) =>
  run.transact([run.serviceMailPart(workspaceId, dayOf(at), counts)]);

/** Judges the workspace; whether its confirmations are paused then. */
async function isPausedAt(at: Date): Promise<boolean> {
  const workspace = await run.getWorkspace(workspaceId);
  if (!workspace) throw new Error('There is no workspace.');
  await run.pauseConfirmationsIfExceeded(workspace, at);
  const pause = (await run.getWorkspace(workspaceId))?.confirmationPause;
  return pause != null && new Date(pause.since) <= at && at < new Date(pause.until);
}

describe('confirmations that were paused', () => {
  it('for outcomes of the same day are not paused for them again', async () => {
    await report(noon, damage);
    expect(await isPausedAt(noon)).toBe(true);
    expect(await isPausedAt(hours(25))).toBe(false);
  });

  it('for outcomes of the days before are not paused for them again', async () => {
    await report(hours(-48), damage);
    await report(hours(-24), { bounced: 20 });
    expect(await isPausedAt(noon)).toBe(true);
    expect(await isPausedAt(hours(25))).toBe(false);
  });

  it('are paused again for what is reported later', async () => {
    await report(noon, damage);
    expect(await isPausedAt(noon)).toBe(true);
    await report(hours(24), { delivered: 60, bounced: 39 });
    expect(await isPausedAt(hours(25))).toBe(false);
    await report(hours(25), { bounced: 1 });
    expect(await isPausedAt(hours(25))).toBe(true);
  });

  it('and resumed by an operator count from then on, on the same day too', async () => {
    await report(noon, damage);
    expect(await isPausedAt(noon)).toBe(true);
    await run.resumeConfirmations(operatorContext(workspaceId, hours(1)));
    expect(await isPausedAt(hours(2))).toBe(false);
    await report(hours(2), { delivered: 60, bounced: 39 });
    expect(await isPausedAt(hours(2))).toBe(false);
    await report(hours(3), { bounced: 1 });
    expect(await isPausedAt(hours(3))).toBe(true);
  });
});
