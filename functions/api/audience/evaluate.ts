import { evaluateAudienceRoute } from '../../../shared/contract/routes/audience.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { evaluateAudience } from '../../../shared/services/audience.ts';

export const handler = http(evaluateAudienceRoute, evaluateAudience);
