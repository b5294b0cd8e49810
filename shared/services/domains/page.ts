import type { Input, Result } from '../../contract/route.ts';
import type { listDomainsRoute } from '../../contract/routes/domains.ts';
import type { Context } from '../context.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { listedDomain } from './shown.ts';

/** A page of the workspace's domains, by name; all of them are in the one record of the workspace. */
export async function pageOfDomains(
  { workspaceId }: Context,
  { limit, after = '' }: Input<typeof listDomainsRoute>,
): Promise<Result<typeof listDomainsRoute>> {
  const { domains } = await existingWorkspace(workspaceId);
  const left = domains.filter(({ domain }) => domain > after).sort((a, b) => (a.domain < b.domain ? -1 : 1));
  const entries = left.slice(0, limit).map(listedDomain);
  return { entries, next: left.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
