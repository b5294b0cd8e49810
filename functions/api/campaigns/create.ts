import { createCampaignRoute } from '../../../shared/contract/routes/campaigns.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { createCampaign } from '../../../shared/services/campaigns/createCampaign.ts';

export const handler = http(createCampaignRoute, createCampaign);
