import { issuesOf, ValidationError } from '../../../contract/errors.ts';
import {
  type GivenDefinition,
  type ReadDefinition,
  readDefinition,
} from '../../../domain/automation/definitionSchema.ts';
import { topicId } from '../../../domain/workspace/topic.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import { listSegments } from '../../../store/workspace/segments.ts';
import { workspaceIssues } from './workspaceChecks.ts';

/** Reads a definition as it was written. Throws `validation_error` with every problem. */
export async function readGiven(
  workspace: Workspace,
  given: GivenDefinition,
  isEnabled: boolean,
): Promise<ReadDefinition> {
  const tagOfTopic = new Map(workspace.kinds.map(({ tag }) => [topicId(workspace.id, tag), tag]));
  const { read, error } = readDefinition(given, {
    tagOfTopic,
    tagOfSegment: await tagsOfSegments(workspace.id, given),
  });
  const issues = read ? await workspaceIssues(workspace, read, isEnabled) : issuesOf(error);
  if (!read || issues.length > 0) throw new ValidationError(issues);
  return read;
}

/** Segments of a single tag, by id: read only where a step adds people to a segment. */
async function tagsOfSegments(workspaceId: string, { steps }: GivenDefinition): Promise<ReadonlyMap<string, string>> {
  const isAdding = (step: unknown) =>
    typeof step === 'object' && step !== null && 'type' in step && step.type === 'add_to_segment';
  if (!Array.isArray(steps) || !steps.some(isAdding)) return new Map();
  const segments = await listSegments(workspaceId);
  return new Map(segments.flatMap(({ id, rule }) => ('tag' in rule ? [[id, rule.tag] as const] : [])));
}
