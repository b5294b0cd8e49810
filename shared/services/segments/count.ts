import { countAudience } from '../audience/count.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { findSegment } from './find.ts';

/** How many people a campaign to a segment, by its id or its name, would reach now. Throws `not_found`. */
export async function countSegment(context: Context, { segment }: { readonly segment: string }) {
  requireOperator(context, 'read');
  const { workspaceId, now } = context;
  const { id, name, rule } = await findSegment(workspaceId, segment);
  const recipients = await countAudience({ workspaceId, rule, to: null }, now);
  return { object: 'segment_count' as const, id, name, recipients };
}
