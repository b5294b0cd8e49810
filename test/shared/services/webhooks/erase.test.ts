import { contextOf } from '../context.ts';
import { emit, emitted, modules, newEvent, useWorld } from './emitting.ts';
import { movableClock, newWebhook, replaceDelivery } from './world.ts';

const using = useWorld();

describe('a deleted webhook', () => {
  it('loses its log and its schedules, and messages about it are dropped', async () => {
    const { handleWebhookMessage, deleteWebhook, listAnyDeliveries, sweepDueDeliveries } = await modules();
    const { listDueWork } = await import('../../../../shared/store/webhook/deliveryChanges.ts');
    using.receiver.answer(500);
    const clock = movableClock(new Date());
    const { message, state, workspaceId, webhookId } = await emitted(using.world, {
      url: using.receiver.url,
      at: clock(),
    });
    await replaceDelivery({ ...(await state()), tries: 3 });
    await emit(
      workspaceId,
      Array.from({ length: 60 }, () => newEvent(clock())),
    );
    await handleWebhookMessage({ ...message, tries: 3 }, { isRedelivered: false }, clock);
    expect(await using.world.scheduleNames()).toContain(`webhook-${message.deliveryId}`);
    expect(await deleteWebhook({ workspaceId, webhookId }, clock())).toBe(true);
    expect(await deleteWebhook({ workspaceId, webhookId }, clock())).toBe(false);
    clock.move(61);
    await using.world.messages();
    await sweepDueDeliveries(clock());
    const swept = await using.world.messages();
    expect(swept).toContainEqual({ kind: 'erase', workspaceId, webhookId });
    for (const each of swept) await handleWebhookMessage(each, { isRedelivered: false }, clock);
    expect(await listAnyDeliveries({ workspaceId, webhookId }, 10)).toEqual([]);
    expect(await using.world.scheduleNames()).not.toContain(`webhook-${message.deliveryId}`);
    const due = await listDueWork(new Date(clock().getTime() + 86_400_000), 1000);
    expect(due.filter((work) => work.webhookId === webhookId)).toEqual([]);
    await handleWebhookMessage({ ...message, tries: 4 }, { isRedelivered: false }, clock);
    expect(using.receiver.requests).toHaveLength(1);
  });

  it('leaves no trace in its log of a test that was running', async () => {
    const { deleteWebhook, listAnyDeliveries } = await modules();
    const { testWebhook } = await import('../../../../shared/services/webhooks/deliveries.ts');
    const { workspaceId, webhookId } = await newWebhook({ url: using.receiver.url });
    using.receiver.answer(async (_, response) => {
      await deleteWebhook({ workspaceId, webhookId }, new Date());
      response.writeHead(200).end();
    });
    await expect(testWebhook(contextOf(workspaceId), { id: webhookId })).rejects.toMatchObject({ code: 'not_found' });
    expect(await listAnyDeliveries({ workspaceId, webhookId }, 10)).toEqual([]);
    expect(using.receiver.requests).toHaveLength(1);
  });
});
