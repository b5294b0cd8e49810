import { listRecipientsRoute } from '../../../shared/contract/routes/campaignOutcome.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listRecipients } from '../../../shared/services/campaigns/campaignRecipients.ts';

export const handler = paged(listRecipientsRoute, listRecipients);
