import { listSegments, putSegment } from '../../store/workspace/segments.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { readRule, requireFreeName } from './create.ts';
import { findSegment } from './find.ts';
import { type ShownSegment, shownSegment } from './shown.ts';

/** Gives a segment another name, another rule, or both. Campaigns that are sent already keep the people that they have. */
export const editSegment = operatorVerb(
  { action: 'segment.edit', needs: 'change', subject: ({ segment }) => segment },
  async (
    context: Context,
    wanted: { readonly segment: string; readonly name?: string | undefined; readonly rule?: unknown },
  ): Promise<ShownSegment> => {
    const before = await findSegment(context.workspaceId, wanted.segment);
    const rule = wanted.rule === undefined ? before.rule : readRule(wanted.rule);
    const others = (await listSegments(context.workspaceId)).filter(({ id }) => id !== before.id);
    const name = wanted.name ?? before.name;
    requireFreeName(name, others);
    const segment = { ...before, name, rule };
    await putSegment(context.workspaceId, segment);
    return shownSegment(segment);
  },
);
