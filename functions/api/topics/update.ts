import { updateTopicRoute } from '../../../shared/contract/routes/topics.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { editTopic } from '../../../shared/services/topics.ts';

export const handler = http(updateTopicRoute, editTopic);
