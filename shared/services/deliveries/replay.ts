import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { replayDeliveryRoute } from '../../contract/routes/webhooks.ts';
import { isId } from '../../domain/token/identifier.ts';
import { addSeconds, epochSeconds } from '../../platform/clock.ts';
import type { Change } from '../../store/table/change.ts';
import { changeDelivery, type Delivery, type DeliveryRecord, getDelivery } from '../../store/webhook/deliveries.ts';
import type { Webhook } from '../../store/webhook/webhooks.ts';
import type { Context } from '../context.ts';
import { attemptsOf, errorOf } from '../webhooks/record.ts';
import { noteAccepted } from './health.ts';
import { type AttemptOutcome, postEvent } from './post.ts';
import { openFields, traceOf } from './settle.ts';

/** One attempt more, with the bytes of the first one, whatever became of the delivery. */
export async function replayDelivery(
  context: Context,
  input: Input<typeof replayDeliveryRoute>,
): Promise<Output<typeof replayDeliveryRoute>> {
  const { language, now } = context;
  const { webhook, delivery } = await find(context, input);
  const outcome = await postEvent(webhook, delivery.record, now);
  const record = await settleReplay(delivery, outcome, addSeconds(now, outcome.durationMilliseconds / 1000));
  if (outcome.accepted) await noteAccepted(webhook);
  return {
    object: 'webhook_delivery',
    id: delivery.deliveryId,
    status: record.status,
    attempts: attemptsOf(record),
    response_status: outcome.status,
    error: errorOf(record, language),
  };
}

async function find(
  { workspaceId, now }: Context,
  { id: webhookId, deliveryId }: Input<typeof replayDeliveryRoute>,
): Promise<{ webhook: Webhook; delivery: Delivery }> {
  if (!isId('whk', webhookId) || !isId('whd', deliveryId)) throw new ServiceError('not_found');
  const { webhook, delivery } = await getDelivery({ workspaceId, webhookId, deliveryId });
  const isOver = delivery !== null && delivery.record.expires_at <= epochSeconds(now);
  if (!webhook || !delivery || isOver) throw new ServiceError('not_found');
  return { webhook, delivery };
}

const rounds = 5;

/** Writes the outcome into the delivery as it stands now; an automatic attempt may have ended meanwhile. */
async function settleReplay(delivery: Delivery, outcome: AttemptOutcome, at: Date): Promise<DeliveryRecord> {
  let standing = delivery;
  for (let round = 0; round < rounds; round += 1) {
    const settled = await changeDelivery(standing, changeOf(standing.record, outcome, at));
    if (settled) return settled.record;
    const { delivery: current } = await getDelivery(standing);
    if (!current) throw new ServiceError('not_found');
    standing = current;
  }
  throw new Error('A replay could not be recorded: the delivery changed each time.');
}

/** Success settles a delivery and ends its retries; failure leaves those that are to come as they are. */
function changeOf(record: DeliveryRecord, outcome: AttemptOutcome, at: Date): Change<DeliveryRecord> {
  const { set, absent } = traceOf(outcome, at);
  const isOpen = record.status === 'pending' && !outcome.accepted;
  const isHeld = isOpen && record.error === 'held';
  return {
    set: {
      ...set,
      replays: (record.replays ?? 0) + 1,
      ...(isHeld && { error: 'held' }),
      ...(!isOpen && { status: outcome.accepted ? ('delivered' as const) : ('failed' as const) }),
    },
    remove: isOpen ? absent : [...absent, ...openFields],
    expect: { status: record.status, tries: record.tries, replays: record.replays },
  };
}
