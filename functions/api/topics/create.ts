import { createTopicRoute } from '../../../shared/contract/routes/topics.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { createTopic } from '../../../shared/services/topics.ts';

export const handler = keeping(createTopicRoute, createTopic);
