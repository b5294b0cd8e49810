import { deleteSegment as remove } from '../../store/workspace/segments.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { findSegment } from './find.ts';

/** Deletes a segment. A draft for it is refused when it is sent; what was sent keeps the people that it has. */
export const deleteSegment = operatorVerb(
  { action: 'segment.delete', needs: 'change', subject: ({ segment }) => segment },
  async (context: Context, wanted: { readonly segment: string }) => {
    const { id, name } = await findSegment(context.workspaceId, wanted.segment);
    await remove(context.workspaceId, id);
    return { object: 'segment' as const, id, name, deleted: true };
  },
);
