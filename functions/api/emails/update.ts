import { updateEmailRoute } from '../../../shared/contract/routes/emailRecords.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { rescheduleEmail } from '../../../shared/services/emails/scheduledEmails.ts';

export const handler = http(updateEmailRoute, rescheduleEmail);
