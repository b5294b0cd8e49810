import { listSegmentsRoute } from '../../../shared/contract/routes/segments.ts';
import { paged } from '../../../shared/http/paged.ts';
import { listSegments } from '../../../shared/services/segments.ts';

export const handler = paged(listSegmentsRoute, listSegments);
