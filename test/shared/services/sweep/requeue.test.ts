import type { NewEvent } from '../../../../shared/domain/webhook/delivery.ts';
import { eventOf } from '../../../acceptance/receiver.ts';
import { modules, newEvent, useWorld } from '../webhooks/emitting.ts';
import { movableClock, newWebhook } from '../webhooks/world.ts';

const using = useWorld();

describe('the sweeper', () => {
  const sweep = async (at: Date) => {
    const { sweepDueDeliveries } = await modules();
    await sweepDueDeliveries(at);
  };

  it('queues a delivery whose message was never sent, once, after a minute', async () => {
    const { handleWebhookMessage, addDelivery, listWebhooks } = await modules();
    const { deliveriesOf } = await import('../../../../shared/domain/webhook/delivery.ts');
    const clock = movableClock(new Date());
    const { workspaceId, webhookId } = await newWebhook({ url: using.receiver.url });
    const [delivery] = deliveriesOf(workspaceId, newEvent(clock()), await listWebhooks(workspaceId), clock());
    if (!delivery) throw new Error('The event made no delivery.');
    await addDelivery(delivery);
    clock.move(59);
    await sweep(clock());
    expect(await using.world.messages(webhookId)).toEqual([]);
    clock.move(2);
    await sweep(clock());
    await sweep(clock());
    const messages = await using.world.messages(webhookId);
    expect(messages).toEqual([expect.objectContaining({ deliveryId: delivery.deliveryId, tries: 0, twin: true })]);
    await handleWebhookMessage(messages[0], { isRedelivered: false }, clock);
    expect(using.receiver.requests.map((request) => eventOf(request).id)).toEqual([delivery.eventId]);
    clock.move(3600);
    await sweep(clock());
    expect(await using.world.messages(webhookId)).toEqual([]);
  });

  it('finds a live delivery behind a page of bulk ones, and queues each in its own lane', async () => {
    const { addDelivery, listWebhooks } = await modules();
    const { deliveriesOf } = await import('../../../../shared/domain/webhook/delivery.ts');
    const at = new Date();
    const { workspaceId, webhookId } = await newWebhook({ url: using.receiver.url });
    const webhooks = await listWebhooks(workspaceId);
    const written = async (event: NewEvent, now: Date) => {
      const [delivery] = deliveriesOf(workspaceId, event, webhooks, now);
      if (!delivery) throw new Error('The event made no delivery.');
      await addDelivery(delivery);
      return delivery;
    };
    const backlog = Array.from({ length: 1100 }, () => ({ ...newEvent(at), lane: 'bulk' as const }));
    await Promise.all(backlog.map((event) => written(event, at)));
    const live = await written(newEvent(at), new Date(at.getTime() + 1000));
    await sweep(new Date(at.getTime() + 62_000));
    expect(await using.world.messages(webhookId)).toEqual([
      expect.objectContaining({ deliveryId: live.deliveryId, lane: 'live' }),
    ]);
    const bulk = await using.world.bulkMessages();
    expect(bulk.length).toBeGreaterThanOrEqual(900);
    expect(bulk).toEqual(bulk.map(() => expect.objectContaining({ webhookId, lane: 'bulk', twin: true })));
  });
});
