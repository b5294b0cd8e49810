import { getDomainRoute } from '../../../shared/contract/routes/domains.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { getDomain } from '../../../shared/services/domains.ts';

export const handler = http(getDomainRoute, getDomain);
