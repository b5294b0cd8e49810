import document from '../../../openapi/openapi.fr.json' with { type: 'json' };
import { frenchReferenceRoute } from '../../../shared/contract/routes/account.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { withServer } from '../../../shared/services/account/reference.ts';

export const handler = http(frenchReferenceRoute, withServer(document));
