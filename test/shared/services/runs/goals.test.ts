import { logger } from '../../../../shared/platform/logger.ts';
import { contextOf } from '../context.ts';
import { chain, delay, mail, onEvent, type RunsWorld, startRunsWorld } from './world.ts';

let world: RunsWorld;
beforeAll(async () => {
  world = await startRunsWorld();
  logger.setLogLevel('SILENT');
});
afterAll(() => world.stop());

const withGoal = (event: string) =>
  world.automation([onEvent(event), delay('d', '1 hour'), mail('m')], chain('start', 'd', 'm'), {
    goals: [{ event_name: 'bought' }],
  });
const run = async (head: Awaited<ReturnType<typeof withGoal>>, email: string) => (await world.runsOf(head, email))[0];

describe('a goal', () => {
  it('ends a run at once', async () => {
    const head = await withGoal('g1');
    const email = await world.someone();
    await world.record(email, 'g1');
    await world.drain();
    await world.drain();
    expect(await run(head, email)).toMatchObject({ status: 'running', step: 'd' });
    await world.record(email, 'bought');
    await world.drain();
    expect(await run(head, email)).toMatchObject({ status: 'completed', reason: 'goal' });
  });

  it('counts that was reached after the cause of a run and before the run', async () => {
    const head = await withGoal('g2');
    const email = await world.someone();
    const cause = await world.record(email, 'g2');
    const goal = await world.record(email, 'bought');
    const of = (event: { id: string | null }) =>
      ({ kind: 'event', workspace_id: world.workspaceId, email, event_id: event.id ?? '' }) as const;
    await world.handle(of(goal));
    await world.handle(of(cause));
    await world.drain();
    await world.drain();
    expect(await run(head, email)).toMatchObject({ status: 'completed', reason: 'goal' });
    await world.pass(2 * 3600, 600);
    expect(world.taken(email)).toBe(0);
  });

  it('does not count that was reached before the cause', async () => {
    const head = await withGoal('g3');
    const email = await world.someone();
    await world.record(email, 'bought');
    await world.drain();
    world.move(1);
    await world.record(email, 'g3');
    await world.drain();
    await world.drain();
    expect(await run(head, email)).toMatchObject({ status: 'running', step: 'd' });
  });

  it('counts while the automation is disabled', async () => {
    const head = await withGoal('g4');
    const email = await world.someone();
    await world.record(email, 'g4');
    await world.drain();
    await world.drain();
    await world.modules.updateAutomation(contextOf(world.workspaceId), { id: head.id, status: 'disabled' } as never);
    await world.record(email, 'bought');
    await world.drain();
    expect(await run(head, email)).toMatchObject({ status: 'completed', reason: 'goal' });
  });
});
