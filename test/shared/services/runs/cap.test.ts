import { jest } from '@jest/globals';
import type { FrequencyCap } from '../../../../shared/domain/sending/frequencyCap.ts';
import { logger } from '../../../../shared/platform/logger.ts';
import { contextOf, operatorContext } from '../context.ts';
import { chain, mail, onEvent, type RunsWorld, startRunsWorld, tag } from './world.ts';

let world: RunsWorld;
let verbs: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../../shared/services/frequencyCap.ts')),
  ...(await import('../../../../shared/services/emails/sendEmail.ts')),
  ...(await import('../../../../shared/store/person/countedMessages.ts')),
});

beforeAll(async () => {
  world = await startRunsWorld();
  verbs = await load();
  logger.setLogLevel('SILENT');
});
afterAll(() => world.stop());
beforeEach(() => {
  world.provider.state.answer = 'takes';
});
jest.setTimeout(120_000);

const hour = 3600;
const day = 24 * hour;
const set = (cap: FrequencyCap) => verbs.setFrequencyCap(operatorContext(world.workspaceId), cap);
const remove = () => verbs.removeFrequencyCap(operatorContext(world.workspaceId));
const counted = async (email: string) => (await verbs.getCounted(world.workspaceId, email)).map(({ id }) => id);

/** An automation that an event starts, with one message. */
const sending = (event: string, settings: object = {}) =>
  world.automation([onEvent(event), mail('m'), tag('after')], chain('start', 'm', 'after'), {}, settings);

/** Lets days pass in steps of an hour, as far as needed. */
async function passUntil(isReached: () => Promise<boolean>, days: number): Promise<void> {
  for (let hours = 0; hours < days * 24 && !(await isReached()); hours += 1) await world.pass(hour, hour);
}

describe('a message of an automation that the frequency cap does not allow', () => {
  it('waits until the oldest counted message is old enough, and then goes out', async () => {
    await set({ messages: 1, days: 2 });
    const [first, second] = [await sending('c1'), await sending('c2')];
    const email = await world.someone();
    await world.record(email, 'c1');
    await world.drain();
    await world.record(email, 'c2');
    await world.drain();
    const [run] = await world.runsOf(second, email);
    const oldest = (await verbs.getCounted(world.workspaceId, email))[0]?.at ?? 0;
    expect(run).toMatchObject({
      status: 'running',
      wakes_at: new Date(oldest + 2 * day * 1000).toISOString(),
      steps: [{}, { key: 'm', status: 'waiting', reason: 'frequency_cap' }],
    });
    expect(world.taken(email)).toBe(1);
    const isOver = async () => (await world.runsOf(second, email))[0]?.status === 'completed';
    await world.pass(day, 12 * hour);
    expect(world.taken(email)).toBe(1);
    await passUntil(isOver, 2);
    const [before, after] = world.provider.taken.filter(({ to }) => to === email);
    expect(Number(after?.at) - Number(before?.at)).toBeGreaterThan((2 * day - 5) * 1000);
    expect((await world.runsOf(second, email))[0]?.steps[1]).toMatchObject({ status: 'completed', reason: null });
    expect(await world.stats(first)).toMatchObject({ runs: { completed: 1 } });
    expect(await counted(email)).toHaveLength(2);
  });

  it('is skipped after max_delay, with the reason, and its run goes on', async () => {
    await set({ messages: 1, days: 7 });
    const [, second] = [await sending('c3'), await sending('c4', { maxDelay: '6 hours' })];
    const email = await world.someone();
    await world.record(email, 'c3');
    await world.drain();
    await world.record(email, 'c4');
    await world.drain();
    await world.pass(5 * hour, hour);
    expect((await world.runsOf(second, email))[0]).toMatchObject({ status: 'running' });
    await world.pass(2 * hour, hour);
    expect((await world.runsOf(second, email))[0]).toMatchObject({
      status: 'completed',
      steps: [{}, { status: 'skipped', reason: 'frequency_cap' }, { key: 'after', status: 'completed' }],
    });
    const stats = await world.stats(second);
    expect(stats.steps[1]).toMatchObject({ entered: 1, completed: 0, skipped: { frequency_cap: 1 }, waiting: 0 });
    expect(world.taken(email)).toBe(1);
  });

  it.each([
    ['raised', () => set({ messages: 2, days: 7 })],
    ['shortened', () => set({ messages: 1, days: 1 })],
    ['removed', () => remove()],
  ])('goes out at once when the cap is %s', async (how, change) => {
    await set({ messages: 1, days: 7 });
    const [, second] = [await sending(`c5${how}`), await sending(`c6${how}`)];
    const email = await world.someone();
    await world.record(email, `c5${how}`);
    await world.drain();
    await world.pass(2 * day, day);
    await world.record(email, `c6${how}`);
    await world.drain();
    expect((await world.runsOf(second, email))[0]).toMatchObject({ status: 'running' });
    await change();
    await world.pass(60, 20);
    expect((await world.runsOf(second, email))[0]).toMatchObject({ status: 'completed' });
    expect(world.taken(email)).toBe(2);
  });

  it('is one of two that want the last place at once', async () => {
    await set({ messages: 2, days: 7 });
    const heads = await Promise.all(['c7', 'c7', 'c7', 'c7'].map((event) => sending(event)));
    const email = await world.someone();
    await world.record(email, 'c7');
    await world.drain();
    expect(world.taken(email)).toBe(2);
    const runs = (await Promise.all(heads.map((head) => world.runsOf(head, email)))).flat();
    expect(runs.map(({ status }) => status).sort()).toEqual(['completed', 'completed', 'running', 'running']);
    expect(await counted(email)).toHaveLength(2);
  });
});

