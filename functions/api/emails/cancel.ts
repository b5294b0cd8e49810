import { cancelEmailRoute } from '../../../shared/contract/routes/emails/scheduled.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { cancelEmail } from '../../../shared/services/emails/scheduled/cancel.ts';

export const handler = http(cancelEmailRoute, cancelEmail);
