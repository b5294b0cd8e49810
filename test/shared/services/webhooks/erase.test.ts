import { emitted, modules, newEvent, useWorld } from './emitting.ts';
import { movableClock } from './world.ts';

const using = useWorld();

describe('a deleted webhook', () => {
  it('takes its log and its schedules with it, and messages about it are dropped', async () => {
    const { runWebhookMessage, changeDelivery, deleteWebhook, listAnyDeliveries, emitEvents, sweepDueDeliveries } =
      await modules();
    const { listDue } = await import('../../../../shared/store/dueDeliveries.ts');
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
});
