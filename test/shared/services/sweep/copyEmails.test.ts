import { jest } from '@jest/globals';
import { createId } from '../../../../shared/domain/identifier.ts';
import { startTestTable } from '../../store/testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../../shared/services/sweep/copyEmails.ts')),
  ...(await import('../../../../shared/store/archive/progress.ts')),
  ...(await import('../../../../shared/store/workspace/workspaces.ts')),
  ...(await import('../../../../shared/queue/sqs.ts')),
  ...(await import('../../../../shared/platform/logger.ts')),
});

/** When the copying was deployed. */
const deployed = new Date('2026-10-01T12:07:00.000Z');
const daysOn = (days: number): Date => new Date(deployed.getTime() + days * 86_400_000);

beforeAll(async () => {
  table = await startTestTable();
  Object.assign(process.env, { POWERTOOLS_LOG_LEVEL: 'SILENT', QUEUE_URL_PREFIX: 'https://sqs.example/' });
  modules = await load();
  await modules.copiedSince(deployed);
});
afterAll(() => table.stop());
afterEach(() => jest.restoreAllMocks());

async function newWorkspace(at: Date): Promise<string> {
  const id = createId('ws', at);
  await modules.putWorkspace({
    ...{ id, name: 'Acme', publicId: `p-${id}`, plan: 'growth', language: 'en', createdAt: at.toISOString() },
  });
  return id;
}

/** Which workspaces a sweep starts the copying of, and what it says of those that are behind. */
async function sweepAt(now: Date) {
  const send = jest.spyOn(modules.sqs, 'send').mockImplementation(async () => ({}));
  const error = jest.spyOn(modules.logger, 'error').mockImplementation(() => {});
  await modules.sweepCopies(now);
  const started = (send.mock.calls as unknown as [{ input: { MessageBody: string } }][]).map(
    ([{ input }]) => JSON.parse(input.MessageBody).workspace_id,
  );
  const behind = (error.mock.calls as unknown as [string, Record<string, unknown>][]).map(
    ([, { CopyingBehind, workspaces, workspace_id, copied_through }]) => ({
      ...{ CopyingBehind, workspaces, workspace_id, copied_through },
    }),
  );
  jest.restoreAllMocks();
  return { started, behind };
}

describe('the copying of emails', () => {
  it('is started, and missed, from the deployment on or from the creation of a later workspace', async () => {
    const older = await newWorkspace(daysOn(-400));
    expect(await sweepAt(daysOn(20))).toEqual({ started: [], behind: [] });
    expect(await sweepAt(daysOn(22))).toEqual({ started: [older], behind: [] });
    const notice = { CopyingBehind: 1, workspaces: 1 };
    const since = daysOn(-2).toISOString();
    const olderBehind = { ...notice, workspace_id: older, copied_through: since };
    expect(await sweepAt(daysOn(25))).toEqual({ started: [older], behind: [olderBehind] });

    await modules.claimCopying(older, 'holder', daysOn(25));
    await modules.noteCopied(older, 'holder', { through: daysOn(100).toISOString() });
    const later = await newWorkspace(daysOn(60));
    expect(await sweepAt(daysOn(60))).toEqual({ started: [], behind: [] });
    expect(await sweepAt(daysOn(83))).toEqual({ started: [], behind: [] });
    expect(await sweepAt(daysOn(84))).toEqual({ started: [later], behind: [] });
    const laterBehind = { ...notice, workspace_id: later, copied_through: daysOn(60).toISOString() };
    expect(await sweepAt(daysOn(87))).toEqual({ started: [later], behind: [laterBehind] });
  });
});
