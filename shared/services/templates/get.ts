import type { Input, Output } from '../../contract/route.ts';
import type { getTemplateRoute } from '../../contract/routes/templates.ts';
import type { Context } from '../context.ts';
import { findTemplate } from './find.ts';
import { shownVersion } from './shown.ts';

/** A template in its newest version, or in an earlier one. */
export async function getTemplate(
  { workspaceId }: Context,
  { id, version }: Input<typeof getTemplateRoute>,
): Promise<Output<typeof getTemplateRoute>> {
  const { template, source } = await findTemplate(workspaceId, id, version);
  return shownVersion(template, source, version);
}
