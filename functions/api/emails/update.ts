import { updateEmailRoute } from '../../../shared/contract/routes/emails/scheduled.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { rescheduleEmail } from '../../../shared/services/emails/scheduled/reschedule.ts';

export const handler = http(updateEmailRoute, rescheduleEmail);
