import { listEmailsRoute } from '../../../shared/contract/routes/emailRecords.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listEmails } from '../../../shared/services/emails/reading/list.ts';

export const handler = paged(listEmailsRoute, listEmails);
