import { updateCampaignRoute } from '../../../shared/contract/routes/campaignDrafts.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { answeringCampaign } from '../../../shared/services/campaigns/campaignRecord.ts';
import { editCampaign } from '../../../shared/services/campaigns/editCampaign.ts';

export const handler = http(updateCampaignRoute, answeringCampaign(editCampaign));
