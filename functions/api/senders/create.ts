import { createSenderRoute } from '../../../shared/contract/routes/senders.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { createSender } from '../../../shared/services/senders.ts';

export const handler = keeping(createSenderRoute, createSender);
