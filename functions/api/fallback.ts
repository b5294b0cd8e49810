import { fallbackRoute } from '../../shared/contract/endpoints.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { answerUnrouted } from '../../shared/http/unrouted.ts';

export const handler = endpoint(fallbackRoute, answerUnrouted);
