import { getCampaignRoute } from '../../../shared/contract/routes/campaigns.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { getCampaign } from '../../../shared/services/campaigns/readCampaigns.ts';

export const handler = http(getCampaignRoute, getCampaign);
