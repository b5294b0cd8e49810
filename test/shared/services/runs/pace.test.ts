import { logger } from '../../../../shared/platform/logger.ts';
import { recountOf } from './recount.ts';
import { chain, mail, onEvent, type RunsWorld, startRunsWorld, waitFor } from './world.ts';

let world: RunsWorld;
beforeAll(async () => {
  world = await startRunsWorld();
  logger.setLogLevel('SILENT');
});
afterAll(() => world.stop());

/** Old enough that the account's rate is read again. */
const setRate = (perSecond: number) => {
  world.provider.state.perSecond = perSecond;
  world.move(600);
};
const taken = (emails: readonly string[]) => emails.map((email) => world.taken(email));

describe('messages of automations', () => {
  it('go out at the pace of campaigns, when many are due at once, and each once', async () => {
    await world.automation([onEvent('p1'), mail('m')], chain('start', 'm'));
    setRate(2);
    const emails = await Promise.all(Array.from({ length: 24 }, () => world.someone()));
    for (const email of emails) await world.record(email, 'p1');
    const began = performance.now();
    await world.drain();
    await world.drain();
    const seconds = (performance.now() - began) / 1000;
    const first = taken(emails).filter(Boolean).length;
    // Half of them are left to single emails. Slots of two seconds ahead, and one that has begun.
    expect(first).toBeLessThanOrEqual(seconds + 3);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(24);
    for (let looks = 0; looks < 60 && taken(emails).includes(0); looks += 1) await world.advance(300);
    expect(taken(emails)).toEqual(emails.map(() => 1));
  }, 120_000);

  it('wait while single emails wait for the rate', async () => {
    const head = await world.automation([onEvent('p2'), mail('m')], chain('start', 'm'));
    setRate(100);
    const { modules } = world;
    await modules.takeBacklogSlot(1, 100, modules.nowMilliseconds(), 0);
    const email = await world.someone();
    await world.record(email, 'p2');
    await world.drain();
    await world.drain();
    expect(world.taken(email)).toBe(0);
    expect((await world.runsOf(head, email))[0]).toMatchObject({ status: 'running', step: 'm' });
    await world.pass(400);
    expect(world.taken(email)).toBe(1);
  }, 60_000);

  it('keep the event that ended the wait before them, although they wait themselves', async () => {
    const { modules } = world;
    const steps = [onEvent('p4'), waitFor('w', 'paid', '20 days'), mail('m')];
    const head = await world.automation(steps, [
      ...chain('start', 'w'),
      { from: 'w', to: 'm', type: 'event_received' },
    ]);
    setRate(100);
    const email = await world.someone();
    await world.record(email, 'p4');
    await world.drain();
    await world.drain();
    await modules.takeBacklogSlot(1, 100, modules.nowMilliseconds(), 0);
    await world.record(email, 'paid');
    await world.drain();
    await world.drain();
    expect(world.taken(email)).toBe(0);
    expect((await world.runsOf(head, email))[0]).toMatchObject({
      ...{ status: 'running', step: 'm', steps: [{}, { output: { branch: 'event_received' } }, {}] },
    });
    await world.pass(700);
    expect(world.taken(email)).toBe(1);
    const { moved, counted } = await recountOf(world, head.id);
    expect(moved).toEqual(counted);
  }, 60_000);

  it('go out without a pace, when the account cannot be read', async () => {
    const head = await world.automation([onEvent('p3'), mail('m')], chain('start', 'm'));
    setRate(0);
    const email = await world.someone();
    await world.record(email, 'p3');
    await world.drain();
    await world.pass(1200, 300);
    expect((await world.runsOf(head, email))[0]).toMatchObject({ status: 'completed' });
    setRate(10_000);
  }, 60_000);
});