describe('a message of an automation that the frequency cap allows', () => {
  it('gives its place back when the provider refuses it, and takes it anew when it is tried again', async () => {
    await set({ messages: 1, days: 7 });
    const [refused, late] = [await sending('d1'), await sending('d2')];
    const email = await world.someone();
    world.provider.state.answer = 'refuses';
    await world.record(email, 'd1');
    await world.drain();
    expect((await world.runsOf(refused, email))[0]).toMatchObject({ status: 'failed' });
    expect(await counted(email)).toEqual([]);
    world.provider.state.answer = 'is busy';
    await world.record(email, 'd2');
    await world.drain();
    expect(await counted(email)).toEqual([]);
    world.provider.state.answer = 'takes';
    await world.pass(600);
    expect((await world.runsOf(late, email))[0]).toMatchObject({ status: 'completed' });
    expect(await counted(email)).toHaveLength(1);
  });

  it('keeps its place while nothing proves that it is not out', async () => {
    await set({ messages: 1, days: 7 });
    const [doubtful, other] = [await sending('d3'), await sending('d4')];
    const email = await world.someone();
    world.provider.state.answer = 'takes in silence';
    await world.record(email, 'd3');
    await world.drain();
    world.provider.state.answer = 'takes';
    await world.record(email, 'd4');
    await world.drain();
    await world.pass(1200, 200);
    expect((await world.runsOf(doubtful, email))[0]).toMatchObject({ status: 'completed' });
    expect((await world.runsOf(other, email))[0]).toMatchObject({ status: 'running' });
    expect(world.taken(email)).toBe(1);
  });

  it('counts once whichever write its worker dies at, and nobody gets more than the cap allows', async () => {
    await set({ messages: 1, days: 7 });
    // Its message begins anew after a crash, at another time.
    const steps = [onEvent('d5'), tag('before'), mail('m'), tag('after')];
    const head = await world.automation(steps, chain('start', 'before', 'm', 'after'));
    const other = await sending('d6');
    const live = async (kill?: { readonly at: number; readonly side: 'before' | 'after' }) => {
      const email = await world.someone();
      await world.record(email, 'd5');
      Object.assign(world.death, { writes: 0, at: kill?.at ?? 0, side: kill?.side ?? 'after', isDead: false });
      const from = world.handled.length;
      await world.drain();
      if (world.death.isDead) Object.assign(world.death, { isDead: false, at: 0 });
      for (let times = 0; times < 20; times += 1) {
        if ((await world.runsOf(head, email))[0]?.status === 'completed') break;
        await world.pass(600, 300);
      }
      const { writes } = world.death;
      world.revive();
      for (const message of world.handled.slice(from)) await world.handle(message);
      await world.record(email, 'd6');
      await world.drain();
      return { email, writes };
    };
    const { writes } = await live();
    expect(writes).toBeGreaterThan(5);
    for (let at = 1; at <= writes; at += 1) {
      for (const side of at === 1 ? (['before', 'after'] as const) : (['after'] as const)) {
        const { email } = await live({ at, side });
        const place = `${side} write ${at}`;
        expect({ place, taken: world.taken(email), counted: (await counted(email)).length }).toEqual({
          ...{ place, taken: 1, counted: 1 },
        });
        expect((await world.runsOf(head, email))[0]).toMatchObject({ status: 'completed' });
        expect((await world.runsOf(other, email))[0]?.steps[1]).toMatchObject({ reason: 'frequency_cap' });
      }
    }
  }, 600_000);
});

describe('without a frequency cap', () => {
  it('nothing is counted', async () => {
    await remove();
    const head = await sending('e1');
    const email = await world.someone();
    await world.record(email, 'e1');
    await world.drain();
    expect((await world.runsOf(head, email))[0]).toMatchObject({ status: 'completed' });
    expect(await counted(email)).toEqual([]);
  });
});

describe('single emails', () => {
  it('go out whatever the frequency cap says, and are not counted', async () => {
    await set({ messages: 1, days: 7 });
    await sending('f1');
    const email = await world.someone();
    await world.record(email, 'f1');
    await world.drain();
    const request = { from: 'hello@example.com', to: email, subject: 'Your order', text: 'Thanks.' };
    for (let number = 0; number < 2; number += 1)
      await verbs.sendEmail({ ...contextOf(world.workspaceId), now: world.modules.now() }, request as never);
    expect(world.taken(email)).toBe(3);
    expect(await counted(email)).toHaveLength(1);
  });
});
