import { addSuppressionRoute } from '../../../shared/contract/routes/suppression.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { addSuppression } from '../../../shared/services/suppression.ts';

export const handler = http(addSuppressionRoute, addSuppression);
