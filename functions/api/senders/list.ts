import { listSendersRoute } from '../../../shared/contract/routes/senders.ts';
import { paged } from '../../../shared/http/paged.ts';
import { pageOfSenders } from '../../../shared/services/senders.ts';

export const handler = paged(listSendersRoute, pageOfSenders);
