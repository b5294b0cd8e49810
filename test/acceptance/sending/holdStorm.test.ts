import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { mailroomJson } from '../../functions/cli/mailroom.ts';
import { draft, importPeople, send, startSweeper, untilSent } from '../campaigns/campaign.ts';
import { type Answer, call, eventually } from '../client.ts';
import { countsOf, setFaults } from '../inbox.ts';
import { type OwnService, startService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

const env = { CAMPAIGN_LOOK_AGAIN_SECONDS: '2', CAMPAIGN_LOST_SECONDS: '4', CAMPAIGN_DOUBT_SECONDS: '12' };

let service: OwnService;
let workspace: TestWorkspace;
let stopSweeper: () => Promise<void>;

beforeAll(async () => {
  service = await startService({ env });
  stopSweeper = startSweeper(service);
});
beforeEach(async () => {
  workspace = await newWorkspace(service);
});
afterAll(async () => {
  await stopSweeper();
  await service.stop();
});
afterEach(async () => {
  await release();
  await setFaults(service);
});

const someone = () => `p${randomUUID().slice(0, 12)}@example.net`;
const api = () => ({ ...service, apiKey: workspace.apiKey });
const ask = (method: string, path: string, options: Parameters<typeof call>[3] = {}): Promise<Answer> =>
  call(api(), method, `/api/v1${path}`, options);
const emailTo = (to: string, over: object = {}) => ({
  ...{ from: `hello@${workspace.domain}`, to, subject: 'Hello', text: 'Hi.' },
  ...over,
});
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

const sending = (word: string) => mailroomJson(['--data', service.dataDir, 'sending', word, '--all']);
const release = () => sending('release');
describe('holds and releases in a row', () => {
  it('a storm of holds and releases, with kills, gives everybody their message once', async () => {
    const emails = Array.from({ length: 2000 }, someone);
    const scheduled = Array.from({ length: 20 }, someone);
    await importPeople(service, workspace.workspaceId, emails);
    const campaign = await draft(api());
    await setFaults(service, { rate_per_second: 300, latency_ms: 100 });
    for (const to of scheduled) await ask('POST', '/emails', { body: emailTo(to, { scheduled_at: inSeconds(10) }) });
    expect((await send(api(), campaign)).status).toBe(202);
    for (let round = 0; round < 8; round += 1) {
      await sending('hold');
      await wait(500 + 3000 * Math.random());
      await release();
      await wait(500 + 2500 * Math.random());
      if (round !== 3) continue;
      await Promise.all([service.kill(), stopSweeper()]);
      service = await startService({ dataDir: service.dataDir, env });
      stopSweeper = startSweeper(service);
    }
    const { progress } = await untilSent(api(), campaign, 240);
    const counts = await countsOf(service, emails);
    expect(counts.filter((count) => count > 1)).toEqual([]);
    expect(counts.filter((count) => count === 0).length).toBeLessThanOrEqual(progress.uncertain + progress.failed);
    // One whose worker was killed in a send waits until it is known what SES took.
    await eventually(async () => (await countsOf(service, scheduled)).every((count) => count > 0), 480);
    expect((await countsOf(service, scheduled)).filter((count) => count !== 1)).toEqual([]);
  }, 1_200_000);
});
