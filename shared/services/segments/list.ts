import { listSegments as read } from '../../store/workspace/segments.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { type ShownSegment, shownSegment } from './shown.ts';

/** The segments of a workspace, the oldest first. */
export async function listSegments(context: Context): Promise<ShownSegment[]> {
  requireOperator(context, 'read');
  return (await read(context.workspaceId)).map(shownSegment);
}
