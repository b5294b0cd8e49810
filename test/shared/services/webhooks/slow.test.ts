import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../../../acceptance/client.ts';
import { eventOf, startReceiver } from '../../../acceptance/receiver.ts';
import { emit, modules, newEvent, useWorld } from './emitting.ts';
import { newWebhook } from './world.ts';

const using = useWorld();

const clock = () => new Date();

/** Emits `count` events and returns their queue messages. */
async function emitMany(count: number, webhook: { workspaceId: string; webhookId: string }) {
  await emit(
    webhook.workspaceId,
    Array.from({ length: count }, () => newEvent()),
  );
  return using.world.messages(webhook.webhookId);
}

describe('a slow endpoint', () => {
  it('gets at most five concurrent attempts; the other messages are deferred and none is lost', async () => {
    const { handleWebhookMessage, listDeliveries } = await modules();
    using.receiver.answer(async (_, response) => {
      await wait(800);
      response.writeHead(200).end();
    });
    const webhook = await newWebhook({ url: using.receiver.url });
    const messages = await emitMany(40, webhook);
    const before = await using.world.queued();
    await Promise.all(messages.map((message) => handleWebhookMessage(message, { isRedelivered: false }, clock)));
    expect(using.receiver.maxAtOnce()).toBe(5);
    expect(using.receiver.requests.length).toBeLessThan(40);
    const putOff = (await using.world.queued()) - before;
    expect(using.receiver.requests.length + putOff).toBe(40);
    const { deliveries } = await listDeliveries(webhook, { limit: 100, now: new Date() });
    const delivered = deliveries.filter(({ status }) => status === 'delivered');
    expect(delivered).toHaveLength(using.receiver.requests.length);
  });

  it('delays no other endpoint', async () => {
    const { handleWebhookMessage } = await modules();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const slow = await startReceiver(async (_, response) => {
      await released;
      response.writeHead(200).end();
    });
    const [busy, quick] = [await newWebhook({ url: slow.url }), await newWebhook({ url: using.receiver.url })];
    const slowMessages = await emitMany(30, busy);
    const quickMessages = await emitMany(5, quick);
    const running = slowMessages.map((message) => handleWebhookMessage(message, { isRedelivered: false }, clock));
    await eventually(async () => slow.requests.length === 5);
    await Promise.all(quickMessages.map((message) => handleWebhookMessage(message, { isRedelivered: false }, clock)));
    expect(using.receiver.requests).toHaveLength(5);
    expect(slow.requests.length).toBe(5);
    release();
    await Promise.all(running);
    await slow.stop();
  });

  it('is marked as slow after two seconds without an answer: attempts of every process then need a slot', async () => {
    const { handleWebhookMessage, getWebhook } = await modules();
    const { takeSlot, giveBackSlot } = await import('../../../../shared/store/webhook/webhookSlots.ts');
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    using.receiver.answer(async (_, response) => {
      await released;
      response.writeHead(200).end();
    });
    const webhook = await newWebhook({ url: using.receiver.url });
    const [first, second, third] = await emitMany(3, webhook);
    const running = handleWebhookMessage(first, { isRedelivered: false }, clock);
    await eventually(async () => (await getWebhook(webhook))?.slowUntil);
    const now = new Date();
    const until = new Date(now.getTime() + 20_000);
    const taken = await Promise.all(Array.from({ length: 5 }, () => takeSlot(webhook, 5, now, until)));
    expect(new Set(taken.map((slot) => slot?.name)).size).toBe(5);
    expect(await takeSlot(webhook, 5, now, until)).toBeNull();
    const before = await using.world.queued();
    await handleWebhookMessage(second, { isRedelivered: false }, clock);
    expect(await using.world.queued()).toBe(before + 1);
    expect(using.receiver.requests).toHaveLength(1);
    release();
    await running;
    for (const slot of taken) if (slot) await giveBackSlot(slot);
    await handleWebhookMessage(third, { isRedelivered: false }, clock);
    expect(using.receiver.requests.map((request) => eventOf(request).data.n)).toHaveLength(2);
    const free = await Promise.all(Array.from({ length: 5 }, () => takeSlot(webhook, 5, now, until)));
    expect(free.filter((slot) => slot !== null)).toHaveLength(5);
  });

  it('frees the slot of a crashed worker when its time is over', async () => {
    const { takeSlot } = await import('../../../../shared/store/webhook/webhookSlots.ts');
    const webhook = await newWebhook({ url: using.receiver.url });
    const now = new Date();
    const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
    expect(await takeSlot(webhook, 1, now, later(20))).not.toBeNull();
    expect(await takeSlot(webhook, 1, later(19), later(39))).toBeNull();
    expect(await takeSlot(webhook, 1, later(21), later(41))).not.toBeNull();
  });

  it.each([
    { twin: false, isRedelivered: false, deferredTwin: false },
    { twin: true, isRedelivered: false, deferredTwin: true },
    { twin: false, isRedelivered: true, deferredTwin: true },
  ])(
    'defers a message that says whether another may exist: $twin, redelivered $isRedelivered',
    async ({ twin, isRedelivered, deferredTwin }) => {
      const { handleWebhookMessage, markSlow } = await modules();
      const { takeSlot } = await import('../../../../shared/store/webhook/webhookSlots.ts');
      const webhook = await newWebhook({ url: using.receiver.url });
      const now = new Date();
      const until = new Date(now.getTime() + 3_600_000);
      await markSlow(webhook.webhook, until);
      for (let slot = 0; slot < 5; slot += 1) await takeSlot(webhook, 5, now, until);
      const [message] = await emitMany(1, webhook);
      await handleWebhookMessage({ ...message, twin }, { isRedelivered }, clock);
      const deferred = await eventually(async () => {
        const [first] = await using.world.messages(webhook.webhookId);
        return first;
      });
      expect(deferred).toEqual({ ...message, deferrals: 1, twin: deferredTwin });
    },
  );

  it('is not swept while its messages are deferred, since the sweeper would add one each time', async () => {
    const { handleWebhookMessage, markSlow, sweepDueDeliveries } = await modules();
    const { takeSlot } = await import('../../../../shared/store/webhook/webhookSlots.ts');
    const webhook = await newWebhook({ url: using.receiver.url });
    const now = new Date();
    const until = new Date(now.getTime() + 3_600_000);
    await markSlow(webhook.webhook, until);
    for (let slot = 0; slot < 5; slot += 1) await takeSlot(webhook, 5, now, until);
    const [message] = await emitMany(1, webhook);
    await handleWebhookMessage({ ...message, deferrals: 6 }, { isRedelivered: false }, clock);
    await sweepDueDeliveries(new Date(now.getTime() + 100_000));
    expect(await using.world.messages(webhook.webhookId)).toEqual([]);
    await sweepDueDeliveries(new Date(now.getTime() + 300_000));
    expect(await using.world.messages(webhook.webhookId)).toHaveLength(1);
  });
});
