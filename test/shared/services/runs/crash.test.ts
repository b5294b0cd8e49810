import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { jest } from '@jest/globals';
import { logger } from '../../../../shared/platform/logger.ts';
import type { AutomationHead } from '../../../../shared/store/automation/automations.ts';
import { auditRuns } from '../../../acceptance/audit.ts';
import { delay, mail, onEvent, type RunsWorld, startRunsWorld, tag, waitFor } from './world.ts';

let world: RunsWorld;
let head: AutomationHead;

beforeAll(async () => {
  world = await startRunsWorld();
  logger.setLogLevel('SILENT');
  head = await world.automation(
    [
      onEvent('order'),
      tag('a'),
      mail('first'),
      delay('pause', '20 minutes'),
      waitFor('paid', 'paid', '30 minutes'),
      mail('yes'),
      mail('no'),
      tag('b'),
    ],
    [
      ...[
        ['start', 'a'],
        ['a', 'first'],
        ['first', 'pause'],
        ['pause', 'paid'],
        ['no', 'b'],
        ['yes', 'b'],
      ].map(([from = '', to = '']) => ({
        ...{ from, to, type: 'default' as const },
      })),
      { from: 'paid', to: 'yes', type: 'event_received' },
      { from: 'paid', to: 'no', type: 'timeout' },
    ],
  );
});
afterAll(() => world.stop());
jest.setTimeout(120_000);

const audit = async () => {
  const { Items = [] } = await world.modules.documents.send(
    new ScanCommand({ TableName: 'test', ConsistentRead: true }),
  );
  return auditRuns(Items);
};

async function until(isReached: () => Promise<boolean>, act: () => Promise<void>): Promise<void> {
  for (let times = 0; times < 20 && !(await isReached()); times += 1) await act();
}

/** A run from its event to its end; `isPaid` decides its branch. A worker dies at a write, and is started again. */
async function live(isPaid: boolean, kill?: { readonly at: number; readonly side: 'before' | 'after' }) {
  const email = await world.someone();
  await world.record(email, 'order');
  Object.assign(world.death, { writes: 0, at: kill?.at ?? 0, side: kill?.side ?? 'after', isDead: false });
  const from = world.handled.length;
  const live = async (act: () => Promise<unknown>) => {
    await act().catch((error: unknown) => {
      if (!world.death.isDead) throw error;
    });
    if (world.death.isDead) Object.assign(world.death, { isDead: false, at: 0 });
  };
  await live(world.drain);
  const isAt = async (step: string) => (await world.runsOf(head, email))[0]?.step === step;
  const isOver = async () => (await world.runsOf(head, email))[0]?.status === 'completed';
  await until(
    () => isAt('paid'),
    () => live(() => world.pass(600, 300)),
  );
  const kills = world.death.at;
  if (isPaid) await live(() => world.record(email, 'paid'));
  // A call that died is repeated by its caller.
  if (isPaid && world.death.at !== kills) await world.record(email, 'paid');
  await live(world.drain);
  await until(isOver, () => live(() => world.pass(600, 300)));
  const { writes } = world.death;
  world.revive();
  // Whatever came once comes again, late.
  for (const message of world.handled.slice(from)) await world.handle(message);
  await world.drain();
  return { email, writes, runs: await world.runsOf(head, email) };
}

describe.each([true, false])('a worker that dies at a write of a run (paid: %s)', (isPaid) => {
  it('loses nothing and sends nothing twice, whichever write it is', async () => {
    const { writes } = await live(isPaid);
    expect(writes).toBeGreaterThan(8);
    for (let at = 1; at <= writes; at += 1) {
      // Before a write is after the one before it, but for the first.
      for (const side of at === 1 ? (['before', 'after'] as const) : (['after'] as const)) {
        const { email, runs } = await live(isPaid, { at, side });
        const place = `${side} write ${at}`;
        const steps = runs[0]?.steps.map(({ key, status }) => `${key} ${status}`);
        expect({ place, runs: runs.length, status: runs[0]?.status, steps }).toEqual({
          ...{ place, runs: 1, status: 'completed' },
          steps: ['start', 'a', 'first', 'pause', 'paid', isPaid ? 'yes' : 'no', 'b'].map((key) => `${key} completed`),
        });
        expect({ place, taken: world.taken(email) }).toEqual({ place, taken: 2 });
      }
    }
    expect(await audit()).toEqual([]);
  }, 600_000);
});
