import { usageRoute } from '../../../shared/contract/routes/account.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { showUsage } from '../../../shared/services/usage.ts';

export const handler = http(usageRoute, showUsage);
