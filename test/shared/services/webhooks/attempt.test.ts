import { eventually } from '../../../acceptance/client.ts';
import { verifyWebhook } from '../../../acceptance/webhooks/verifyWebhook.ts';
import { emitted, modules, useWorld } from './emitting.ts';
import { movableClock } from './world.ts';

const using = useWorld();

describe('a delivery', () => {
  it.each([200, 201, 204, 299])('is delivered when the receiver answers %d', async (status) => {
    const { handleWebhookMessage } = await modules();
    using.receiver.answer(status);
    const { message, state } = await emitted(using.world, { url: using.receiver.url });
    await handleWebhookMessage(message, { isRedelivered: false }, () => new Date());
    const delivery = await state();
    expect(delivery).toMatchObject({ status: 'delivered', tries: 1, responseStatus: status });
    expect(delivery.dueAt).toBeNull();
    expect(delivery.nextAttemptAt).toBeNull();
    expect(await using.world.messages()).toEqual([]);
  });

  it.each([301, 302, 304, 400, 401, 410, 429, 500, 503])(
    'is tried again when the receiver answers %d',
    async (status) => {
      const { handleWebhookMessage } = await modules();
      using.receiver.answer(status);
      const { message, state } = await emitted(using.world, { url: using.receiver.url });
      await handleWebhookMessage(message, { isRedelivered: false }, () => new Date());
      const delivery = await state();
      expect(delivery).toMatchObject({ status: 'pending', tries: 1, responseStatus: status, error: 'status' });
      expect(using.receiver.requests).toHaveLength(1);
    },
  );

  it('shows the beginning of the response, in whole characters', async () => {
    const { handleWebhookMessage } = await modules();
    using.receiver.answer((_, response) => response.writeHead(500).end('é🙂'.repeat(2000)));
    const { message, state } = await emitted(using.world, { url: using.receiver.url });
    await handleWebhookMessage(message, { isRedelivered: false }, () => new Date());
    const delivery = await state();
    expect(delivery.responseBody).toBe('é🙂'.repeat(500));
  });

  it('has the same body and event id in four retries, a new signature each time, and is then given up', async () => {
    const { handleWebhookMessage } = await modules();
    using.receiver.answer(500);
    const clock = movableClock(new Date());
    const { message, state, secret } = await emitted(using.world, { url: using.receiver.url, at: clock() });
    let ask = message;
    for (const [tries, seconds] of [30, 120, 600].entries()) {
      const before = await using.world.delayed();
      await handleWebhookMessage(ask, { isRedelivered: false }, clock);
      const delivery = await state();
      const due = new Date(clock().getTime() + seconds * 1000);
      expect(delivery).toMatchObject({ status: 'pending', tries: tries + 1, nextAttemptAt: due, dueAt: due });
      expect(await using.world.delayed()).toBe(before + 1);
      ask = { ...message, tries: tries + 1 };
      clock.move(seconds);
    }
    await handleWebhookMessage(ask, { isRedelivered: false }, clock);
    const name = `webhook-${message.deliveryId}`;
    const hour = new Date(Math.ceil((clock().getTime() + 3_600_000) / 1000) * 1000).toISOString().slice(0, 19);
    expect(await using.world.schedule(name)).toMatchObject({
      ScheduleExpression: `at(${hour})`,
      ActionAfterCompletion: 'DELETE',
    });
    clock.move(3600);
    expect(await using.world.messages()).toEqual([]);
    await using.world.moveSchedulerClock((clock().getTime() - Date.now()) / 1000 + 1);
    const last = await scheduled();
    expect(await using.world.scheduleNames()).not.toContain(name);
    await handleWebhookMessage(last, { isRedelivered: false }, clock);
    const delivery = await state();
    expect(delivery).toMatchObject({ status: 'failed', tries: 5, responseStatus: 500, error: 'status' });
    expect(delivery.nextAttemptAt).toBeNull();
    expect(delivery.dueAt).toBeNull();
    expect(new Set(using.receiver.requests.map(({ body }) => body)).size).toBe(1);
    expect(new Set(using.receiver.requests.map(({ headers }) => headers['service-event-id'])).size).toBe(1);
    const signatures = using.receiver.requests.map(({ headers }) => String(headers['service-signature']));
    expect(new Set(signatures).size).toBe(5);
    const times = signatures.map((header) => Number(/^t=(\d+),/.exec(header)?.[1]));
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 30, 150, 750, 4350]);
    for (const [index, header] of signatures.entries()) {
      const body = using.receiver.requests[index]?.body ?? '';
      expect(verifyWebhook({ header, body, secret, nowSeconds: times[index] ?? 0 })).toBe(true);
    }
    await handleWebhookMessage(last, { isRedelivered: true }, clock);
    expect(using.receiver.requests).toHaveLength(5);
    await using.world.moveSchedulerClock(0);
  });

  it('is delivered once the receiver works again', async () => {
    const { handleWebhookMessage } = await modules();
    const clock = movableClock(new Date());
    const { message, state } = await emitted(using.world, { url: using.receiver.url, at: clock() });
    using.receiver.answer((_, response) => response.destroy());
    await handleWebhookMessage(message, { isRedelivered: false }, clock);
    expect(await state()).toMatchObject({ status: 'pending', tries: 1, error: 'connection' });
    using.receiver.answer(200);
    clock.move(30);
    await handleWebhookMessage({ ...message, tries: 1 }, { isRedelivered: false }, clock);
    expect(await state()).toMatchObject({ status: 'delivered', tries: 2, responseStatus: 200 });
    expect((await state()).error).toBeNull();
  });
});

