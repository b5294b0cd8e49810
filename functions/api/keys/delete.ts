import { revokeKeyRoute } from '../../../shared/contract/routes/keys.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { revokeChildKey } from '../../../shared/services/childKeys.ts';

export const handler = http(revokeKeyRoute, revokeChildKey);
