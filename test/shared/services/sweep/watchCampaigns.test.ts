import { jest } from '@jest/globals';
import { positions, startWorld, type World } from '../campaigns/world.ts';

let world: World;
let sweep: (now: Date) => Promise<void>;
beforeAll(async () => {
  world = await startWorld();
  ({ sweepCampaigns: sweep } = await import('../../../../shared/services/sweep/watchCampaigns.ts'));
});
afterAll(() => world.stop());

const minutes = (count: number) => new Date(Date.now() + count * 60_000);

/** Sweeps every two minutes of these. */
async function sweepThrough(from: number, to: number): Promise<void> {
  for (let at = from; at <= to; at += 2) await sweep(minutes(at));
}

/** The alarms of one campaign. */
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

const stuck = 'A campaign that is being sent makes no progress.';
const finish = async (campaign: Awaited<ReturnType<World['sending']>>) => {
  expect(await world.finishSending(campaign, new Date(), { unsent: 0, expiresAt: Date.now() / 1000 + 1e7 })).toBe(true);
};

describe('the sweeper', () => {
  it('raises an alarm at every look while a campaign has made no progress for 15 minutes', async () => {
    const campaign = await world.sending(50);
    expect(await callsDuring(campaign.id, () => sweepThrough(2, 14))).toEqual([]);
    expect(await callsDuring(campaign.id, () => sweepThrough(18, 22))).toEqual([stuck, stuck, stuck]);
    await world.addToSlice(campaign, 0, 0, { accepted: positions(0, 50) });
    await world.addToTally(campaign, 0, { sent: 50 });
    expect(await callsDuring(campaign.id, () => sweepThrough(24, 30))).toEqual([]);
    await finish(campaign);
    expect(await callsDuring(campaign.id, () => sweepThrough(32, 60))).toEqual([]);
  });

  it('raises no alarm for a campaign that is held', async () => {
    const campaign = await world.sending(50);
    const hold = { reason: 'provider_paused', since: new Date().toISOString(), providerCode: null } as const;
    expect(await world.putHold(campaign, hold, new Date())).toBe(true);
    expect(await callsDuring(campaign.id, () => sweepThrough(2, 40))).toEqual([]);
    await finish(campaign);
  });

  it('corrects the report after the end, although workers crashed before they had counted', async () => {
    const campaign = await world.sending(1200);
    for (let slice = 0; slice < 24; slice += 1) {
      const [chunk, own] = [Math.floor(slice / 10), slice % 10];
      await world.addToSlice(campaign, chunk, own, { accepted: positions(0, 50), delivered: positions(0, 40) });
    }
    // An open of the third chunk was not counted; some of the first were counted twice.
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

  it('recounts nothing that a worker may still hold while the campaign is sent', async () => {
    const campaign = await world.sending(50);
    await world.addToSlice(campaign, 0, 0, { accepted: positions(0, 50) });
    await sweepThrough(2, 6);
    expect(await world.tallyOf(campaign)).toEqual({});
    await finish(campaign);
  });

  it('subtracts nothing when the records that it counts have expired', async () => {
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

  it('continues a recount where a crashed run stopped', async () => {
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
    // The run claimed it, did the first steps (with shard 0) and crashed.
    await watches.putCheckResult(watch, {
      state: watch.state,
      recount: { nextShard: 4, isExact: true },
      nextAt: minutes(5),
    });
    await sweep(minutes(4));
    expect((await mine())?.recount).toEqual({ nextShard: 4, isExact: true });
    await sweep(minutes(6));
    expect(await mine()).toMatchObject({ recount: null, state: { recounted: expect.any(String) } });
    expect(await world.tallyOf(campaign)).toEqual({});
    await sweep(minutes(6 + 24 * 60));
    expect(await world.tallyOf(campaign)).toEqual({ sent: 50 });
  });

  it('handles all other campaigns when one cannot be read', async () => {
    const [campaign, spoilt] = [await world.sending(50), await world.sending(50)];
    const { UpdateCommand } = await import('@aws-sdk/lib-dynamodb');
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
    const failure = '1 due items failed.';
    const looks = async () => {
      for (const at of [2, 20]) await expect(sweep(minutes(at))).rejects.toThrow(failure);
    };
    expect(await callsDuring(campaign.id, looks)).toEqual([stuck]);
    await setDays(1);
    await Promise.all([campaign, spoilt].map(finish));
  });

  it('leaves a campaign to one of two concurrent runs', async () => {
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
