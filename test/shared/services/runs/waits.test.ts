import { logger } from '../../../../shared/platform/logger.ts';
import { recountOf } from './recount.ts';
import { chain, mail, onEvent, type RunsWorld, startRunsWorld, tag, waitFor } from './world.ts';

let world: RunsWorld;
beforeAll(async () => {
  world = await startRunsWorld();
  logger.setLogLevel('SILENT');
});
afterAll(() => world.stop());

const minute = 60;
/** Of fifty events each; more of them, for a longer look, by the environment. */
const rounds = Number(process.env.WAIT_ROUNDS ?? 2);

describe('an event and a deadline that meet', () => {
  it('are decided by the time of recording', async () => {
    const { modules, workspaceId } = world;
    const head = await world.automation(
      [onEvent('order'), waitFor('paid', 'paid', '1 minute'), tag('yes'), tag('no')],
      [
        ...chain('start', 'paid'),
        { from: 'paid', to: 'yes', type: 'event_received' },
        { from: 'paid', to: 'no', type: 'timeout' },
      ],
    );
    const wrong: object[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const emails = await Promise.all(Array.from({ length: 50 }, () => world.someone()));
      await Promise.all(emails.map((email) => world.record(email, 'order')));
      await world.drain();
      await world.drain();
      const waiting = await Promise.all(
        emails.map(async (email) => {
          const [shown] = await world.runsOf(head, email);
          const run = await modules.getRun({ workspaceId, automationId: head.id, id: shown?.id ?? '' });
          if (run?.phase !== 'wait') throw new Error(`It is ${shown?.status} at ${shown?.step}.`);
          return { email, run, deadline: Date.parse(run.wakesAt ?? '') };
        }),
      );
      world.move(minute + 31);
      // Recorded up to a minute before the deadline, or up to a minute after it; acted on in any order with the timeout.
      await Promise.all(
        waiting.map(async ({ email, run, deadline }, index) => {
          const isInTime = index % 2 === 0;
          const at = new Date(deadline + (isInTime ? -1 : 1) * Math.ceil(Math.random() * 50_000));
          const id = modules.createId('event', at);
          const created = at.toISOString();
          const event = { workspaceId, email, id, name: 'paid', data: {}, externalId: null, timestamp: created };
          const before = { isSubscriber: true, activity: null, recorded: null };
          const write = () =>
            modules.putPersonEvent(
              { ...event, createdAt: created, expiresAt: 9_999_999_999 },
              before,
              null,
              modules.now(),
              { due: modules.changeDue(workspaceId, email, at) },
            );
          const act = () => world.handle({ kind: 'event', workspace_id: workspaceId, email, event_id: id });
          const wake = () =>
            world.handle({
              kind: 'wake',
              workspace_id: workspaceId,
              automation_id: head.id,
              run_id: run.id,
              seq: run.seq,
            });
          await write();
          await Promise.all(index % 4 < 2 ? [act(), wake(), act()] : [wake(), wake(), act()]);
          const after = await modules.getRun(run);
          const branch = after?.story.find(({ step }) => step === 1)?.branch;
          const steps = after?.story.map(({ step }) => step).join();
          const expected = isInTime ? ['event_received', '0,1,2'] : ['timeout', '0,1,3'];
          if (branch !== expected[0] || steps !== expected[1]) wrong.push({ isInTime, branch, steps });
        }),
      );
    }
    expect(wrong).toEqual([]);
    const { moved, counted } = await recountOf(world, head.id);
    expect(moved).toEqual(counted);
  }, 600_000);
});

describe('a wait', () => {
  it('sees an event that was recorded while it began, and not the one that started its run', async () => {
    const head = await world.automation(
      [onEvent('visit'), waitFor('again', 'visit', '1 hour'), mail('m')],
      [...chain('start', 'again'), { from: 'again', to: 'm', type: 'event_received' }],
    );
    const email = await world.someone();
    await world.record(email, 'visit');
    await world.drain();
    expect((await world.runsOf(head, email))[0]).toMatchObject({ status: 'running', step: 'again' });
    // An event of the last five seconds before a wait may end it, also that of the second run, which the next one starts.
    world.move(6);
    await world.record(email, 'visit');
    await world.drain();
    await world.drain();
    expect((await world.runsOf(head, email)).at(-1)).toMatchObject({ status: 'completed' });
    expect(world.taken(email)).toBe(1);
  });
});
