import { ServiceError } from '../../contract/errors.ts';
import type { Campaign } from '../../domain/campaign/campaign.ts';
import { text } from '../../language/text.ts';
import { putHold, removeHold } from '../../store/campaign/campaigns.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operatorVerb.ts';
import { requireOpenSending } from '../sendingHold.ts';
import { peopleDone } from './counters.ts';
import { changeWithEvent } from './internal/campaignEvents.ts';
import { findCampaign } from './readCampaigns.ts';
import { wakeAll, wakeCloser } from './runners.ts';

/** Pauses a campaign. Calls in flight still go out; each runner stops at its next call. */
export const pauseCampaign = /* @__PURE__ */ operatorVerb(
  { action: 'campaign.pause', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (context: Context, { id }: { readonly id: string }): Promise<Campaign> => {
    return changeHoldTo(context, id, 'operator');
  },
);

/** Resumes a campaign that is on hold, for whatever reason. A cancelled campaign is refused. */
export const resumeCampaign = /* @__PURE__ */ operatorVerb(
  { action: 'campaign.resume', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (context: Context, { id }: { readonly id: string }): Promise<Campaign> => {
    const campaign = await sendingCampaign(context, id);
    if (campaign.hold?.reason === 'canceled') throw conflict(campaign);
    await requireOpenSending();
    const resumed = { ...campaign, hold: null };
    const isReleased = async () => {
      const done = await peopleDone(campaign);
      return changeWithEvent('campaign.resumed', resumed, context.now, (deliveries) =>
        removeHold(campaign, done, context.now, deliveries),
      );
    };
    if (campaign.hold && !(await isReleased())) throw conflict(campaign);
    await wakeAll(resumed);
    return resumed;
  },
);

/** Cancels a campaign: the remaining recipients are skipped, then its status becomes `sent`. Cannot be undone. */
export const cancelCampaign = /* @__PURE__ */ operatorVerb(
  { action: 'campaign.cancel', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (context: Context, { id }: { readonly id: string }): Promise<Campaign> => {
    const campaign = await changeHoldTo(context, id, 'canceled');
    await wakeCloser(campaign);
    return campaign;
  },
);

async function changeHoldTo(context: Context, id: string, reason: 'operator' | 'canceled'): Promise<Campaign> {
  const campaign = await sendingCampaign(context, id);
  if (campaign.hold?.reason === reason) return campaign;
  if (campaign.hold?.reason === 'canceled') throw conflict(campaign);
  const hold = { reason, since: context.now.toISOString(), providerCode: null };
  const held = { ...campaign, hold };
  const type = reason === 'canceled' ? 'campaign.canceled' : 'campaign.paused';
  const isHeld = await changeWithEvent(type, held, context.now, (deliveries) =>
    putHold(campaign, hold, context.now, deliveries),
  );
  if (!isHeld) throw conflict(campaign);
  return held;
}

async function sendingCampaign({ workspaceId }: Context, id: string): Promise<Campaign> {
  const campaign = await findCampaign(workspaceId, id);
  if (campaign.status !== 'sending') throw conflict(campaign);
  return campaign;
}

const cancelled = text({ en: 'This campaign was cancelled.', fr: 'Cette campagne a été annulée.' });

const notSending = (status: Campaign['status']) =>
  text({
    en: `This campaign is ${status} and not being sent, or was just changed: reload it.`,
    fr: `Cette campagne est « ${status} » et n’est pas en cours d’envoi, ou vient d’être modifiée : rechargez-la.`,
  });

const conflict = ({ status, hold }: Campaign) =>
  new ServiceError('conflict', {
    text: hold?.reason === 'canceled' ? cancelled : notSending(status),
    details: { status },
  });
