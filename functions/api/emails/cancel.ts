import { cancelEmailRoute } from '../../../shared/contract/routes/emailRecords.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { cancelEmail } from '../../../shared/services/emails/scheduledEmails.ts';

export const handler = http(cancelEmailRoute, cancelEmail);
