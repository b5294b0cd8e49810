import { contextOf } from '../context.ts';
import { emitted, modules, newEvent, useWorld } from './emitting.ts';
import { movableClock, newWebhook } from './world.ts';

const using = useWorld();

describe('a deleted webhook', () => {
  it('takes its log and its schedules with it, and messages about it are dropped', async () => {
    const { runWebhookMessage, changeDelivery, deleteWebhook, listAnyDeliveries, emitEvents, sweepDueDeliveries } =
      await modules();
    const { listDue } = await import('../../../../shared/store/webhook/dueDeliveries.ts');
    using.receiver.answer(500);
    const clock = movableClock(new Date());
    const { message, workspaceId, webhookId } = await emitted(using.world, {
      url: using.receiver.url,
      at: clock(),
    });
    await emitEvents(
      workspaceId,
      Array.from({ length: 60 }, () => newEvent(clock())),
    );
    await changeDelivery({ workspaceId, webhookId, deliveryId: message.delivery_id }, { set: { tries: 3 } });
    await runWebhookMessage({ ...message, tries: 3 }, { isRedelivered: false }, clock);
    expect(await using.world.scheduleNames()).toContain(`webhook-${message.delivery_id}`);
    expect(await deleteWebhook(workspaceId, webhookId, clock())).toBe(true);
    expect(await deleteWebhook(workspaceId, webhookId, clock())).toBe(false);
    clock.move(61);
    await using.world.messages();
    await sweepDueDeliveries(clock());
    const swept = await using.world.messages();
    expect(swept).toContainEqual({ kind: 'erase', workspace_id: workspaceId, webhook_id: webhookId });
    for (const each of swept) await runWebhookMessage(each, { isRedelivered: false }, clock);
    expect(await listAnyDeliveries({ workspaceId, webhookId }, 10)).toEqual([]);
    expect(await using.world.scheduleNames()).not.toContain(`webhook-${message.delivery_id}`);
    const due = await listDue(new Date(clock().getTime() + 86_400_000), 1000);
    expect(due.filter(({ pk }) => pk.includes(webhookId))).toEqual([]);
    await runWebhookMessage({ ...message, tries: 4 }, { isRedelivered: false }, clock);
    expect(using.receiver.requests).toHaveLength(1);
  });

  it('leaves no test in its log that was under way', async () => {
    const { deleteWebhook, listAnyDeliveries } = await modules();
    const { testWebhook } = await import('../../../../shared/services/deliveries/test.ts');
    const { workspaceId, webhookId } = await newWebhook({ url: using.receiver.url });
    using.receiver.answer(async (_, response) => {
      await deleteWebhook(workspaceId, webhookId, new Date());
      response.writeHead(200).end();
    });
    await expect(testWebhook(contextOf(workspaceId), { id: webhookId })).rejects.toMatchObject({ code: 'not_found' });
    expect(await listAnyDeliveries({ workspaceId, webhookId }, 10)).toEqual([]);
    expect(using.receiver.requests).toHaveLength(1);
  });
});
