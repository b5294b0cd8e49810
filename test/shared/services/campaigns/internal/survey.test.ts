import type { FeedbackWatermark } from '../../../../../shared/services/campaigns/feedbackWatermark.ts';
import type { CampaignRun } from '../../../../../shared/services/campaigns/internal/campaignRun.ts';
import { positions, startWorld, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const minutes = (count: number, from = new Date()) => new Date(from.getTime() + count * 60_000);

/** A slice of 50 whose answer was lost `age` minutes ago; `proven` are the attempts that an event names. */
async function unknownCall(age: number, proven: readonly string[] = []) {
  const campaign = await world.sending(50);
  const place = { workspaceId: campaign.workspaceId, campaignId: campaign.id, chunk: 0, slice: 0 };
  const attempt = { id: 'attempt', positions: positions(0, 50), deadline: minutes(-age) };
  const expiresAt = Math.floor(minutes(1000).getTime() / 1000);
  await world.slices.claimPositions(place, 0, { attempt, sets: {}, day: '2026-11-20', expiresAt });
  await world.slices.recordAttempt(place, null, { uncertain: attempt.positions });
  if (proven.length > 0) await addEvent(place, proven);
  return { place, read: () => world.slices.getSlice(place) };
}

const addEvent = (place: Parameters<World['slices']['addToSlice']>[0], names: readonly string[]) =>
  world.slices.addToSlice(place, { sets: { accepted: new Set([3]) }, provenAttempts: new Set(names), expiresAt: 2e9 });

async function end({ place, read }: Awaited<ReturnType<typeof unknownCall>>, watermark: Partial<FeedbackWatermark>) {
  const [{ endUnknownAttempts }, { CounterBuffer }] = await Promise.all([
    import('../../../../../shared/services/campaigns/internal/survey.ts'),
    import('../../../../../shared/services/campaigns/counters.ts'),
  ]);
  const { openPositions } = await import('../../../../../shared/domain/campaign/slice.ts');
  const run = { counters: new CounterBuffer(), now: () => new Date() };
  const all = { upTo: new Date(), isQueueDrained: async () => true, ...watermark };
  const { needsLaterEvent } = await endUnknownAttempts(run, place, { state: await read(), size: 50 }, all);
  const slice = await read();
  return { needsLaterEvent, open: openPositions(slice, 50).length, attempts: slice.attempts.length };
}

const untouched = { open: 0, attempts: 1, needsLaterEvent: false };

describe('a call without any event', () => {
  it('is made again after 15 minutes, when later events have arrived and the queue is empty', async () => {
    expect(await end(await unknownCall(16), {})).toEqual({ open: 50, attempts: 0, needsLaterEvent: false });
  });

  it('is not made again before', async () => {
    expect(await end(await unknownCall(14), {})).toEqual(untouched);
  });

  it('is not made again before later events have arrived, and says so', async () => {
    expect(await end(await unknownCall(16), { upTo: minutes(-10) })).toEqual({ ...untouched, needsLaterEvent: true });
    expect(await end(await unknownCall(16), { upTo: null })).toEqual({ ...untouched, needsLaterEvent: true });
  });

  it('is not made again while an event is in the queue', async () => {
    expect(await end(await unknownCall(16), { isQueueDrained: async () => false })).toEqual(untouched);
  });

  it('is not made again when one of its events is recorded after the slice was read', async () => {
    const slice = await unknownCall(16);
    const isQueueDrained = async () => {
      await addEvent(slice.place, ['attempt']);
      return true;
    };
    expect(await end(slice, { isQueueDrained })).toMatchObject({ open: 0, attempts: 1 });
  });

  it('ends after a day, whatever is in the queue', async () => {
    const slice = await unknownCall(24 * 60 + 1);
    expect(await end(slice, { upTo: null, isQueueDrained: async () => false })).toMatchObject({ open: 0, attempts: 0 });
  });
});

describe('a call that an event names', () => {
  const told = async (age: number, count: number) => {
    const slice = await unknownCall(age);
    const events = { sets: { accepted: positions(0, count) }, provenAttempts: new Set(['attempt']), expiresAt: 2e9 };
    await world.slices.addToSlice(slice.place, events);
    return slice;
  };

  it('ends as soon as its events have reported every outcome', async () => {
    const slice = await told(1, 50);
    expect(await end(slice, { upTo: null })).toEqual({ open: 0, attempts: 0, needsLaterEvent: false });
  });

  it('stays open while one outcome is missing', async () => {
    expect(await end(await told(1, 49), { upTo: null })).toEqual(untouched);
  });

  it('has run: nobody of it is written to again', async () => {
    expect(await end(await unknownCall(16, ['attempt']), {})).toEqual({ open: 0, attempts: 0, needsLaterEvent: false });
  });
});

describe('a campaign after its retention time', () => {
  it('sends nothing: recipients whose outcome has expired look untouched', async () => {
    const { sendChunk } = await import('../../../../../shared/services/campaigns/internal/sendChunk.ts');
    const { CounterBuffer } = await import('../../../../../shared/services/campaigns/counters.ts');
    const campaign = await world.sending(50, { at: minutes(-365 * 24 * 60 + 59) });
    const run = { campaign, freeze: campaign.freeze, now: () => new Date(), counters: new CounterBuffer() };
    await expect(sendChunk(run as unknown as CampaignRun, 0)).rejects.toThrow('retention time');
  });
});

describe('the feedback of campaigns', () => {
  it('has all arrived when neither its queue nor its dead-letter queue holds anything', async () => {
    const { readWatermark } = await import('../../../../../shared/services/campaigns/feedbackWatermark.ts');
    const isQueueDrained = async () => (await readWatermark()).isQueueDrained();
    expect(await isQueueDrained()).toBe(true);
    for (const queue of [world.queues.feedback, world.queues.deadFeedback, world.queues.undeliveredFeedback]) {
      await world.put(queue, '{}');
      expect(await isQueueDrained()).toBe(false);
      await world.receive(queue);
      expect(await isQueueDrained()).toBe(true);
    }
  });

  it('has not all arrived while an operator redrives some of it', async () => {
    const { readWatermark } = await import('../../../../../shared/services/campaigns/feedbackWatermark.ts');
    const { noteRedrive } = await import('../../../../../shared/store/feedbackWatermarks.ts');
    const { isQueueDrained } = await readWatermark();
    await noteRedrive('campaign-feedback', minutes(-16));
    expect(await isQueueDrained()).toBe(true);
    await noteRedrive('campaign-feedback', minutes(-1));
    expect(await isQueueDrained()).toBe(false);
  });
});
