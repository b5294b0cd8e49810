import { ServiceError, ValidationError } from '../../contract/errors.ts';
import type { Campaign } from '../../domain/campaign/campaign.ts';
import { defaultLanguage } from '../../language/languages.ts';
import { logger } from '../../platform/logger.ts';
import { cancelStart, scheduleStart, startLater } from '../../queue/campaignStart.ts';
import type { CampaignStartMessage } from '../../queue/campaignStartMessage.ts';
import { failSchedule, getCampaign, moveCampaign } from '../../store/campaign/campaigns.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operatorVerb.ts';
import { isSendingHeld } from '../sendingHold.ts';
import { changeWithEvent } from './internal/campaignEvents.ts';
import { checkCampaign, checkRevision } from './internal/checks.ts';
import { findCampaign } from './readCampaigns.ts';
import { lookAgainSeconds } from './runners.ts';
import { startCampaign } from './sendCampaign.ts';

interface ScheduleRequest {
  readonly id: string;
  readonly at: Date;
  /** The revision that the caller looked at. */
  readonly revision?: number;
  /** Whether a campaign that is scheduled already is moved; else it is a conflict. */
  readonly mayMove?: boolean;
}

/**
 * Schedules a draft, to the minute. The record decides: a schedule that fires without a matching record does nothing, so
 * unscheduling works even when the schedule itself could not be deleted.
 */
export const scheduleCampaign = /* @__PURE__ */ operatorVerb(
  { action: 'campaign.schedule', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (context: Context, { id, at, revision, mayMove }: ScheduleRequest): Promise<Campaign> => {
    if (at <= context.now) throw new ValidationError([{ path: 'at', text: past }]);
    const campaign = await findCampaign(context.workspaceId, id);
    checkRevision(campaign, revision);
    await checkCampaign(context, campaign, undefined, mayMove ? 'scheduled' : 'draft');
    const scheduledAt = at.toISOString();
    if (campaign.status === 'scheduled' && campaign.scheduledAt === scheduledAt) return campaign;
    // The schedule comes first, so that every scheduled campaign has one.
    await scheduleStart(campaign.workspaceId, campaign.id, at, context.now);
    const scheduled = { ...campaign, status: 'scheduled' as const, scheduledAt, scheduleFailure: undefined };
    const isMoved = await changeWithEvent('campaign.scheduled', scheduled, context.now, (deliveries) =>
      moveCampaign(campaign, 'scheduled', context.now, scheduledAt, deliveries),
    );
    if (!isMoved) throw changed(campaign);
    if (campaign.scheduledAt) await cancelStart(campaign.id, new Date(campaign.scheduledAt));
    return scheduled;
  },
);

/** Makes a scheduled campaign a draft again. Throws `conflict` when it is being sent already. */
export const unscheduleCampaign = /* @__PURE__ */ operatorVerb(
  { action: 'campaign.unschedule', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (context: Context, { id }: { readonly id: string }): Promise<Campaign> => {
    const campaign = await findCampaign(context.workspaceId, id);
    if (campaign.status === 'draft') return campaign;
    if (campaign.status !== 'scheduled' || !campaign.scheduledAt) throw changed(campaign);
    if (!(await moveCampaign(campaign, 'draft', context.now, null))) {
      throw notUnscheduled(await findCampaign(context.workspaceId, id));
    }
    await cancelStart(campaign.id, new Date(campaign.scheduledAt));
    return { ...campaign, status: 'draft', scheduledAt: null };
  },
);

const past = { en: 'must be in the future', fr: 'doit être dans le futur' };

const changed = ({ status }: Campaign) =>
  new ServiceError('conflict', {
    text: {
      en: `This campaign is ${status}, or was just changed: reload it.`,
      fr: `Cette campagne est « ${status} », ou vient d’être modifiée : rechargez-la.`,
    },
    details: { status },
  });

/** Why a campaign that was scheduled a moment ago could not become a draft: it was sent, or moved to another time. */
const notUnscheduled = (now: Campaign) =>
  now.status === 'sending' || now.status === 'sent' ? tooLate() : changed(now);

const tooLate = () =>
  new ServiceError('conflict', {
    text: { en: 'Too late: the campaign is being sent.', fr: 'Trop tard : la campagne est en cours d’envoi.' },
    details: { status: 'sending' },
  });

/**
 * Sends the campaign that was scheduled for this time; does nothing if it was unscheduled or moved. While all sending is
 * held it waits. A refusal raises an alarm, since an operator expects the campaign to be sent, and makes it a draft again.
 */
export async function sendScheduledCampaign(message: CampaignStartMessage, now: Date): Promise<void> {
  const campaign = await getCampaign({ workspaceId: message.workspace_id, id: message.campaign_id });
  if (!waitsFor(message, campaign)) return;
  // Its time has come: it starts once nothing is held any more.
  if (await isSendingHeld()) return startLater(message, lookAgainSeconds());
  try {
    await startCampaign(
      {
        actor: { kind: 'system' },
        workspaceId: campaign.workspaceId,
        language: defaultLanguage,
        now,
        requestId: `schedule-${campaign.id}`,
      },
      campaign,
    );
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'internal_error') throw error;
    // A duplicate of this message may have sent it in the meantime.
    if (!waitsFor(message, await getCampaign(campaign))) return;
    // The alarm comes first: after a crash here the retry raises it again; a draft would no longer be retried.
    logger.error('A scheduled campaign could not be sent and becomes a draft again.', {
      workspace_id: campaign.workspaceId,
      campaign_id: campaign.id,
      code: error.code,
      reason: error.text[defaultLanguage],
    });
    const scheduleFailure = { at: now.toISOString(), code: error.code, text: error.text };
    const failed = { ...campaign, status: 'draft' as const, scheduledAt: null, scheduleFailure };
    await changeWithEvent('campaign.schedule_failed', failed, now, (deliveries) =>
      failSchedule(campaign, scheduleFailure, now, deliveries),
    );
  }
}

const waitsFor = ({ scheduled_at }: CampaignStartMessage, campaign: Campaign | null): campaign is Campaign =>
  campaign?.status === 'scheduled' && campaign.scheduledAt === scheduled_at;
