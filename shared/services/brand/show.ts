import { getBrand } from '../../store/workspace/brands.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { type ShownBrand, shownBrand } from './shown.ts';

/** How the pages of a workspace look. */
export async function showBrand(context: Context): Promise<ShownBrand> {
  requireOperator(context, 'read');
  const { id } = await existingWorkspace(context.workspaceId);
  return shownBrand(id, await getBrand(id));
}
