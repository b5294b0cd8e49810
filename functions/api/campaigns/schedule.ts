import { scheduleCampaignRoute } from '../../../shared/contract/routes/campaignSteering.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { scheduleByTime } from '../../../shared/services/campaigns/scheduleByTime.ts';

export const handler = keeping(scheduleCampaignRoute, scheduleByTime);
