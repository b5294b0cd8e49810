import { contextOf } from '../context.ts';
import { emit, emitted, modules, newEvent, useWorld } from './emitting.ts';
import { movableClock, newWebhook, replaceDelivery } from './world.ts';

const using = useWorld();

describe('a disabled webhook', () => {
  it('holds back new deliveries, and says so', async () => {
    const { message, state } = await emitted(using.world, { url: using.receiver.url, enabled: false });
    expect(message).toBeUndefined();
    expect(await state()).toMatchObject({ status: 'pending', tries: 0, error: 'held' });
  });

  it('holds back deliveries that were queued, and sends them once enabled', async () => {
    const { handleWebhookMessage, updateWebhook } = await modules();
    const clock = movableClock(new Date());
    const { message, state, workspaceId, webhookId } = await emitted(using.world, {
      url: using.receiver.url,
      at: clock(),
    });
    await updateWebhook({ workspaceId, webhookId }, { enabled: false }, clock());
    await handleWebhookMessage(message, { isRedelivered: false }, clock);
    expect(await state()).toMatchObject({ status: 'pending', tries: 0, error: 'held' });
    await updateWebhook({ workspaceId, webhookId }, { enabled: true }, clock());
    clock.move(60);
    const release = { kind: 'release' as const, workspaceId, webhookId };
    await handleWebhookMessage(release, { isRedelivered: false }, clock);
    const [again] = await using.world.messages();
    await handleWebhookMessage(again, { isRedelivered: false }, clock);
    expect(await state()).toMatchObject({ status: 'delivered', tries: 1 });
    await handleWebhookMessage(release, { isRedelivered: false }, clock);
    expect(await using.world.messages()).toEqual([]);
    expect(using.receiver.requests).toHaveLength(1);
  });

  it('releases any number of deliveries, run after run', async () => {
    const { handleWebhookMessage, updateWebhook } = await modules();
    const { workspaceId, webhookId } = await newWebhook({ url: using.receiver.url, enabled: false });
    const count = 1050;
    for (let done = 0; done < count; done += 50) {
      await emit(
        workspaceId,
        Array.from({ length: 50 }, () => newEvent()),
      );
    }
    await updateWebhook({ workspaceId, webhookId }, { enabled: true }, new Date());
    const release = { kind: 'release' as const, workspaceId, webhookId };
    await handleWebhookMessage(release, { isRedelivered: false }, () => new Date());
    const messages = await using.world.messages(webhookId);
    const more = messages.filter(({ kind }) => kind === 'release');
    expect(more).toEqual([{ ...release, after: expect.stringMatching(/^whd_/) }]);
    await handleWebhookMessage(more[0], { isRedelivered: false }, () => new Date());
    const rest = await using.world.messages(webhookId);
    const asked = [...messages, ...rest].filter(({ kind }) => kind === 'attempt');
    expect(new Set(asked.map(({ deliveryId }) => deliveryId)).size).toBe(count);
    expect(rest.filter(({ kind }) => kind === 'release')).toEqual([]);
  });

  it('gives up deliveries that were held back for longer than retries last', async () => {
    const { handleWebhookMessage, sweepDueDeliveries } = await modules();
    const clock = movableClock(new Date());
    const { state, webhookId } = await emitted(using.world, { url: using.receiver.url, enabled: false, at: clock() });
    clock.move(4350 - 30);
    await sweepDueDeliveries(clock());
    expect(await using.world.messages(webhookId)).toEqual([]);
    clock.move(30 + 61);
    await sweepDueDeliveries(clock());
    const [message] = await using.world.messages(webhookId);
    await handleWebhookMessage(message, { isRedelivered: false }, clock);
    expect(await state()).toMatchObject({ status: 'failed', tries: 0, error: 'held_too_long' });
    expect(using.receiver.requests).toHaveLength(0);
  });
});

describe('an endpoint that keeps failing', () => {
  it('is disabled with a reason once a delivery is given up three days after its first failure', async () => {
    const { handleWebhookMessage, getWebhook, updateWebhook } = await modules();
    using.receiver.answer(500);
    const clock = movableClock(new Date());
    const { message, state, workspaceId, webhookId } = await emitted(using.world, {
      url: using.receiver.url,
      at: clock(),
    });
    const attempt = async (tries: number) => {
      await replaceDelivery({ ...(await state()), tries, status: 'pending' });
      await handleWebhookMessage({ ...message, tries }, { isRedelivered: false }, clock);
      return getWebhook({ workspaceId, webhookId });
    };
    expect(await attempt(0)).toMatchObject({ failingSince: clock(), enabled: true });
    clock.move(3 * 86_400 - 1);
    expect(await attempt(4)).toMatchObject({ enabled: true });
    clock.move(1);
    expect(await attempt(3)).toMatchObject({ enabled: true });
    expect(await attempt(4)).toMatchObject({ enabled: false, disabledReason: 'failing' });
    const enabled = await updateWebhook({ workspaceId, webhookId }, { enabled: true }, clock());
    expect(enabled).toMatchObject({ disabledReason: null, failingSince: null });
    await attempt(0);
    using.receiver.answer(200);
    expect(await attempt(1)).toMatchObject({ failingSince: null });
  });

  it.each(['test', 'replay'] as const)('has not failed all the time when a %s was accepted', async (kind) => {
    const { markFailing, getWebhook } = await modules();
    const { testWebhook } = await import('../../../../shared/services/webhooks/deliveries.ts');
    const { replayDelivery } = await import('../../../../shared/services/webhooks/deliveries.ts');
    const { message, workspaceId, webhookId, webhook } = await emitted(using.world, { url: using.receiver.url });
    await markFailing(webhook, new Date(0));
    const context = contextOf(workspaceId);
    const input = { id: webhookId, deliveryId: message.deliveryId };
    const attempt = () => ({ test: testWebhook, replay: replayDelivery })[kind](context, input);
    using.receiver.answer(500);
    await attempt();
    expect(await getWebhook(webhook)).toMatchObject({ failingSince: new Date(0) });
    using.receiver.answer(200);
    await attempt();
    expect(await getWebhook(webhook)).toMatchObject({ failingSince: null });
  });
});