/** The message that the scheduler puts on the queue. */
async function scheduled() {
  return eventually(async () => (await using.world.messages())[0]);
}

describe('messages that come twice, late or too early', () => {
  it('make no attempt when the delivery has moved on', async () => {
    const { handleWebhookMessage } = await modules();
    const { message } = await emitted(using.world, { url: using.receiver.url });
    for (const isRedelivered of [false, false, true]) {
      await handleWebhookMessage(message, { isRedelivered }, () => new Date());
    }
    expect(using.receiver.requests).toHaveLength(1);
  });

  it('make one attempt when they come at the same time and one of them is redelivered', async () => {
    const { handleWebhookMessage } = await modules();
    using.receiver.answer(async (_, response) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      response.writeHead(500).end();
    });
    const { message, state } = await emitted(using.world, { url: using.receiver.url });
    await Promise.all(
      Array.from({ length: 4 }, () => handleWebhookMessage(message, { isRedelivered: true }, () => new Date())),
    );
    expect(using.receiver.requests).toHaveLength(1);
    expect((await state()).tries).toBe(1);
  });

  it('make one attempt for a retry, however many messages request it', async () => {
    const { handleWebhookMessage } = await modules();
    using.receiver.answer(500);
    const clock = movableClock(new Date());
    const { message, state } = await emitted(using.world, { url: using.receiver.url, at: clock() });
    await handleWebhookMessage(message, { isRedelivered: false }, clock);
    clock.move(30);
    const retry = { ...message, tries: 1 };
    await Promise.all(Array.from({ length: 4 }, () => handleWebhookMessage(retry, { isRedelivered: false }, clock)));
    expect(using.receiver.requests).toHaveLength(2);
    expect((await state()).tries).toBe(2);
  });

  it('wait for the due time', async () => {
    const { handleWebhookMessage } = await modules();
    using.receiver.answer(500);
    const clock = movableClock(new Date());
    const { message } = await emitted(using.world, { url: using.receiver.url, at: clock() });
    await handleWebhookMessage(message, { isRedelivered: false }, clock);
    const before = await using.world.delayed();
    await handleWebhookMessage({ ...message, tries: 1 }, { isRedelivered: false }, clock);
    expect(using.receiver.requests).toHaveLength(1);
    expect(await using.world.delayed()).toBe(before + 1);
  });

  it('requeue a retry whose message was lost after it was recorded', async () => {
    const { handleWebhookMessage } = await modules();
    using.receiver.answer(500);
    const clock = movableClock(new Date());
    const { message } = await emitted(using.world, { url: using.receiver.url, at: clock() });
    await handleWebhookMessage(message, { isRedelivered: false }, clock);
    const before = await using.world.delayed();
    await handleWebhookMessage(message, { isRedelivered: true }, clock);
    expect(using.receiver.requests).toHaveLength(1);
    expect(await using.world.delayed()).toBe(before + 1);
  });

  it('wait until the claim of a crashed worker has expired, then make the attempt', async () => {
    const { handleWebhookMessage, claimAttempt } = await modules();
    const clock = movableClock(new Date());
    const { message, state } = await emitted(using.world, { url: using.receiver.url, at: clock() });
    expect(await claimAttempt(await state(), new Date(clock().getTime() + 20_000))).toBe(true);
    await handleWebhookMessage(message, { isRedelivered: true }, clock);
    expect(using.receiver.requests).toHaveLength(0);
    clock.move(20);
    await handleWebhookMessage(message, { isRedelivered: true }, clock);
    expect(using.receiver.requests).toHaveLength(1);
  });
});
