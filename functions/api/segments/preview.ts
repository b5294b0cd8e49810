import { previewSegmentRoute } from '../../../shared/contract/routes/segments.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { previewSegment } from '../../../shared/services/segments.ts';

export const handler = http(previewSegmentRoute, previewSegment);
