import { fallbackRoute } from '../../shared/contract/routes/fallback.ts';
import { http } from '../../shared/http/endpoint.ts';
import { refuseUnrouted } from '../../shared/services/account/refuseUnrouted.ts';

export const handler = http(fallbackRoute, refuseUnrouted);
