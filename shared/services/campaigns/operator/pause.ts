import { ServiceError } from '../../../contract/errors.ts';
import type { Campaign } from '../../../domain/campaign/campaign.ts';
import { text } from '../../../language/text.ts';
import { changeHold } from '../../../store/campaign/campaigns.ts';
import type { Context } from '../../context.ts';
import { operatorVerb } from '../../operators/verb.ts';
import { findCampaign } from '../find.ts';
import { wakeAll, wakeCloser } from '../run/wake.ts';

/** Stops a campaign within one slice; what is under way goes out. */
export const pauseCampaign = operatorVerb(
  { action: 'campaign.pause', needs: 'change', subject: ({ id }) => id },
  async (context: Context, { id }: { readonly id: string }): Promise<Campaign> => {
    return heldAs(context, id, 'operator');
  },
);

/** Lets a campaign go on that an operator, or an obstacle that only an operator can judge, held back. */
export const resumeCampaign = operatorVerb(
  { action: 'campaign.resume', needs: 'change', subject: ({ id }) => id },
  async (context: Context, { id }: { readonly id: string }): Promise<Campaign> => {
    const campaign = await running(context, id);
    if (campaign.hold?.reason === 'canceled') throw moved(campaign);
    if (campaign.hold && !(await changeHold(campaign, null, context.now))) throw moved(campaign);
    const resumed = { ...campaign, hold: null };
    await wakeAll(resumed);
    return resumed;
  },
);

/** Ends a campaign: whoever has not been written to is skipped, and it becomes `sent`. */
export const cancelCampaign = operatorVerb(
  { action: 'campaign.cancel', needs: 'change', subject: ({ id }) => id },
  async (context: Context, { id }: { readonly id: string }): Promise<Campaign> => {
    const campaign = await heldAs(context, id, 'canceled');
    await wakeCloser(campaign);
    return campaign;
  },
);

async function heldAs(context: Context, id: string, reason: 'operator' | 'canceled'): Promise<Campaign> {
  const campaign = await running(context, id);
  if (campaign.hold?.reason === 'canceled') throw moved(campaign);
  const hold = { reason, since: context.now.toISOString(), providerCode: null };
  if (!(await changeHold(campaign, hold, context.now))) throw moved(campaign);
  return { ...campaign, hold };
}

async function running({ workspaceId }: Context, id: string): Promise<Campaign> {
  const campaign = await findCampaign(workspaceId, id);
  if (campaign.status !== 'sending') throw moved(campaign);
  return campaign;
}

const cancelled = text({ en: 'This campaign was cancelled.', fr: 'Cette campagne a été annulée.' });

const notOnItsWay = (status: Campaign['status']) =>
  text({
    en: `This campaign is ${status}, not on its way; or it has just changed: look again.`,
    fr: `Cette campagne est « ${status} » et non en route ; ou elle vient de changer : regardez de nouveau.`,
  });

const moved = ({ status, hold }: Campaign) =>
  new ServiceError('conflict', {
    text: hold?.reason === 'canceled' ? cancelled : notOnItsWay(status),
    details: { status },
  });
