import { setTimeout as wait } from 'node:timers/promises';
import { parseCampaignMessage } from '../../../../shared/queue/campaign.ts';
import { startSendingWorld } from './sendingWorld.ts';

let world: Awaited<ReturnType<typeof startSendingWorld>>;
let modules: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../../shared/services/campaigns/runCampaign.ts')),
  ...(await import('../../../../shared/services/campaigns/runners.ts')),
  ...(await import('../../../../shared/services/sweep/requeue.ts')),
  ...(await import('../../../../shared/store/campaign/pace.ts')),
  ...(await import('../../../../shared/store/campaign/runners.ts')),
  ...(await import('../../../../shared/store/campaign/tallies.ts')),
});

beforeAll(async () => {
  world = await startSendingWorld();
  modules = await load();
});
afterAll(() => world.stop());

const runners = 16;
/** Seventeen chunks: the first runner has two. */
const people = 8_300;

/**
 * Workers for every runner and the closer, as Lambda runs them, until `isOver`. Every fourth message arrives twice at
 * once, and every ninth is lost: then the sweeper sends it again.
 */
async function work(isOver: () => Promise<boolean>): Promise<void> {
  let received = 0;
  let hasEnded = false;
  const worker = async () => {
    while (!hasEnded) {
      const bodies = await world.receive(world.queues.runs);
      for (const body of bodies) {
        received += 1;
        if (received % 9 === 0) continue;
        const run = () => modules.runCampaign(parseCampaignMessage(body), 300_000, () => new Date());
        await Promise.all(received % 4 === 0 ? [run(), run()] : [run()]);
      }
      if (bodies.length === 0) await wait(50);
    }
  };
  const sweeper = async () => {
    while (!hasEnded) {
      await wait(500);
      // A run that has not ended after three minutes counts as crashed.
      await modules.sweepLateRunners(new Date(Date.now() + 181_000));
      hasEnded = await isOver();
    }
  };
  await Promise.all([...Array.from({ length: runners + 1 }, worker), sweeper()]);
}

describe('a campaign with sixteen runners', () => {
  it('is sent once to each person at the pace, whatever is lost or arrives twice', async () => {
    const workspaceId = await world.newWorkspace();
    const emails = Array.from({ length: people }, (_, index) => `p${index}@example.net`);
    const campaign = await world.frozen(workspaceId, emails, runners);
    const key = { workspaceId, id: campaign.id };
    await modules.wakeAll(campaign);
    const begun = Date.now();
    await work(async () => (await world.getCampaign(key))?.status === 'sent');

    expect(world.taken.map(({ email }) => email).sort()).toEqual([...emails].sort());
    // A position is one person's: no two calls had the same one.
    const places = new Set(world.taken.map(({ chunk, position }) => `${chunk} ${position}`));
    expect(places.size).toBe(people);
    const { total } = await modules.readTallies(workspaceId, campaign.id, { consistent: true });
    expect(total).toMatchObject({ sent: people });
    // Each call took its time at the rate: 9,000 a second of the provider's 10,000.
    const pace = await modules.getPace();
    expect(pace?.until ?? 0).toBeGreaterThanOrEqual(begun + (people / 9000) * 1000 - 1);
    const left = await modules.getRunners({ workspaceId, campaignId: campaign.id }, runners + 1);
    expect(left.filter(({ isResting }) => isResting).length).toBeGreaterThanOrEqual(runners);
    for (const { runner, chunk } of left.slice(0, runners)) expect(chunk % runners).toBe(runner);
  }, 240_000);
});
