import { jest } from '@jest/globals';
import { logger } from '../../../../shared/platform/logger.ts';
import { watchingWorld } from './watching.ts';
import { type RunsWorld, startRunsWorld } from './world.ts';

let world: RunsWorld;
let own: ReturnType<typeof watchingWorld>;
beforeAll(async () => {
  world = await startRunsWorld();
  logger.setLogLevel('SILENT');
  own = watchingWorld(world);
});
afterEach(async () => expect(await own.audit()).toEqual([]));
afterAll(() => world.stop());
jest.setTimeout(60_000);

const days = (count: number) => count * 86_400;

type Kill = { readonly at: number; readonly side: 'before' | 'after' } | null;

/** Does what a service would; a worker that dies is started again. */
async function alive(act: () => Promise<unknown>): Promise<void> {
  await act().catch((error: unknown) => {
    if (!world.death.isDead) throw error;
  });
  if (world.death.isDead) Object.assign(world.death, { isDead: false, at: 0 });
}

/** Begins with the next write. */
const dieAt = (kill: Kill) =>
  Object.assign(world.death, { writes: 0, at: kill?.at ?? 0, side: kill?.side ?? 'after', isDead: false });

/** Lets time pass, and everything come once more at its end. Returns how many writes there were. */
async function passing(seconds: readonly number[], from: number): Promise<number> {
  for (const each of seconds) await alive(() => world.advance(each));
  const { writes } = world.death;
  world.revive();
  for (const message of world.handled.slice(from)) await world.handle(message);
  await own.settle();
  return writes;
}

/** Three people in three states, through the scan, a change and a moment of time. */
async function liveBySegment(kill: Kill) {
  const name = kill ? `e${kill.at}${kill.side}` : 'e';
  const recent = { event: name, operator: 'within_last_days', value: 2 };
  const rule = { any: [{ tag: name }, { all: [{ event: name, operator: 'exists' }, { not: recent }] }] };
  const [present, changed, timed] = [await own.newcomer({ tags: [name] }), await own.newcomer(), await own.newcomer()];
  await world.record(timed, name);
  await own.settle();
  const segment_id = await own.segment(rule);
  const id = await own.watch({ source: 'segment_entered', segment_id, include_present: true });
  dieAt(kill);
  const from = world.handled.length;
  await alive(world.drain);
  // A call that died is repeated by its caller.
  for (const _ of [1, 2]) await alive(() => own.change(changed, { tags: [name] }));
  await alive(world.drain);
  const writes = await passing([130, 310, days(2), 310, 310], from);
  const runs = await Promise.all([present, changed, timed].map((email) => own.starts(id, email)));
  await own.update(id, { status: 'disabled' });
  return { runs, writes };
}

/** People with a date, one whose date is moved, and one who is in the automation already. */
async function liveByDate(kill: Kill) {
  const field = kill ? `f${kill.at}${kill.side}` : 'f';
  const at = (count: number) => ({
    [field]: new Date(world.modules.now().getTime() + days(count) * 1000).toISOString().slice(0, 10),
  });
  const [known, moved] = [await own.newcomer({ fields: at(2) }), await own.newcomer({ fields: at(4) })];
  const id = await own.watch({ source: 'date', field, at: '09:00', zone: 'UTC' }, { reentry: 'once' });
  await own.settle();
  await own.update(id, { status: 'disabled' });
  await own.update(id, { status: 'enabled' });
  const fields = at(2);
  const due = Date.parse(`${fields[field]}T09:00:00Z`);
  dieAt(kill);
  const from = world.handled.length;
  await alive(world.drain);
  for (const _ of [1, 2]) await alive(() => own.change(moved, { fields }));
  await alive(world.drain);
  await alive(() => world.advance(310));
  const writes = await passing([(due - world.modules.now().getTime()) / 1000 + 1, 310, 310, 310], from);
  const runs = await Promise.all([known, moved].map((email) => own.starts(id, email)));
  const { not_started } = await own.stats(id);
  await own.update(id, { status: 'disabled' });
  return { runs, writes, not_started };
}

describe('a worker that dies at any write', () => {
  it.each([
    ['segment', liveBySegment, [1, 1, 1]],
    ['date', liveByDate, [1, 1]],
  ] as const)(
    'of the scan, of an evaluation or of a start by %s starts the same people once',
    async (_, live, runs) => {
      const { writes, ...whole } = await live(null);
      expect(whole).toMatchObject({ runs });
      expect(writes).toBeGreaterThan(20);
      for (let at = 1; at <= writes; at += 1) {
        for (const side of at === 1 ? (['before', 'after'] as const) : (['after'] as const)) {
          const { writes: _, ...killed } = await live({ at, side });
          expect({ at, side, ...killed }).toEqual({ at, side, ...whole });
        }
      }
    },
    600_000,
  );
});
