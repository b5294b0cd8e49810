import type { Delivery } from '../../domain/webhook/delivery.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import { countOutcomes } from '../../store/sending/usage.ts';
import { listWebhooks } from '../../store/webhook/webhooks.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { dispatchDeliveries } from '../events/dispatch.ts';
import { suspendIfDamaged } from '../sending/reputation.ts';

/** What the events of one batch have in common: counters are written once, and a reputation is judged once. */
export interface Batch {
  readonly now: Date;
  /** Deliveries by `<workspace>#<day>`. */
  readonly delivered: Map<string, number>;
  /** Workspaces that took a bounce or a complaint. */
  readonly damaged: Set<string>;
  /** The webhooks of the workspaces that it met, read once. */
  readonly webhooks: Map<string, Promise<readonly Webhook[]>>;
  /** Deliveries that its events made, to be queued together. */
  readonly deliveries: Delivery[];
  /** When the messages were sent of whose acceptance it told. */
  readonly heard: Date[];
}

export const openBatch = (now: Date): Batch => ({
  now,
  delivered: new Map(),
  damaged: new Set(),
  webhooks: new Map(),
  deliveries: [],
  heard: [],
});

export function tallyDelivery(batch: Batch, workspaceId: string): void {
  const key = `${workspaceId}#${batch.now.toISOString().slice(0, 10)}`;
  batch.delivered.set(key, (batch.delivered.get(key) ?? 0) + 1);
}

export function webhooksOf(batch: Batch, workspaceId: string): Promise<readonly Webhook[]> {
  const webhooks = batch.webhooks.get(workspaceId) ?? listWebhooks(workspaceId);
  batch.webhooks.set(workspaceId, webhooks);
  return webhooks;
}

/** Queues the deliveries, writes the counters, then judges the workspaces that took damage: the order in which the rates are right. */
export async function closeBatch(batch: Batch): Promise<void> {
  await Promise.all([
    dispatchDeliveries(batch.deliveries),
    ...[...batch.delivered].map(([key, delivered]) => {
      const [workspaceId, day] = key.split('#') as [string, string];
      return countOutcomes(workspaceId, day, { delivered });
    }),
  ]);
  await Promise.all(
    [...batch.damaged].map(async (workspaceId) => {
      const workspace = await getWorkspace(workspaceId);
      if (workspace) await suspendIfDamaged(workspace, batch.now);
    }),
  );
}
