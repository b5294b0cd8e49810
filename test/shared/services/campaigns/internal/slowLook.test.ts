import { setTimeout as wait } from 'node:timers/promises';
import type { CampaignRun } from '../../../../../shared/services/campaigns/internal/campaignRun.ts';
import { aroundCalls } from '../../../store/aroundCalls.ts';
import { startSendingWorld } from '../sendingWorld.ts';

let world: Awaited<ReturnType<typeof startSendingWorld>>;
/** Of calls of the table by their operation, in milliseconds; the next of a list each time. */
let delays: Record<string, number[]> = {};
/** When the people of a call were asked for. */
let asked: number[] = [];

beforeAll(async () => {
  world = await startSendingWorld();
  const { documents } = await import('../../../../../shared/store/table/table.ts');
  aroundCalls(documents, (next) => async (call) => {
    const isLook = call.operation === 'BatchGetItem' && JSON.stringify(call.input).includes('"PACE"');
    const isClaim = call.operation === 'UpdateItem' && JSON.stringify(call.input).includes('SLICE#');
    if (isLook) asked.push(performance.now());
    await wait(delays[isLook ? 'look' : isClaim ? 'claim' : 'other']?.shift() ?? 0);
    return next(call);
  });
});
afterAll(() => world.stop());
beforeEach(() => {
  delays = {};
  asked = [];
  world.provider.begun.length = 0;
});

async function send(people: number) {
  const workspaceId = await world.newWorkspace();
  const emails = Array.from({ length: people }, (_, index) => `p${index}@example.net`);
  const campaign = await world.frozen(workspaceId, emails);
  const counters = new world.CounterBuffer();
  const deadline = new Date(Date.now() + 120_000);
  const workspace = await world.getWorkspace(workspaceId);
  const run = { campaign, freeze: campaign.freeze, workspace, deadline, now: () => new Date(), counters };
  const outcome = await world.sendChunk(run as unknown as CampaignRun, 0);
  const taken = world.taken.filter(({ campaignId }) => campaignId === campaign.id);
  const slices = await world.slices.readSlices({ workspaceId, campaignId: campaign.id, chunk: 0 });
  return { outcome, taken: taken.map(({ email }) => email), attempts: slices.flatMap(({ attempts }) => attempts) };
}

/** How old the look was when each call began. */
const ages = () => world.provider.begun.map((at) => at - Math.max(...asked.filter((one) => one <= at)));

describe('a look at the people of a call', () => {
  it('that took two seconds is not used: the people are looked at again', async () => {
    delays = { look: [2100] };
    const { outcome, taken } = await send(60);
    expect([outcome.kind, new Set(taken).size, taken.length]).toEqual(['done', 60, 60]);
    expect(Math.max(...ages())).toBeLessThan(2050);
  });

  it('that is too old after the claim is not used either, and the claim is taken back', async () => {
    delays = { look: [1200], claim: [1000] };
    const { outcome, taken, attempts } = await send(50);
    expect([outcome.kind, new Set(taken).size, taken.length]).toEqual(['done', 50, 50]);
    expect(attempts).toEqual([]);
    expect(Math.max(...ages())).toBeLessThan(2050);
  });

  it('that is slow three times in a row makes the campaign wait, with the reason', async () => {
    delays = { look: [2100, 2100, 2100] };
    const { outcome, taken } = await send(50);
    expect(outcome).toEqual({ kind: 'obstacle', obstacle: { reason: 'store_slow', providerCode: null } });
    expect([taken, world.provider.begun]).toEqual([[], []]);
  });
});
