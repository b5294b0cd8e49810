import { verifyDomainRoute } from '../../../shared/contract/routes/domains.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { verifyOwnDomain } from '../../../shared/services/ownDomains.ts';

export const handler = http(verifyDomainRoute, verifyOwnDomain);
