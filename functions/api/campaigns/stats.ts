import { campaignStatsRoute } from '../../../shared/contract/routes/campaigns.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { campaignStats } from '../../../shared/services/campaigns/readCampaigns.ts';

export const handler = http(campaignStatsRoute, campaignStats);
