import { deleteDomainRoute } from '../../../shared/contract/routes/domains.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { deleteDomain } from '../../../shared/services/ownDomains.ts';

export const handler = http(deleteDomainRoute, deleteDomain);
