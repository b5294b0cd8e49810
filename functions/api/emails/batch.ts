import { sendBatchRoute } from '../../../shared/contract/routes/emails.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { sendBatch } from '../../../shared/services/emails/sendBatch.ts';

export const handler = http(sendBatchRoute, sendBatch);
