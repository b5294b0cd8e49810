import { createDomainRoute } from '../../../shared/contract/routes/domains.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { createDomain } from '../../../shared/services/ownDomains.ts';

export const handler = keeping(createDomainRoute, createDomain);
