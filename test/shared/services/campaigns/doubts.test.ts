import type { Heard } from '../../../../shared/services/campaigns/closing/readHeard.ts';
import type { Flight } from '../../../../shared/services/campaigns/run/flight.ts';
import { positions, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const minutes = (count: number, from = new Date()) => new Date(from.getTime() + count * 60_000);

/** A slice of 50 whose call broke `age` minutes ago; `heard` of it was what an event says. */
async function broken(age: number, heard: readonly string[] = []) {
  const campaign = await world.sending(50);
  const place = { workspaceId: campaign.workspaceId, campaignId: campaign.id, chunk: 0, slice: 0 };
  const attempt = { id: 'attempt', positions: positions(0, 50), deadline: minutes(-age) };
  const expiresAt = Math.floor(minutes(1000).getTime() / 1000);
  await world.slices.claimPositions(place, 0, { attempt, skipped: {}, expiresAt });
  await world.slices.recordAttempt(place, null, { uncertain: attempt.positions });
  if (heard.length > 0) await hear(place, heard);
  return { place, read: () => world.slices.getSlice(place) };
}

const hear = (place: Parameters<World['slices']['addToSlice']>[0], names: readonly string[]) =>
  world.slices.addToSlice(place, { sets: { accepted: new Set([3]) }, heard: new Set(names), expiresAt: 2e9 });

async function end({ place, read }: Awaited<ReturnType<typeof broken>>, heard: Partial<Heard>) {
  const [{ endDoubts }, { TallyBook }] = await Promise.all([
    import('../../../../shared/services/campaigns/closing/doubts.ts'),
    import('../../../../shared/services/campaigns/run/book.ts'),
  ]);
  const { openPositions } = await import('../../../../shared/domain/campaign/attempt.ts');
  const flight = { book: new TallyBook(), now: () => new Date() };
  const all = { upTo: new Date(), isAllRead: async () => true, ...heard };
  const { lacksWord } = await endDoubts(flight, place, { state: await read(), size: 50 }, all);
  const slice = await read();
  return { lacksWord, open: openPositions(slice, 50).length, attempts: slice.attempts.length };
}

const untouched = { open: 0, attempts: 1, lacksWord: false };

describe('a call of which nothing was heard', () => {
  it('is made again a quarter of an hour later, when later events came in and none waits', async () => {
    expect(await end(await broken(16), {})).toEqual({ open: 50, attempts: 0, lacksWord: false });
  });

  it('is not within that time', async () => {
    expect(await end(await broken(14), {})).toEqual(untouched);
  });

  it('is not while no event of later messages came in; and says so', async () => {
    expect(await end(await broken(16), { upTo: minutes(-10) })).toEqual({ ...untouched, lacksWord: true });
    expect(await end(await broken(16), { upTo: null })).toEqual({ ...untouched, lacksWord: true });
  });

  it('is not while an event waits to be read', async () => {
    expect(await end(await broken(16), { isAllRead: async () => false })).toEqual(untouched);
  });

  it('is not when an event of it was dealt with after the slice was read', async () => {
    const slice = await broken(16);
    const isAllRead = async () => {
      await hear(slice.place, ['attempt']);
      return true;
    };
    expect(await end(slice, { isAllRead })).toMatchObject({ open: 0, attempts: 1 });
  });

  it('is over after a day, whatever waits', async () => {
    const slice = await broken(24 * 60 + 1);
    expect(await end(slice, { upTo: null, isAllRead: async () => false })).toMatchObject({ open: 0, attempts: 0 });
  });
});

describe('a call that some event names', () => {
  it('has run: its silent people are not written to again', async () => {
    expect(await end(await broken(16, ['attempt']), {})).toEqual({ open: 0, attempts: 0, lacksWord: false });
  });
});

describe('a campaign that outlived what is kept of its people', () => {
  it('writes to nobody: those who have it may look as if they had not', async () => {
    const { sendChunk } = await import('../../../../shared/services/campaigns/run/chunk.ts');
    const { TallyBook } = await import('../../../../shared/services/campaigns/run/book.ts');
    const campaign = await world.sending(50, { at: minutes(-365 * 24 * 60 + 59) });
    const flight = { campaign, freeze: campaign.freeze, now: () => new Date(), book: new TallyBook() };
    await expect(sendChunk(flight as unknown as Flight, 0)).rejects.toThrow('outlived');
  });
});

describe('the feedback of campaigns', () => {
  it('is all read when neither its queue nor the dead letters hold anything', async () => {
    const { readHeard } = await import('../../../../shared/services/campaigns/closing/readHeard.ts');
    const isAllRead = async () => (await readHeard()).isAllRead();
    expect(await isAllRead()).toBe(true);
    for (const queue of [world.queues.feedback, world.queues.deadFeedback]) {
      await world.put(queue, '{}');
      expect(await isAllRead()).toBe(false);
      await world.receive(queue);
      expect(await isAllRead()).toBe(true);
    }
  });

  it('is not taken for read while an operator puts some of it back', async () => {
    const { readHeard } = await import('../../../../shared/services/campaigns/closing/readHeard.ts');
    const { noteRedriven } = await import('../../../../shared/store/campaign/heard.ts');
    const { isAllRead } = await readHeard();
    await noteRedriven(minutes(-16));
    expect(await isAllRead()).toBe(true);
    await noteRedriven(minutes(-1));
    expect(await isAllRead()).toBe(false);
  });
});
