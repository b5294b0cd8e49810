import { deleteCampaignRoute } from '../../../shared/contract/routes/campaignDrafts.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { deleteCampaign } from '../../../shared/services/campaigns/drafts.ts';

export const handler = http(deleteCampaignRoute, deleteCampaign);
