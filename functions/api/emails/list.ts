import { listEmailsRoute } from '../../../shared/contract/routes/emailRecords.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listSentMail } from '../../../shared/services/sentMail.ts';

export const handler = paged(listEmailsRoute, listSentMail);
