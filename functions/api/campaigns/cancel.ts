import { cancelCampaignRoute } from '../../../shared/contract/routes/campaignSteering.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { answeringCampaign } from '../../../shared/services/campaigns/campaignRecord.ts';
import { cancelCampaign } from '../../../shared/services/campaigns/pauseCampaign.ts';

export const handler = keeping(cancelCampaignRoute, answeringCampaign(cancelCampaign));
