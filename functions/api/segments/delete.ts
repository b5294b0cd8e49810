import { deleteSegmentRoute } from '../../../shared/contract/routes/segments.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { deleteSegment } from '../../../shared/services/segments.ts';

export const handler = http(deleteSegmentRoute, deleteSegment);
