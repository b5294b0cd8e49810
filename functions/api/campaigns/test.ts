import { testCampaignRoute } from '../../../shared/contract/routes/campaignMessages.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { testCampaign } from '../../../shared/services/campaigns/testCampaign.ts';

export const handler = http(testCampaignRoute, testCampaign);
