import { getCampaignRoute } from '../../../shared/contract/routes/campaigns.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { showCampaign } from '../../../shared/services/campaigns/campaignRecord.ts';

export const handler = http(getCampaignRoute, showCampaign);
