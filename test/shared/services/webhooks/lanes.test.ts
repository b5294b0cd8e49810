import { parseWebhookMessage, type WebhookMessage } from '../../../../shared/queue/webhookMessage.ts';
import { eventually } from '../../../acceptance/client.ts';
import { emit, modules, newEvent, useWorld } from './emitting.ts';
import { movableClock, newWebhook } from './world.ts';

const using = useWorld();

describe('a delivery of the bulk lane', () => {
  it('stays in it through its retries and its schedule', async () => {
    const { handleWebhookMessage, listDeliveries } = await modules();
    using.receiver.answer(500);
    const clock = movableClock(new Date());
    const webhook = await newWebhook({ url: using.receiver.url });
    await emit(webhook.workspaceId, [{ ...newEvent(clock()), lane: 'bulk' }]);
    const [first] = await using.world.bulkMessages();
    expect(first).toMatchObject({ kind: 'attempt', lane: 'bulk', tries: 0 });
    for (const [tries, seconds] of [30, 120, 600].entries()) {
      await handleWebhookMessage({ ...first, tries } as WebhookMessage, { isRedelivered: false }, clock);
      clock.move(seconds);
    }
    await handleWebhookMessage({ ...first, tries: 3 } as WebhookMessage, { isRedelivered: false }, clock);
    const [delivery] = (await listDeliveries(webhook, { limit: 1, now: new Date(0) })).deliveries;
    expect(delivery).toMatchObject({ lane: 'bulk', tries: 4, status: 'pending' });
    const { Target } = await using.world.schedule(`webhook-${delivery?.deliveryId}`);
    expect(Target?.Arn).toBe(`${process.env.QUEUE_ARN_PREFIX}webhook-delivery-bulk`);
    expect(parseWebhookMessage(Target?.Input ?? '')).toMatchObject({ lane: 'bulk', tries: 4 });
    expect(await using.world.messages(webhook.webhookId)).toEqual([]);
  });

  it('leaves the last slot of a slow endpoint to live ones', async () => {
    const { handleWebhookMessage } = await modules();
    const { markSlow } = await import('../../../../shared/store/webhook/webhooks.ts');
    const { webhook, ...position } = await newWebhook({ url: using.receiver.url });
    await markSlow(webhook, new Date(Date.now() + 60_000));
    const waiting: (() => void)[] = [];
    using.receiver.answer((_, response) => waiting.push(() => response.writeHead(200).end()));
    const backlog = Array.from({ length: 8 }, () => ({ ...newEvent(), lane: 'bulk' as const }));
    await emit(position.workspaceId, backlog);
    const asked = await using.world.bulkMessages();
    const bulk = asked.map((message) => handleWebhookMessage(message, { isRedelivered: false }, () => new Date()));
    await eventually(async () => waiting.length === 4);
    await emit(position.workspaceId, [newEvent()]);
    const [message] = await using.world.messages(position.webhookId);
    const live = handleWebhookMessage(message, { isRedelivered: false }, () => new Date());
    await eventually(async () => waiting.length === 5);
    for (const answer of waiting) answer();
    await Promise.all([live, ...bulk]);
    expect(using.receiver.requests).toHaveLength(5);
  });
});
