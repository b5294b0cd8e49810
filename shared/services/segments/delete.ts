import { deleteSegment as remove } from '../../store/workspace/segments.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { findSegment } from './find.ts';

/** Deletes a segment. A draft for it is refused when it is sent; what was sent keeps the people that it has. */
export async function deleteSegment(context: Context, wanted: { readonly segment: string }) {
  requireOperator(context);
  const { id, name } = await findSegment(context.workspaceId, wanted.segment);
  await remove(context.workspaceId, id);
  return { object: 'segment' as const, id, name, deleted: true };
}
