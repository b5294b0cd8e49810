import { archiveCampaignRoute } from '../../../shared/contract/routes/campaignDrafts.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { answeringCampaign } from '../../../shared/services/campaigns/campaignRecord.ts';
import { archiveCampaign } from '../../../shared/services/campaigns/drafts.ts';

export const handler = keeping(archiveCampaignRoute, answeringCampaign(archiveCampaign));
