import { ruleSubjects, type SegmentRule } from '../../domain/segment/segment.ts';
import { pageOfSubscribers } from '../../store/person/subscriberLists.ts';
import type { Context } from '../context.ts';
import { existingWorkspace } from '../existingWorkspace.ts';
import { requireOperator } from '../operatorVerb.ts';

/** A custom field in use, with the label of the form question that asks for it, if there is one. */
export interface KnownField {
  readonly name: string;
  readonly label: string | null;
}

/** Imports and forms give the newest people the fields that are in use today. */
const newestPeople = 12;
const maxFields = 60;

/**
 * The custom fields that are known without reading all people: those of the form, then those in `rules`, then those of
 * the newest people. A stored list of fields would need a write with each change of a person.
 */
export async function knownFields(context: Context, rules: readonly (SegmentRule | null)[]): Promise<KnownField[]> {
  requireOperator(context, 'read');
  const { workspaceId } = context;
  const [{ form }, { entries }] = await Promise.all([
    existingWorkspace(workspaceId),
    pageOfSubscribers(workspaceId, { limit: newestPeople }),
  ]);
  const known = new Map<string, KnownField>((form?.fields ?? []).map(({ name, label }) => [name, { name, label }]));
  const others = [
    ...rules.flatMap((rule) => [...ruleSubjects(rule).fields]),
    ...entries.flatMap(({ person }) => Object.keys(person.subscriber?.fields ?? {})),
  ];
  for (const name of others) if (!known.has(name)) known.set(name, { name, label: null });
  return [...known.values()].slice(0, maxFields);
}
