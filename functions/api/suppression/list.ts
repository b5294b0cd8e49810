import { listSuppressionRoute } from '../../../shared/contract/routes/suppression.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { listSuppression } from '../../../shared/services/suppression/list.ts';

export const handler = http(listSuppressionRoute, listSuppression);
