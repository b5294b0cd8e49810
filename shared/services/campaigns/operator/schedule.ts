import { ServiceError, ValidationError } from '../../../contract/errors.ts';
import type { Campaign } from '../../../domain/campaign/campaign.ts';
import { cancelFire, scheduleFire } from '../../../queue/campaignStart.ts';
import { moveCampaign } from '../../../store/campaign/campaigns.ts';
import type { Context } from '../../context.ts';
import { operatorVerb } from '../../operators/verb.ts';
import { checkCampaign } from '../checkCampaign.ts';
import { findCampaign } from '../find.ts';
import { checkRevision } from '../refusals.ts';

/**
 * Sends a draft at a moment, to the minute. The record says when; the schedule only wakes it, and one that no record
 * asks for does nothing: so whoever unschedules before it fires has won, whatever becomes of the schedule itself.
 */
export const scheduleCampaign = operatorVerb(
  { action: 'campaign.schedule', needs: 'change', subject: ({ id }) => id },
  async (
    context: Context,
    { id, at, revision }: { readonly id: string; readonly at: Date; readonly revision?: number },
  ): Promise<Campaign> => {
    if (at <= context.now) throw new ValidationError([{ path: 'at', text: past }]);
    const campaign = await findCampaign(context.workspaceId, id);
    checkRevision(campaign, revision);
    await checkCampaign(context, campaign, undefined);
    const scheduledAt = at.toISOString();
    // The schedule first: a campaign that says when it goes out is always woken.
    await scheduleFire(campaign.workspaceId, campaign.id, at, context.now);
    if (!(await moveCampaign(campaign, 'scheduled', context.now, scheduledAt))) throw changed(campaign);
    return { ...campaign, status: 'scheduled', scheduledAt };
  },
);

/** Makes a scheduled campaign a draft again, or says that it is too late. */
export const unscheduleCampaign = operatorVerb(
  { action: 'campaign.unschedule', needs: 'change', subject: ({ id }) => id },
  async (context: Context, { id }: { readonly id: string }): Promise<Campaign> => {
    const campaign = await findCampaign(context.workspaceId, id);
    if (campaign.status !== 'scheduled' || !campaign.scheduledAt) throw changed(campaign);
    if (!(await moveCampaign(campaign, 'draft', context.now, null))) throw tooLate();
    await cancelFire(campaign.id, new Date(campaign.scheduledAt));
    return { ...campaign, status: 'draft', scheduledAt: null };
  },
);

const past = { en: 'must lie in the future', fr: 'doit être dans le futur' };

const changed = ({ status }: Campaign) =>
  new ServiceError('conflict', {
    text: {
      en: `This campaign is ${status}, or has just changed: look again.`,
      fr: `Cette campagne est « ${status} », ou vient de changer : regardez de nouveau.`,
    },
    details: { status },
  });

const tooLate = () =>
  new ServiceError('conflict', {
    text: { en: 'It is too late: the campaign is going out.', fr: 'Il est trop tard : la campagne part.' },
    details: { status: 'sending' },
  });
