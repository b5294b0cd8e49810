import type { Delivery } from '../../domain/webhook/delivery.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import { type Listing, putListings } from '../../store/sending/listing.ts';
import { type Listeners, readListeners } from '../../store/webhook/webhooks.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { TallyBook } from '../campaigns/run/book.ts';
import { dispatchDeliveries } from '../events/dispatch.ts';
import { suspendIfDamaged } from '../sending/reputation.ts';
import { noteProgress } from './progress.ts';

/** What the events of one batch have in common: webhooks are read, and a reputation is judged, once. */
export interface Batch {
  readonly now: Date;
  /** Workspaces that took a bounce or a complaint. */
  readonly damaged: Set<string>;
  /** By workspace, the last bounce or complaint of it that is being counted. */
  readonly counting: Map<string, Promise<unknown>>;
  /** The webhooks of the workspaces that it met, read once. */
  readonly listeners: Map<string, Promise<Listeners>>;
  /** Deliveries that its events made, to be queued together. */
  readonly deliveries: Delivery[];
  /** Lists that its events put emails into, to be written together. */
  readonly listings: Listing[];
  /** What its events move the counters of campaigns by, to be written together. */
  readonly book: TallyBook;
  /** When the messages were sent of whose acceptance it told. */
  readonly heard: Date[];
}

export const openBatch = (now: Date): Batch => ({
  now,
  damaged: new Set(),
  counting: new Map(),
  listeners: new Map(),
  deliveries: [],
  listings: [],
  book: new TallyBook(),
  heard: [],
});

export function listenersOf(batch: Batch, workspaceId: string): Promise<Listeners> {
  const listeners = batch.listeners.get(workspaceId) ?? readListeners(workspaceId);
  batch.listeners.set(workspaceId, listeners);
  return listeners;
}

export const webhooksOf = async (batch: Batch, workspaceId: string): Promise<readonly Webhook[]> =>
  (await listenersOf(batch, workspaceId)).webhooks;

/**
 * Counts a bounce or a complaint when those of the workspace before it are counted: each is a transaction on one item, and
 * a hundred side by side would refuse each other until some had waited for too long.
 */
export function countInTurn<T>({ counting }: Batch, workspaceId: string, count: () => Promise<T>): Promise<T> {
  const counted = (counting.get(workspaceId) ?? Promise.resolve()).then(count);
  counting.set(
    workspaceId,
    counted.catch(() => {}),
  );
  return counted;
}

/** Queues the deliveries, lists, counts, judges the workspaces that took damage; notes how far it came if nothing failed. */
export async function closeBatch(batch: Batch, failures: number): Promise<void> {
  await Promise.all([dispatchDeliveries(batch.deliveries), batch.book.write(), putListings(batch.listings)]);
  await Promise.all(
    [...batch.damaged].map(async (workspaceId) => {
      const workspace = await getWorkspace(workspaceId);
      if (workspace) await suspendIfDamaged(workspace, batch.now);
    }),
  );
  if (failures === 0) await noteProgress(batch.heard);
}
