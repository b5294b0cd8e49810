import { listTopicsRoute } from '../../../shared/contract/routes/topics.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listTopics } from '../../../shared/services/topics.ts';

export const handler = paged(listTopicsRoute, listTopics);
