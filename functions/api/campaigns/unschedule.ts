import { unscheduleCampaignRoute } from '../../../shared/contract/routes/campaignSteering.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { answeringCampaign } from '../../../shared/services/campaigns/campaignRecord.ts';
import { unscheduleCampaign } from '../../../shared/services/campaigns/scheduleCampaign.ts';

export const handler = keeping(unscheduleCampaignRoute, answeringCampaign(unscheduleCampaign));
