import { ServiceError, ValidationError } from '../../contract/errors.ts';
import { issuesOf } from '../../contract/issues.ts';
import type { Segment, SegmentRule } from '../../domain/segment/segment.ts';
import { segmentRule } from '../../domain/segment/segmentRule.ts';
import { createId } from '../../domain/token/identifier.ts';
import { listSegments, putSegment } from '../../store/workspace/segments.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { type ShownSegment, shownSegment } from './shown.ts';

/** One query lists them all, and people choose from that list. */
const mostSegments = 200;

/** Stores a segment under a name that no other has. Throws `validation_error` with every problem of the rule. */
export const createSegment = operatorVerb(
  { action: 'segment.create', needs: 'change', subject: ({ name }) => name },
  async (context: Context, wanted: { readonly name: string; readonly rule: unknown }): Promise<ShownSegment> => {
    const rule = readRule(wanted.rule);
    const others = await listSegments(context.workspaceId);
    requireFreeName(wanted.name, others);
    if (others.length >= mostSegments) throw tooMany;
    const segment = { id: createId('seg', context.now), name: wanted.name, rule, createdAt: context.now.toISOString() };
    await putSegment(context.workspaceId, segment);
    return shownSegment(segment);
  },
);

export function readRule(rule: unknown): SegmentRule {
  const result = segmentRule.safeParse(rule, { reportInput: true });
  if (result.success) return result.data;
  const issues = issuesOf(result.error);
  throw new ValidationError(issues.map(({ path, text }) => ({ path: path === '' ? 'rule' : `rule.${path}`, text })));
}

/** Throws `conflict` when one of these has the name, whatever its case. */
export function requireFreeName(name: string, others: readonly Segment[]): void {
  if (!others.some((other) => other.name.toLowerCase() === name.toLowerCase())) return;
  throw new ServiceError('conflict', {
    text: { en: `There is a segment "${name}" already.`, fr: `Il y a déjà un segment « ${name} ».` },
  });
}

const tooMany = new ServiceError('conflict', {
  text: {
    en: `A workspace has at most ${mostSegments} segments.`,
    fr: `Un espace a au plus ${mostSegments} segments.`,
  },
});
