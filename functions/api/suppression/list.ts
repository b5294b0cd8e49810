import { listSuppressionRoute } from '../../../shared/contract/routes/suppression.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listSuppression } from '../../../shared/services/suppression.ts';

export const handler = paged(listSuppressionRoute, listSuppression);
