import { listCampaignsRoute } from '../../../shared/contract/routes/campaigns.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listCampaigns } from '../../../shared/services/campaigns/readCampaigns.ts';

export const handler = paged(listCampaignsRoute, listCampaigns);
