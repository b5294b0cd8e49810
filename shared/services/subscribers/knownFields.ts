import { ruleSubjects } from '../../domain/segment/ruleSubjects.ts';
import type { SegmentRule } from '../../domain/segment/segment.ts';
import { pageOfSubscribers } from '../../store/person/subscriberPages.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { existingWorkspace } from '../workspaces/existing.ts';

/** A field that people of the workspace have, by the question that asked for it where there is one. */
export interface KnownField {
  readonly name: string;
  readonly label: string | null;
}

/** Whoever came last has what imports and forms bring today. */
const newestPeople = 12;
const most = 60;

/**
 * The fields that can be named without looking at everybody: those that the form asks for, that rules look at, and that
 * the newest people have, in this order. No list is kept of them, which each write of a person would pay for.
 */
export async function knownFields(context: Context, rules: readonly (SegmentRule | null)[]): Promise<KnownField[]> {
  requireOperator(context, 'read');
  const { workspaceId } = context;
  const [{ form }, { entries }] = await Promise.all([
    existingWorkspace(workspaceId),
    pageOfSubscribers(workspaceId, { limit: newestPeople }),
  ]);
  const found = new Map<string, KnownField>((form?.fields ?? []).map(({ name, label }) => [name, { name, label }]));
  const others = [
    ...rules.flatMap((rule) => [...ruleSubjects(rule).fields]),
    ...entries.flatMap(({ person }) => Object.keys(person.subscriber?.fields ?? {})),
  ];
  for (const name of others) if (!found.has(name)) found.set(name, { name, label: null });
  return [...found.values()].slice(0, most);
}
