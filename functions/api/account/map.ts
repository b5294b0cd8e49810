import { apiMapRoute } from '../../../shared/contract/routes/account.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { getApiMap } from '../../../shared/services/apiMap.ts';

export const handler = http(apiMapRoute, getApiMap);
