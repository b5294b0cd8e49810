import { ServiceError } from '../../../contract/errors.ts';
import { isId } from '../../../domain/identifier.ts';
import { type AutomationHead, getAutomation, getDeletedAutomation } from '../../../store/automation/automations.ts';

/** Throws `not_found` for an id of another workspace, and for a deleted automation. */
export async function findAutomation(workspaceId: string, id: string): Promise<AutomationHead> {
  const head = isId('auto', id) ? await getAutomation(workspaceId, id) : null;
  if (!head) throw new ServiceError('not_found');
  return head;
}

/** The same, and a deleted one too: its runs stay readable. */
export async function findAutomationOfRuns(workspaceId: string, id: string): Promise<AutomationHead> {
  const head = isId('auto', id)
    ? ((await getAutomation(workspaceId, id)) ?? (await getDeletedAutomation(workspaceId, id)))
    : null;
  if (!head) throw new ServiceError('not_found');
  return head;
}
