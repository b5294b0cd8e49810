import { randomUUID } from 'node:crypto';
import { inbox, setFaults } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';
import { newWorkspace } from '../workspace.ts';
import { draft, follow, send, subscribe, untilSent } from './campaign.ts';

const doubtSeconds = 8;

let service: TestService;
beforeAll(async () => {
  service = await startService({
    env: { CAMPAIGN_DOUBT_SECONDS: String(doubtSeconds), CAMPAIGN_LOOK_AGAIN_SECONDS: '1' },
  });
});
afterEach(() => setFaults(service));
afterAll(() => service.stop());

const simulator = 'success@simulator.amazonses.com';

/** A campaign to three new people, the only mail of this service, with these faults of the provider. */
async function campaignUnder(faults: Record<string, unknown>) {
  const { apiKey } = await newWorkspace(service);
  const own = { ...service, apiKey };
  const emails = Array.from({ length: 3 }, () => `p${randomUUID().slice(0, 12)}@example.net`);
  await subscribe(own, emails);
  const id = await draft(own);
  await setFaults(service, faults);
  expect((await send(own, id)).body.queued).toBe(3);
  return { id, own, emails };
}

const receivedBy = (emails: readonly string[]): Promise<number[]> =>
  Promise.all(emails.map(async (email) => (await inbox(service, email)).length));

describe('the last call of a campaign, without any later mail', () => {
  it('lost before it was taken: a probe shows that, and everybody gets the message once', async () => {
    const { id, own, emails } = await campaignUnder({ error: { name: 'InternalServiceErrorException', next: 1 } });
    const doubted = await follow(own, id, ({ progress }) => progress.uncertain === 3, 30);
    expect(doubted.status).toBe('sending');
    expect((await untilSent(own, id)).progress).toMatchObject({ sent: 3, uncertain: 0 });
    expect(await receivedBy(emails)).toEqual([1, 1, 1]);
    expect(await receivedBy([simulator])).toEqual([1]);
  });

  it('lost after it was taken, and without any event: nobody is written to again', async () => {
    const { id, own, emails } = await campaignUnder({ drop_after_accept: { next: 1 }, event_delay_ms: 3_600_000 });
    await follow(own, id, ({ progress }) => progress.uncertain === 3, 30);
    await new Promise((resolve) => setTimeout(resolve, 2.5 * doubtSeconds * 1000));
    const { progress, status } = await follow(own, id, () => true, 1);
    expect([status, progress.uncertain, progress.sent]).toEqual(['sending', 3, 0]);
    expect(await receivedBy(emails)).toEqual([1, 1, 1]);
  });
});
