import { jest } from '@jest/globals';
import { positions, startWorld, type World } from '../campaigns/world.ts';

let world: World;
let sweep: (now: Date) => Promise<void>;
beforeAll(async () => {
  world = await startWorld();
  ({ sweepCampaigns: sweep } = await import('../../../../shared/services/sweep/campaigns.ts'));
});
afterAll(() => world.stop());

const minutes = (count: number) => new Date(Date.now() + count * 60_000);

/** Looks every two minutes of these, one after the other. */
async function sweepThrough(from: number, to: number): Promise<void> {
  for (let at = from; at <= to; at += 2) await sweep(minutes(at));
}

/** What operators were called for meanwhile, of one campaign. */
async function callsDuring(id: string, work: () => Promise<void>): Promise<string[]> {
  const { logger } = await import('../../../../shared/platform/logger.ts');
  const error = jest.spyOn(logger, 'error').mockImplementation(() => {});
  try {
    await work();
    const calls = error.mock.calls as unknown as [string, { campaign_id?: string }][];
    return calls.filter(([, fields]) => fields.campaign_id === id).map(([message]) => message);
  } finally {
    error.mockRestore();
  }
}

const stuck = 'A campaign on its way does not move.';
const finish = async (campaign: Awaited<ReturnType<World['sending']>>) => {
  expect(await world.finishSending(campaign, new Date(), { unsent: 0, expiresAt: Date.now() / 1000 + 1e7 })).toBe(true);
};

describe('the sweeper', () => {
  it('calls an operator when a campaign has stood for 15 minutes, at every look, until it moves', async () => {
    const campaign = await world.sending(50);
    expect(await callsDuring(campaign.id, () => sweepThrough(2, 14))).toEqual([]);
    expect(await callsDuring(campaign.id, () => sweepThrough(18, 22))).toEqual([stuck, stuck, stuck]);
    await world.addToSlice(campaign, 0, 0, { accepted: positions(0, 50) });
    await world.addToTally(campaign, 0, { sent: 50 });
    expect(await callsDuring(campaign.id, () => sweepThrough(24, 30))).toEqual([]);
    await finish(campaign);
    expect(await callsDuring(campaign.id, () => sweepThrough(32, 60))).toEqual([]);
  });

  it('calls nobody for a campaign that is held back', async () => {
    const campaign = await world.sending(50);
    const hold = { reason: 'provider_paused', since: new Date().toISOString(), providerCode: null } as const;
    expect(await world.changeHold(campaign, hold, new Date())).toBe(true);
    expect(await callsDuring(campaign.id, () => sweepThrough(2, 40))).toEqual([]);
    await finish(campaign);
  });

  it('sets the report right after the end, whatever its workers did not live to count', async () => {
    const campaign = await world.sending(1200);
    for (let slice = 0; slice < 24; slice += 1) {
      const [chunk, own] = [Math.floor(slice / 10), slice % 10];
      await world.addToSlice(campaign, chunk, own, { accepted: positions(0, 50), delivered: positions(0, 40) });
    }
    // Of the third chunk somebody opened, and nobody counted it; of the first some were counted twice.
    await world.addToSlice(campaign, 2, 1, { 'open.0': new Set([1]), 'device.Mobile': new Set([1]) });
    await world.addToTally(campaign, 0, { sent: 500, delivered: 403 });
    await world.addToTally(campaign, 1, { sent: 450, delivered: 400 });
    await world.addToTally(campaign, 2, { sent: 200, delivered: 160 });
    await finish(campaign);
    await sweepThrough(2, 6);
    expect(await world.tallyOf(campaign)).toEqual({
      sent: 1200,
      delivered: 960,
      opened: 1,
      'opened.0': 1,
      'device.Mobile': 1,
    });
  });

  it('counts nothing anew while it is being sent that a worker may still hold', async () => {
    const campaign = await world.sending(50);
    await world.addToSlice(campaign, 0, 0, { accepted: positions(0, 50) });
    await sweepThrough(2, 6);
    expect(await world.tallyOf(campaign)).toEqual({});
    await finish(campaign);
  });

  it('takes nothing back when what it counts from has expired', async () => {
    const campaign = await world.sending(100);
    await world.addToSlice(campaign, 0, 0, { accepted: positions(0, 50) });
    await world.addToTally(campaign, 0, { sent: 100, opened: 7 });
    await finish(campaign);
    await sweepThrough(2, 8);
    expect(await world.tallyOf(campaign)).toEqual({ sent: 100, opened: 7 });
    const { listDueWatches } = await import('../../../../shared/store/campaign/watches.ts');
    const due = await listDueWatches(minutes(1e6), 100);
    expect(due.map((one) => one.read().campaignId)).not.toContain(campaign.id);
  });

  it('goes on with a recount where a run that died had come to', async () => {
    const campaign = await world.sending(50);
    await world.addToSlice(campaign, 0, 0, { accepted: positions(0, 50) });
    await finish(campaign);
    const watches = await import('../../../../shared/store/campaign/watches.ts');
    const mine = async () =>
      (await watches.listDueWatches(minutes(1e6), 100))
        .map((one) => one.read())
        .find((one) => one.campaignId === campaign.id);
    const watch = await mine();
    if (!watch) throw new Error('Nobody looks after it.');
    // The run claimed it, did the first pieces (in which shard 0 lies) and died.
    await watches.putLook(watch, { state: watch.state, recount: { nextShard: 4, isExact: true }, nextAt: minutes(5) });
    await sweep(minutes(4));
    expect((await mine())?.recount).toEqual({ nextShard: 4, isExact: true });
    await sweep(minutes(6));
    expect(await mine()).toMatchObject({ recount: null, state: { recounted: expect.any(String) } });
    expect(await world.tallyOf(campaign)).toEqual({});
    await sweep(minutes(6 + 24 * 60));
    expect(await world.tallyOf(campaign)).toEqual({ sent: 50 });
  });

  it('looks after all others when one cannot be read', async () => {
    const [campaign, spoilt] = [await world.sending(50), await world.sending(50)];
    const { UpdateCommand } = await import('../../../../shared/store/dynamodb/commands.ts');
    const { watchKey } = await import('../../../../shared/store/table/keys.ts');
    const { documents } = await import('../../../../shared/store/table/table.ts');
    const setDays = (days: unknown) =>
      documents.send(
        new UpdateCommand({
          TableName: 'test',
          Key: watchKey(world.workspaceId, spoilt.id),
          UpdateExpression: 'SET days = :days',
          ExpressionAttributeValues: { ':days': days },
        }),
      );
    await setDays('some');
    const failure = '1 that are due could not be taken up.';
    const looks = async () => {
      for (const at of [2, 20]) await expect(sweep(minutes(at))).rejects.toThrow(failure);
    };
    expect(await callsDuring(campaign.id, looks)).toEqual([stuck]);
    await setDays(1);
    await Promise.all([campaign, spoilt].map(finish));
  });

  it('leaves a campaign to one of two runs at once', async () => {
    const campaign = await world.sending(50);
    await world.addToSlice(campaign, 0, 0, { accepted: positions(0, 50) });
    await world.addToTally(campaign, 0, { sent: 20 });
    await finish(campaign);
    await sweepThrough(2, 2);
    await Promise.all([sweep(minutes(5)), sweep(minutes(5)), sweep(minutes(5))]);
    await sweep(minutes(7));
    expect(await world.tallyOf(campaign)).toEqual({ sent: 50 });
  });
});
