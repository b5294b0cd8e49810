import { listLinksRoute } from '../../../shared/contract/routes/campaignOutcome.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { listLinks } from '../../../shared/services/campaigns/readCampaigns.ts';

export const handler = http(listLinksRoute, listLinks);
