import { sendCampaignRoute } from '../../../shared/contract/routes/campaigns.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { sendCampaign } from '../../../shared/services/campaigns/sendCampaign.ts';

export const handler = http(sendCampaignRoute, sendCampaign);
