import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { mailroomJson } from '../../functions/cli/mailroom.ts';
import { draft, follow, importPeople, operator, send, show, startSweeper, untilSent } from '../campaigns/campaign.ts';
import { type Answer, call, eventually } from '../client.ts';
import { countsOf, inbox, setFaults } from '../inbox.ts';
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
const mailTo = async (to: string): Promise<number> => (await inbox(service, to)).length;
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

const sending = (word: string) => mailroomJson(['--data', service.dataDir, 'sending', word, '--all']);
const release = () => sending('release');
/** The longest time that `hold` took until now: more on a busy machine. */
let holdMilliseconds = 8000;
/** Until it is certain that no call begins any more. */
async function hold(): Promise<void> {
  const began = Date.now();
  const { held_within_seconds } = await sending('hold');
  await wait(held_within_seconds * 1000);
  holdMilliseconds = Math.max(holdMilliseconds, Date.now() - began);
}

describe('while all sending is held', () => {
  it('sends are answered with 503, everything else goes on, and the same calls succeed after the release', async () => {
    const [one, batched, subscriber] = [someone(), someone(), someone()];
    const before = await ask('POST', '/emails', {
      body: emailTo(one),
      headers: { 'Idempotency-Key': `${one}-before` },
    });
    await importPeople(service, workspace.workspaceId, [someone()]);
    const campaign = await draft(api());
    await hold();
    const key = { 'Idempotency-Key': one };
    const sends: [string, Record<string, unknown>][] = [
      ['/emails', { body: emailTo(one), headers: key }],
      ['/emails', { body: emailTo(one, { scheduled_at: inSeconds(3600) }) }],
      ['/emails/batch', { body: [emailTo(batched)] }],
      [`/campaigns/${campaign}/send`, {}],
      [`/campaigns/${campaign}/test`, { body: { to: [one] } }],
      [`/campaigns/${campaign}/schedule`, { body: { scheduled_at: inSeconds(3600) } }],
    ];
    for (const [path, options] of sends) {
      const { status, headers, body } = await ask('POST', path, options);
      expect([path, status]).toEqual([path, 503]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(body.error).toMatchObject({ code: 'internal_error', details: { reason: 'sending_held' } });
      expect(body.error.details.request_id).toEqual(expect.any(String));
    }
    const dryRun = await send(api(), campaign, { dry_run: true });
    expect([dryRun.status, dryRun.body.would_send]).toEqual([200, false]);
    expect(dryRun.body.blocked_reason).toMatch(/hold all sending/);
    const replay = await ask('POST', '/emails', {
      body: emailTo(one),
      headers: { 'Idempotency-Key': `${one}-before` },
    });
    expect([replay.status, replay.body]).toEqual([before.status, before.body]);
    expect((await ask('POST', '/subscribers', { body: { email: subscriber, double_opt_in: false } })).status).toBe(201);
    expect((await ask('GET', '/me')).status).toBe(200);
    expect(await Promise.all([mailTo(one), mailTo(batched)])).toEqual([1, 0]);
    await release();
    await eventually(async () => (await ask('POST', '/emails', { body: emailTo(one), headers: key })).status === 202);
    expect((await ask('POST', '/emails/batch', { body: [emailTo(batched)] })).status).toBe(202);
    expect((await send(api(), campaign)).status).toBe(202);
    await untilSent(api(), campaign);
    expect(await Promise.all([mailTo(one), mailTo(batched), mailTo(subscriber)])).toEqual([2, 1, 1]);
  }, 120_000);

  it('a campaign stands still, says why, and goes on where it stood', async () => {
    // Far more than go out until the command has started and its hold is read.
    const emails = Array.from({ length: 600 }, someone);
    await importPeople(service, workspace.workspaceId, emails);
    const campaign = await draft(api());
    await setFaults(service, { rate_per_second: 20, latency_ms: 100 });
    expect((await send(api(), campaign)).status).toBe(202);
    await follow(api(), campaign, ({ progress }) => progress.sent > 10, 60);
    await hold();
    await follow(api(), campaign, ({ progress }) => progress.paused && progress.reason === 'sending_held', 60);
    // Calls that began before the hold may still be counted on a busy machine. Without a hold all would be sent meanwhile.
    const waiting = async (): Promise<number> => (await show(api(), campaign)).progress.waiting;
    await eventually(async () => {
      const before = await waiting();
      await wait(5000);
      return (await waiting()) === before;
    }, 120);
    expect(await waiting()).toBeGreaterThan(0);
    const resumed = await ask('POST', `/campaigns/${campaign}/resume`);
    expect([resumed.status, resumed.body.error.details.reason]).toEqual([503, 'sending_held']);
    await setFaults(service);
    await release();
    await untilSent(api(), campaign, 180);
    expect((await countsOf(service, emails)).filter((count) => count !== 1)).toEqual([]);
  }, 500_000);

  it('what becomes due waits, outlives kills, and goes out once after the release', async () => {
    const [scheduled, confirmed, formed, listed] = [someone(), someone(), someone(), someone()];
    await importPeople(service, workspace.workspaceId, [listed]);
    const campaign = await draft(api());
    // Later than the next command needs to hold, by what those before it took.
    const dueAt = new Date(Date.now() + 5000 + 2 * holdMilliseconds);
    await (await operator(service, workspace)).schedule(campaign, dueAt);
    const { body } = await ask('POST', '/emails', { body: emailTo(scheduled, { scheduled_at: dueAt.toISOString() }) });
    await hold();
    expect(Date.now()).toBeLessThan(dueAt.getTime());
    for (const email of [confirmed, formed]) await ask('POST', '/subscribers', { body: { email } });
    await wait(Math.max(0, dueAt.getTime() - Date.now()) + 3000);
    for (let round = 0; round < 2; round += 1) {
      await Promise.all([service.kill(), stopSweeper()]);
      service = await startService({ dataDir: service.dataDir, env });
      stopSweeper = startSweeper(service);
      await wait(4000);
      expect(await countsOf(service, [scheduled, confirmed, formed, listed])).toEqual([0, 0, 0, 0]);
      expect((await ask('GET', `/emails/${body.id}`)).body.status).toBe('scheduled');
      expect((await show(api(), campaign)).status).toBe('scheduled');
    }
    await release();
    await eventually(async () => {
      const counts = await countsOf(service, [scheduled, confirmed, formed, listed]);
      return counts.every((count) => count > 0);
    }, 240);
    await untilSent(api(), campaign);
    expect(await countsOf(service, [scheduled, confirmed, formed, listed])).toEqual([1, 1, 1, 1]);
  }, 500_000);
});
