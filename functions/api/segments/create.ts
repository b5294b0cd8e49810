import { createSegmentRoute } from '../../../shared/contract/routes/segments.ts';
import { keeping } from '../../../shared/http/keeping.ts';
import { createSegment } from '../../../shared/services/segments.ts';

export const handler = keeping(createSegmentRoute, createSegment);
