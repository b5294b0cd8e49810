import { previewCampaignRoute } from '../../../shared/contract/routes/campaignMessages.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { showMessage } from '../../../shared/services/campaigns/previewCampaign.ts';

export const handler = http(previewCampaignRoute, showMessage);
