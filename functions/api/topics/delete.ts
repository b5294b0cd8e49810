import { deleteTopicRoute } from '../../../shared/contract/routes/topics.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { deleteTopic } from '../../../shared/services/topics.ts';

export const handler = http(deleteTopicRoute, deleteTopic);
