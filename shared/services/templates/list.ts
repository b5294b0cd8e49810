import type { Input, Result } from '../../contract/route.ts';
import type { listTemplatesRoute } from '../../contract/routes/templates.ts';
import { listTemplates as loadTemplates } from '../../store/template/templates.ts';
import type { Context } from '../context.ts';
import { shownTemplate } from './shown.ts';

/** Newest first, without what they say. */
export async function listTemplates(
  { workspaceId }: Context,
  { limit, after }: Input<typeof listTemplatesRoute>,
): Promise<Result<typeof listTemplatesRoute>> {
  const { entries, next } = await loadTemplates(workspaceId, { limit, after });
  return { entries: entries.map(shownTemplate), next };
}
