import { listDomainsRoute } from '../../../shared/contract/routes/domains.ts';
import { paged } from '../../../shared/http/paged.ts';
import { pageOfDomains } from '../../../shared/services/domains.ts';

export const handler = paged(listDomainsRoute, pageOfDomains);
