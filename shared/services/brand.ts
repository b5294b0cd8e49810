import { type Issue, ValidationError } from '../contract/errors.ts';
import {
  type Brand,
  backgrounds,
  contrastOf,
  isColor,
  leastContrast,
  logoTypeOf,
  maxLogoBytes,
  readableOn,
} from '../domain/workspace/brand.ts';
import type { Workspace } from '../domain/workspace/workspace.ts';
import { textsOf } from '../language/text.ts';
import { logger } from '../platform/logger.ts';
import { getBrand, putBrand } from '../store/workspace/publicPages.ts';
import type { Context } from './context.ts';
import { existingWorkspace } from './existingWorkspace.ts';
import { operatorVerb, requireOperator } from './operatorVerb.ts';

/** The colour and logo on the pages of a workspace. */
export async function showBrand(context: Context): Promise<BrandJson> {
  requireOperator(context, 'read');
  const { id } = await existingWorkspace(context.workspaceId);
  return brandJson(id, await getBrand(id));
}

/** `null` removes a value; an omitted one stays as it is. */
export interface BrandChanges {
  readonly color?: string | null | undefined;
  /** The bytes of the image. */
  readonly logo?: Uint8Array | null | undefined;
}

/** Changes the colour and the logo. Throws `validation_error` with every problem. */
export const setBrand = /* @__PURE__ */ operatorVerb(
  { action: 'brand.set', needs: 'change' },
  async (context: Context, { changes }: { readonly changes: BrandChanges }): Promise<BrandJson> => {
    const { id } = await existingWorkspace(context.workspaceId);
    const { color, logo } = changes;
    const type = logo ? logoTypeOf(logo) : null;
    const issues = [...(color ? colorIssues(color) : []), ...(logo ? logoIssues(logo, type !== null) : [])];
    if (issues.length > 0) throw new ValidationError(issues);
    const before = await getBrand(id);
    const brand: Brand = {
      color: color === undefined ? before.color : (color?.toLowerCase() ?? null),
      logo: logo === undefined ? before.logo : logo && type && { type, content: Buffer.from(logo).toString('base64') },
    };
    await putBrand(id, brand);
    return brandJson(id, brand);
  },
);

function colorIssues(color: string): Issue[] {
  if (!isColor(color)) return [{ path: 'color', text: texts.color }];
  const contrast = contrastOf(color, backgrounds.light);
  if (contrast >= leastContrast) return [];
  // Rounded down, so that it never looks like a contrast that it does not reach.
  const shown = (Math.floor(contrast * 10) / 10).toFixed(1);
  const nearest = readableOn(backgrounds.light, color);
  const filled = (text: string) => text.replace('{contrast}', shown).replace('{nearest}', nearest);
  return [{ path: 'color', text: { en: filled(texts.contrast.en), fr: filled(texts.contrast.fr) } }];
}

function logoIssues(logo: Uint8Array, isPicture: boolean): Issue[] {
  if (!isPicture) return [{ path: 'logo', text: texts.logoType }];
  return logo.length > maxLogoBytes ? [{ path: 'logo', text: texts.logoSize }] : [];
}

const texts = textsOf({
  color: { en: 'must be a colour such as #0b57b5', fr: 'doit être une couleur comme #0b57b5' },
  contrast: {
    en: `has a contrast of {contrast} with white; readable text needs ${leastContrast}. The nearest such colour is {nearest}`,
    fr: `a un contraste de {contrast} avec le blanc ; un texte lisible en demande ${leastContrast}. La couleur la plus proche qui convient est {nearest}`,
  },
  logoType: { en: 'must be a PNG, JPEG or WebP image', fr: 'doit être une image PNG, JPEG ou WebP' },
  logoSize: {
    en: `must have at most ${maxLogoBytes / 1024} KiB`,
    fr: `doit peser au plus ${maxLogoBytes / 1024} Kio`,
  },
});

/** The brand for a public page; null, which gives a plain page, when it cannot be read. */
export async function brandOfPage({ id }: Pick<Workspace, 'id'>): Promise<Brand | null> {
  try {
    return await getBrand(id);
  } catch (error) {
    logger.warn('The brand of a workspace could not be read.', error as Error);
    return null;
  }
}

/** The brand as operators see it: of the logo only its type and size. */
function brandJson(workspaceId: string, { color, logo }: Brand) {
  return {
    object: 'brand' as const,
    workspace_id: workspaceId,
    color,
    logo: logo && { content_type: logo.type, size: Buffer.from(logo.content, 'base64').length },
  };
}

export type BrandJson = ReturnType<typeof brandJson>;
