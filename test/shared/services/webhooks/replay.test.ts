import { contextOf } from '../context.ts';
import { emitted, modules, useWorld } from './emitting.ts';
import { movableClock } from './world.ts';

const using = useWorld();

/** A delivery, and a call that replays it so many times at once. */
async function replayable(options: { enabled?: boolean } = {}) {
  const { replayDelivery } = await import('../../../../shared/services/webhooks/deliveries.ts');
  const clock = movableClock(new Date());
  const delivery = await emitted(using.world, { url: using.receiver.url, at: clock(), ...options });
  const { workspaceId, webhookId: id, state } = delivery;
  const { deliveryId } = await state();
  const replay = (times: number) =>
    Promise.all(Array.from({ length: times }, () => replayDelivery(contextOf(workspaceId), { id, deliveryId })));
  return { ...delivery, clock, replay };
}

describe.each([8, 50])('%d replays of one delivery at once', (times) => {
  it('are all posted and counted, and settle the delivery', async () => {
    const { replay, state } = await replayable();
    const answers = await replay(times);
    expect(using.receiver.requests).toHaveLength(times);
    expect(new Set(using.receiver.requests.map(({ body }) => body)).size).toBe(1);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 'delivered', response_status: 200, error: null });
    expect(answers.map(({ attempts }) => attempts).sort((a, b) => a - b)).toEqual(
      Array.from({ length: times }, (_, index) => index + 1),
    );
    expect(await state()).toMatchObject({ status: 'delivered', tries: 0, replays: times, dueAt: null, error: null });
  });

  it('leave the scheduled retries as they are when they fail', async () => {
    const { handleWebhookMessage } = await modules();
    using.receiver.answer(500);
    const { replay, state, message, clock } = await replayable();
    await handleWebhookMessage(message, { isRedelivered: false }, clock);
    const before = await state();
    const answers = await replay(times);
    for (const answer of answers) expect(answer).toMatchObject({ status: 'pending', response_status: 500 });
    const { nextAttemptAt, dueAt } = before;
    expect(await state()).toMatchObject({ status: 'pending', tries: 1, replays: times, nextAttemptAt, dueAt });
  });

  it('neither lose nor repeat a concurrent automatic attempt', async () => {
    const { handleWebhookMessage } = await modules();
    const { replay, state, message, clock } = await replayable();
    await Promise.all([replay(times), handleWebhookMessage(message, { isRedelivered: false }, clock)]);
    const { status, tries, replays } = await state();
    expect([status, replays]).toEqual(['delivered', times]);
    const automatic = using.receiver.requests.length - times;
    expect([0, 1]).toContain(automatic);
    expect(tries).toBeLessThanOrEqual(automatic);
  });
});

describe('a replay', () => {
  it('that fails is shown on a settled delivery', async () => {
    const { replay, state } = await replayable();
    await replay(1);
    using.receiver.answer(500);
    expect(await replay(1)).toMatchObject([{ status: 'failed', attempts: 2, response_status: 500 }]);
    expect(await state()).toMatchObject({ status: 'failed', replays: 2, error: 'status', dueAt: null });
  });

  it('that fails leaves a held delivery held; one that is accepted settles it', async () => {
    const { replay, state } = await replayable({ enabled: false });
    using.receiver.answer(500);
    await replay(8);
    expect(await state()).toMatchObject({ status: 'pending', replays: 8, error: 'held', responseStatus: 500 });
    using.receiver.answer(200);
    await replay(1);
    expect(await state()).toMatchObject({ status: 'delivered', replays: 9, error: null, dueAt: null });
  });

  it('is recorded although the delivery is held, released and settled meanwhile', async () => {
    const { releaseDelivery, holdDelivery, recordReplay } = await modules();
    const { state } = await replayable({ enabled: false });
    const seen = await state();
    const failed = { accepted: false, status: 500, body: '', error: 'status', durationMilliseconds: 5 };
    await releaseDelivery(seen, new Date());
    expect(await recordReplay(seen, failed, new Date())).toMatchObject({
      status: 'pending',
      error: 'status',
      replays: 1,
    });
    await holdDelivery(seen, new Date(), new Date());
    const released = { ...seen, error: null };
    expect(await recordReplay(released, failed, new Date())).toMatchObject({ error: 'held', replays: 2 });
    await recordReplay(seen, { ...failed, accepted: true, status: 200, error: null }, new Date());
    expect(await recordReplay(seen, failed, new Date())).toMatchObject({ status: 'failed', replays: 4 });
  });

  it('returns null when the delivery was deleted meanwhile', async () => {
    const { deleteDeliveries, recordReplay } = await modules();
    const { state } = await replayable();
    const seen = await state();
    await deleteDeliveries([seen]);
    const outcome = { accepted: true, status: 200, body: '', error: null, durationMilliseconds: 5 };
    expect(await recordReplay(seen, outcome, new Date())).toBeNull();
  });
});
