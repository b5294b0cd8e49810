import type { Brand } from '../../domain/workspace/brand.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { logger } from '../../platform/logger.ts';
import { getBrand } from '../../store/workspace/brands.ts';

/** How the workspace looks to whoever opens a page of it; plain rather than not at all. */
export async function brandOfPage({ id }: Pick<Workspace, 'id'>): Promise<Brand | null> {
  try {
    return await getBrand(id);
  } catch (error) {
    logger.warn('How a workspace looks could not be read.', error as Error);
    return null;
  }
}
