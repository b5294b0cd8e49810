import { getEmailRoute } from '../../../shared/contract/routes/emailRecords.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { getEmail } from '../../../shared/services/emails/readEmails.ts';

export const handler = http(getEmailRoute, getEmail);
