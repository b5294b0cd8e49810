import document from '../../../openapi/openapi.en.json' with { type: 'json' };
import { englishReferenceRoute } from '../../../shared/contract/routes/account.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { withServer } from '../../../shared/services/account/reference.ts';

export const handler = http(englishReferenceRoute, withServer(document));
