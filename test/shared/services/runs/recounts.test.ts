import { logger } from '../../../../shared/platform/logger.ts';
import { recountOf } from './recount.ts';
import { chain, delay, mail, onEvent, type RunsWorld, startRunsWorld } from './world.ts';

let world: RunsWorld;
beforeAll(async () => {
  world = await startRunsWorld();
  logger.setLogLevel('SILENT');
});
afterAll(() => world.stop());

const day = 86_400;
const recount = async (id: string) => {
  for (const shard of world.modules.tallyShards)
    await world.handle({ kind: 'recount', workspace_id: world.workspaceId, automation_id: id, shard });
};

/** Runs of some people, of which half have ended. */
async function withRuns(event: string) {
  const head = await world.automation([onEvent(event), mail('m'), delay('d', '300 days')], chain('start', 'm', 'd'));
  const emails = await Promise.all(Array.from({ length: 6 }, () => world.someone()));
  for (const email of emails) await world.record(email, event);
  await world.drain();
  await world.drain();
  for (const email of emails.slice(0, 3))
    await world.modules.suppress(world.workspaceId, email, 'unsubscribe', world.modules.now());
  await world.drain();
  return head;
}

/** Counters of runs that were never written, as after a crash. */
const lose = async (id: string) => {
  for (const shard of world.modules.tallyShards) {
    const position = { workspaceId: world.workspaceId, automationId: id, version: 1, shard };
    await world.modules.addToRunTally(position, { started: -1, '1.mail.sent': 5 });
  }
};

describe('a recount', () => {
  it('finds what a crash lost', async () => {
    const head = await withRuns('r1');
    const right = await world.stats(head);
    expect(right.runs).toEqual({ started: 6, running: 3, completed: 0, cancelled: 3, failed: 0 });
    await lose(head.id);
    expect(await world.stats(head)).not.toEqual(right);
    world.move(300);
    await recount(head.id);
    expect(await world.stats(head)).toEqual(right);
    const { moved, counted } = await recountOf(world, head.id);
    expect(moved).toEqual(counted);
  }, 60_000);

  it('leaves a shard alone whose runs were just written, and comes back to it', async () => {
    const head = await withRuns('r2');
    const right = await world.stats(head);
    await lose(head.id);
    const wrong = await world.stats(head);
    await recount(head.id);
    const after = await world.stats(head);
    // Only shards without a run were counted.
    expect(after).not.toEqual(right);
    expect(after).not.toEqual(wrong);
    const again = world.handled.filter(({ kind }) => kind === 'recount').length;
    world.move(301);
    for (const shard of world.modules.tallyShards)
      await world.handle({
        ...{ kind: 'recount', workspace_id: world.workspaceId },
        automation_id: head.id,
        shard,
        tries: 2,
      });
    expect(await world.stats(head)).toEqual(right);
    expect(again).toBeGreaterThan(0);
  }, 60_000);

  it('keeps what runs told that ended long ago, although others move', async () => {
    const head = await withRuns('r5');
    const right = await world.stats(head);
    world.move(8 * day);
    // One run in each shard that has just been written.
    const { modules, workspaceId } = world;
    const shards = new Set<number>();
    while (shards.size < modules.tallyShards.length) {
      const email = await world.someone();
      const { id } = await world.record(email, 'r5');
      await world.handle({ kind: 'event', workspace_id: workspaceId, email, event_id: id ?? '' });
      const [run] = await world.runsOf(head, email);
      shards.add(modules.tallyShardOf(run?.id ?? ''));
    }
    const before = await world.stats(head);
    await recount(head.id);
    expect(await world.stats(head)).toEqual(before);
    const kept = await Promise.all(
      modules.tallyShards.map((shard) => modules.readShardTallies(workspaceId, head.id, shard)),
    );
    const base = kept.flat().reduce((sum, one) => sum + (one.base.started ?? 0), 0);
    expect(base).toBe(right.runs.cancelled);
  }, 120_000);

  it('keeps what runs told whose records have expired', async () => {
    const head = await withRuns('r3');
    const right = await world.stats(head);
    world.move(8 * day);
    await recount(head.id);
    expect(await world.stats(head)).toEqual(right);
    // The table's expiry.
    const gone = [];
    for (const shard of world.modules.tallyShards)
      for await (const runs of world.modules.runsOfShard(world.workspaceId, head.id, shard))
        gone.push(...runs.filter(({ status }) => status !== 'running'));
    expect(gone).toHaveLength(3);
    await world.modules.deleteItems(gone.map((run) => world.modules.runKey(run.workspaceId, head.id, run.id)));
    for (const _ of [1, 2]) {
      await recount(head.id);
      expect(await world.stats(head)).toEqual(right);
    }
    world.move(8 * day);
    await recount(head.id);
    expect(await world.stats(head)).toEqual(right);
  }, 60_000);
});

it('counts the starts that an event made none of, more than a transaction can hold', async () => {
  const { modules, workspaceId } = world;
  const email = await world.someone();
  const head = await world.automation([onEvent('r4'), mail('m')], chain('start', 'm'));
  const { id } = await world.record(email, 'r4');
  const versions = Array.from({ length: 120 }, (_, index) => index + 1);
  const parts = versions.map((version) =>
    modules.tallyPart({ workspaceId, automationId: head.id, version, shard: 0 }, { 'not.filtered': 1 }),
  );
  const position = { workspaceId, email, eventId: id ?? '' };
  expect(await modules.settleEvent(position, parts)).toBe(true);
  expect(await modules.settleEvent(position, parts)).toBe(false);
  const counted = await modules.readShardTallies(workspaceId, head.id, 0);
  expect(counted.map(({ tally }) => tally['not.filtered'])).toEqual(versions.map(() => 1));
});
