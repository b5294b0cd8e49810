import { sendBatchRoute } from '../../../shared/contract/routes/emails/batch.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { sendBatch } from '../../../shared/services/emails/batch/send.ts';

export const handler = http(sendBatchRoute, sendBatch);
