import { updateSegmentRoute } from '../../../shared/contract/routes/segments.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { editSegment } from '../../../shared/services/segments.ts';

export const handler = http(updateSegmentRoute, editSegment);
