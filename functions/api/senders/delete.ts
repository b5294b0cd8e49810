import { deleteSenderRoute } from '../../../shared/contract/routes/senders.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { removeSender } from '../../../shared/services/senders.ts';

export const handler = http(deleteSenderRoute, removeSender);
