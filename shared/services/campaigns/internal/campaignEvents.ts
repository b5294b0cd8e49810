import type * as z from 'zod';
import type { DeepReadonly } from '../../../contract/route.ts';
import type { campaignOfEvent } from '../../../contract/schemas/campaignDetail.ts';
import type { Campaign } from '../../../domain/campaign/campaign.ts';
import { type Delivery, deliveriesOf } from '../../../domain/webhook/delivery.ts';
import type { WebhookEventType } from '../../../domain/webhook/webhook.ts';
import { defaultLanguage } from '../../../language/languages.ts';
import { getPace } from '../../../store/campaign/pace.ts';
import { readTallies } from '../../../store/campaign/tallies.ts';
import { listWebhooks } from '../../../store/webhook/webhooks.ts';
import { dispatchDeliveries } from '../../events.ts';
import { shownCampaign } from '../readCampaigns.ts';

type CampaignEventType = Extract<WebhookEventType, `campaign.${string}`>;

/** These happen once to a campaign; the others, each time that they do. */
const once: readonly CampaignEventType[] = ['campaign.started', 'campaign.completed'];

/**
 * Makes a change of a campaign and writes the event that reports it in the same transaction; `after` is the campaign as
 * the change leaves it. False, and no event, when the change was refused.
 */
export async function changeWithEvent(
  type: CampaignEventType,
  after: Campaign,
  at: Date,
  change: (deliveries: readonly Delivery[]) => Promise<boolean>,
): Promise<boolean> {
  const deliveries = await campaignDeliveries(type, after, at);
  const isMade = await change(deliveries);
  if (isMade) await dispatchDeliveries(deliveries);
  return isMade;
}

/** The deliveries of such an event; none, for one query, when no webhook listens. */
export async function campaignDeliveries(type: CampaignEventType, after: Campaign, at: Date): Promise<Delivery[]> {
  const { workspaceId, id } = after;
  const webhooks = await listWebhooks(workspaceId);
  if (!webhooks.some(({ events }) => events.includes(type))) return [];
  const data = await dataOf({ ...after, updatedAt: at.toISOString() }, at);
  const cause = once.includes(type) ? `${id}#${type}` : `${id}#${type}#${at.toISOString()}`;
  return deliveriesOf(workspaceId, { type, cause, at, data, lane: 'bulk' }, webhooks, at);
}

async function dataOf(campaign: Campaign, at: Date): Promise<DeepReadonly<z.output<typeof campaignOfEvent>>> {
  const { freeze, workspaceId, id, status, scheduleFailure } = campaign;
  const [tallies, pace] = await Promise.all([
    freeze ? readTallies(workspaceId, id, { consistent: true }) : null,
    status === 'sending' ? getPace() : null,
  ]);
  const failure = scheduleFailure ?? null;
  return {
    ...shownCampaign(campaign, tallies, pace, at),
    // An event has no reader whose language is known.
    schedule_failure: failure && {
      code: failure.code,
      message: failure.text[defaultLanguage] ?? '',
      at: failure.at,
    },
  };
}
