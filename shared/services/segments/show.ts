import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { findSegment } from './find.ts';
import { type ShownSegment, shownSegment } from './shown.ts';

/** A segment by its id or its name. Throws `not_found`. */
export async function showSegment(context: Context, { segment }: { readonly segment: string }): Promise<ShownSegment> {
  requireOperator(context, 'read');
  return shownSegment(await findSegment(context.workspaceId, segment));
}
