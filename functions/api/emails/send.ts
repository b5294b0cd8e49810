import { sendEmailRoute } from '../../../shared/contract/routes/emails.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { sendEmail } from '../../../shared/services/emails/sendEmail.ts';

export const handler = http(sendEmailRoute, sendEmail);
