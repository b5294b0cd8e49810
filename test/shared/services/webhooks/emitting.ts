import type { NewEvent } from '../../../../shared/domain/webhook/delivery.ts';
import { type Receiver, startReceiver } from '../../../acceptance/receiver.ts';
import { newWebhook, startWorld, type World } from './world.ts';

export const modules = async () => ({
  ...(await import('../../../../shared/services/webhooks/handleWebhookMessage.ts')),
  ...(await import('../../../../shared/services/sweep/requeue.ts')),
  ...(await import('../../../../shared/store/webhook/deliveries.ts')),
  ...(await import('../../../../shared/store/webhook/deliveryChanges.ts')),
  ...(await import('../../../../shared/store/webhook/webhooks.ts')),
});

let causes = 0;
/** An event with a new cause. */
export const newEvent = (at = new Date()) => ({
  type: 'email.delivered' as const,
  cause: `cause ${++causes}`,
  data: { n: causes },
  at,
});

/** The engines of a test file, and a receiver of its own for each test. */
export function useWorld(): { readonly world: World; receiver: Receiver } {
  const using = {} as { world: World; receiver: Receiver };
  beforeAll(async () => {
    using.world = await startWorld();
  });
  afterAll(() => using.world?.stop());
  beforeEach(async () => {
    using.receiver = await startReceiver();
  });
  afterEach(async () => {
    await using.receiver.stop();
    await using.world.messages();
  });
  return using;
}

/** Writes and queues the deliveries of events, as the service does with what feedback reports. */
export async function emit(workspaceId: string, events: readonly NewEvent[]): Promise<void> {
  const [{ writeEvents }, { dispatchDeliveries }, { listWebhooks }] = await Promise.all([
    import('../../../../shared/services/events.ts'),
    import('../../../../shared/services/events.ts'),
    import('../../../../shared/store/webhook/webhooks.ts'),
  ]);
  await dispatchDeliveries(await writeEvents(workspaceId, events, () => listWebhooks(workspaceId)));
}

/** Emits one event to a webhook. Returns its queue message, and a function that reads its delivery. */
export async function emitted(world: World, options: { url: string; enabled?: boolean; at?: Date }) {
  const { listDeliveries } = await modules();
  const webhook = await newWebhook({ url: options.url, enabled: options.enabled ?? true });
  await emit(webhook.workspaceId, [newEvent(options.at)]);
  const [message] = await world.messages(webhook.webhookId);
  const state = async () => {
    const page = await listDeliveries(webhook, { limit: 10, now: new Date(0) });
    const [delivery, ...others] = page.deliveries;
    if (!delivery || others.length > 0) throw new Error(`There are ${page.deliveries.length} deliveries.`);
    return delivery;
  };
  return { ...webhook, message, state };
}
