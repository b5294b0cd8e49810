import { pageOfAudit } from '../../store/operator/audit.ts';
import type { DeploymentContext } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';

interface Wanted {
  /** Whose log; null for what was done to the deployment as a whole. */
  readonly workspaceId: string | null;
  readonly limit: number;
  readonly after?: string | undefined;
}

/** What operators did, newest first: one query a page. A year is kept. */
export async function listAudit({ actor }: DeploymentContext, { workspaceId, limit, after }: Wanted) {
  requireOperator(workspaceId === null ? { actor } : { actor, workspaceId }, 'read');
  const { entries, next } = await pageOfAudit(workspaceId, { limit, after });
  return { entries: entries.map((entry) => ({ object: 'audit_entry' as const, ...entry })), next };
}
