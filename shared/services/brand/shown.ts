import type { Brand } from '../../domain/workspace/brand.ts';

/** How a workspace looks, as the operator sees it: of the logo its type and size. */
export function shownBrand(workspaceId: string, { color, logo }: Brand) {
  return {
    object: 'brand' as const,
    workspace_id: workspaceId,
    color,
    logo: logo && { content_type: logo.type, size: Buffer.from(logo.content, 'base64').length },
  };
}

export type ShownBrand = ReturnType<typeof shownBrand>;
