import { setTimeout as wait } from 'node:timers/promises';
import { parseCampaignMessage } from '../../../../shared/queue/campaign.ts';
import { operatorContext } from '../context.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let run: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../../shared/services/campaigns/pauseCampaign.ts')),
  ...(await import('../../../../shared/services/campaigns/runCampaign.ts')),
});

beforeAll(async () => {
  world = await startWorld();
  run = await load();
});
afterAll(() => world.stop());

/** Runs the runners for which there are messages until `isOver`; without a first message nothing runs at all. */
async function work(isOver: () => Promise<boolean>): Promise<void> {
  let messages = await world.receive(world.queues.runs);
  if (messages.length === 0) return;
  for (;;) {
    for (const body of messages) await run.runCampaign(parseCampaignMessage(body), 300_000, () => new Date());
    if (await isOver()) return;
    await wait(100);
    messages = await world.receive(world.queues.runs);
  }
}

describe('a campaign that is cancelled', () => {
  it.each([
    ['while it is sent', false],
    ['while it is paused', true],
  ])('%s is closed by its own runner, at once and without the sweeper', async (_, isPaused) => {
    const { workspaceId } = world;
    const { id } = await world.sending(70);
    const context = operatorContext(workspaceId);
    if (isPaused) await run.pauseCampaign(context, { id });
    await run.cancelCampaign(context, { id });
    const read = () => world.getCampaign({ workspaceId, id });
    await work(async () => (await read())?.status === 'sent');
    expect(await read()).toMatchObject({ status: 'sent' });
    expect(await world.tallyOf({ id })).toMatchObject({ skipped: 70 });
  });
});
