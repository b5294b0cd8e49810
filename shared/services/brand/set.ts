import { type Issue, ValidationError } from '../../contract/errors.ts';
import {
  type Brand,
  contrastOf,
  grounds,
  isColor,
  leastContrast,
  logoTypeOf,
  maxLogoBytes,
  readableOn,
} from '../../domain/workspace/brand.ts';
import { textsOf } from '../../language/text.ts';
import { getBrand, putBrand } from '../../store/workspace/brands.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { type ShownBrand, shownBrand } from './shown.ts';

/** `null` takes one back; what is left out stays as it is. */
export interface BrandChanges {
  readonly color?: string | null | undefined;
  /** The picture's bytes. */
  readonly logo?: Uint8Array | null | undefined;
}

/** Changes how the pages of a workspace look. Throws `validation_error` with everything that is wrong. */
export const setBrand = operatorVerb(
  { action: 'brand.set', needs: 'change' },
  async (context: Context, { changes }: { readonly changes: BrandChanges }): Promise<ShownBrand> => {
    const { id } = await existingWorkspace(context.workspaceId);
    const { color, logo } = changes;
    const type = logo ? logoTypeOf(logo) : null;
    const issues = [...(color ? colorIssues(color) : []), ...(logo ? logoIssues(logo, type !== null) : [])];
    if (issues.length > 0) throw new ValidationError(issues);
    const known = await getBrand(id);
    const brand: Brand = {
      color: color === undefined ? known.color : (color?.toLowerCase() ?? null),
      logo: logo === undefined ? known.logo : logo && type && { type, content: Buffer.from(logo).toString('base64') },
    };
    await putBrand(id, brand);
    return shownBrand(id, brand);
  },
);

function colorIssues(color: string): Issue[] {
  if (!isColor(color)) return [{ path: 'color', text: texts.color }];
  const contrast = contrastOf(color, grounds.light);
  if (contrast >= leastContrast) return [];
  // Never rounded up to what it does not reach.
  const said = (Math.floor(contrast * 10) / 10).toFixed(1);
  const nearest = readableOn(grounds.light, color);
  const filled = (text: string) => text.replace('{contrast}', said).replace('{nearest}', nearest);
  return [{ path: 'color', text: { en: filled(texts.contrast.en), fr: filled(texts.contrast.fr) } }];
}

function logoIssues(logo: Uint8Array, isPicture: boolean): Issue[] {
  if (!isPicture) return [{ path: 'logo', text: texts.logoType }];
  return logo.length > maxLogoBytes ? [{ path: 'logo', text: texts.logoSize }] : [];
}

const texts = textsOf({
  color: { en: 'must be a colour such as #0b57b5', fr: 'doit être une couleur comme #0b57b5' },
  contrast: {
    en: `has a contrast of {contrast} with white; text needs ${leastContrast} to be read. {nearest} has it`,
    fr: `a un contraste de {contrast} avec le blanc ; il faut ${leastContrast} pour lire un texte. {nearest} l’a`,
  },
  logoType: { en: 'must be a PNG, JPEG or WebP picture', fr: 'doit être une image PNG, JPEG ou WebP' },
  logoSize: {
    en: `must have at most ${maxLogoBytes / 1024} KiB`,
    fr: `doit peser au plus ${maxLogoBytes / 1024} Kio`,
  },
});
