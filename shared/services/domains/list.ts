import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { existingWorkspace } from '../workspaces/existing.ts';

/** The domains of a workspace, and whether mail may come from each. */
export async function listDomains(context: Context) {
  requireOperator(context, 'read');
  const { domains } = await existingWorkspace(context.workspaceId);
  return domains.map(({ domain, verified }) => ({ object: 'domain' as const, domain, verified }));
}
