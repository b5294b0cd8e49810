import type { Segment } from '../../domain/segment/segment.ts';

/** A segment as the operator sees it. */
export function shownSegment({ id, name, rule, createdAt }: Segment) {
  return { object: 'segment' as const, id, name, rule, created_at: createdAt };
}

export type ShownSegment = ReturnType<typeof shownSegment>;
