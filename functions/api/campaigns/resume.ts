import { resumeCampaignRoute } from '../../../shared/contract/routes/campaignSteering.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { answeringCampaign } from '../../../shared/services/campaigns/campaignRecord.ts';
import { resumeCampaign } from '../../../shared/services/campaigns/pauseCampaign.ts';

export const handler = keeping(resumeCampaignRoute, answeringCampaign(resumeCampaign));
