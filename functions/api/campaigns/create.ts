import { createCampaignRoute } from '../../../shared/contract/routes/campaigns.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { createCampaign } from '../../../shared/services/campaigns/createCampaign.ts';

export const handler = keeping(createCampaignRoute, createCampaign);
