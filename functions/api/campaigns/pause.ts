import { pauseCampaignRoute } from '../../../shared/contract/routes/campaignSteering.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { answeringCampaign } from '../../../shared/services/campaigns/campaignRecord.ts';
import { pauseCampaign } from '../../../shared/services/campaigns/pauseCampaign.ts';

export const handler = keeping(pauseCampaignRoute, answeringCampaign(pauseCampaign));
