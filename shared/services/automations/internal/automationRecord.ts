import { ServiceError } from '../../../contract/errors.ts';
import { notFound } from '../../../contract/notFound.ts';
import type { Output } from '../../../contract/route.ts';
import type { getAutomationRoute, listAutomationsRoute } from '../../../contract/routes/automations.ts';
import { type AutomationDefinition, type LiveSettings, shownHold } from '../../../domain/automation/automation.ts';
import { isId } from '../../../domain/identifier.ts';
import { topicId } from '../../../domain/workspace/topic.ts';
import { type AutomationHead, getAutomation, getVersion } from '../../../store/automation/automations.ts';

/** An automation in one of its versions. */
export interface WholeAutomation {
  readonly head: AutomationHead;
  readonly definition: AutomationDefinition;
}

/** Throws `not_found` for an id of another workspace, and for a deleted automation. */
export async function findAutomation(workspaceId: string, id: string): Promise<AutomationHead> {
  const head = isId('auto', id) ? await getAutomation(workspaceId, id) : null;
  if (!head) throw notFound('automation');
  return head;
}

/** The same in its newest version. */
export async function findWhole(workspaceId: string, id: string): Promise<WholeAutomation> {
  const head = await findAutomation(workspaceId, id);
  const version = await getVersion(workspaceId, id, head.version);
  if (!version) throw new ServiceError('internal_error');
  return { head, definition: version.definition };
}

type Summary = Output<typeof listAutomationsRoute>['data'][number];

export const automationSummary = (head: AutomationHead): Summary => ({
  object: 'automation',
  id: head.id,
  name: head.name,
  status: head.status,
  version: head.version,
  held: shownHold(head.held),
  created_at: head.createdAt,
  updated_at: head.updatedAt,
});

/** `settings`: those of the head, or of an earlier version. */
export function automationDetail(
  { head, definition }: WholeAutomation,
  settings: LiveSettings = head,
  version = head.version,
): Output<typeof getAutomationRoute> {
  const { tag, quietHours, maxDelay } = settings;
  return {
    ...automationSummary(head),
    version,
    steps: definition.steps,
    connections: definition.connections,
    reentry: definition.reentry,
    run_key: definition.run_key,
    goals: definition.goals,
    topic_id: tag === null ? null : topicId(head.workspaceId, tag),
    tag,
    from: definition.from,
    reply_to: definition.reply_to,
    track: definition.track,
    quiet_hours: quietHours,
    max_delay: maxDelay,
  };
}
