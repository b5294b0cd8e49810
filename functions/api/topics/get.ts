import { getTopicRoute } from '../../../shared/contract/routes/topics.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { showTopic } from '../../../shared/services/topics.ts';

export const handler = http(getTopicRoute, showTopic);
