import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output, Result } from '../../contract/route.ts';
import type { getAutomationRoute, listAutomationsRoute } from '../../contract/routes/automations.ts';
import { eventsAmong } from '../../domain/automation/cause.ts';
import { getVersion, listAutomations as loadAutomations } from '../../store/automation/automations.ts';
import { readListened } from '../../store/automation/listeners.ts';
import type { Context } from '../context.ts';
import { requireRole } from '../operatorVerb.ts';
import { automationDetail, automationSummary, findAutomation } from './internal/automationRecord.ts';

/** Newest first. All of them are read, as there are 100 at most. */
export async function listAutomations(
  context: Context,
  { limit, after, status }: Input<typeof listAutomationsRoute>,
): Promise<Result<typeof listAutomationsRoute>> {
  requireRole(context, 'read');
  const all = await loadAutomations(context.workspaceId);
  const rest = all.filter((head) => (after === undefined || head.id < after) && (!status || head.status === status));
  const entries = rest.slice(0, limit).map(automationSummary);
  return { entries, next: rest.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

/** An automation in its newest version, or in the requested one. */
export async function getAutomation(
  context: Context,
  { id, version }: Input<typeof getAutomationRoute>,
): Promise<Output<typeof getAutomationRoute>> {
  requireRole(context, 'read');
  const head = await findAutomation(context.workspaceId, id);
  const read = await getVersion(context.workspaceId, id, version ?? head.version);
  if (!read) throw new ServiceError('not_found');
  return version === undefined
    ? automationDetail({ head, definition: read.definition })
    : automationDetail({ head, definition: read.definition }, read.settings, version);
}

/** The names of the events that active automations wait for or start by: one read. */
export async function listenedEvents(context: Context): Promise<readonly string[]> {
  requireRole(context, 'read');
  return eventsAmong(await readListened(context.workspaceId));
}
