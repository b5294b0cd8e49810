import { getSegmentRoute } from '../../../shared/contract/routes/segments.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { showSegment } from '../../../shared/services/segments.ts';

export const handler = http(getSegmentRoute, showSegment);
