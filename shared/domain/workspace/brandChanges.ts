import { type Text, textsOf } from '../../language/text.ts';
import { characterCount } from '../encoding.ts';
import { readImageSource } from '../webAddress.ts';
import { backgrounds, contrastOf, isColor, leastContrast, logoTypeOf, maxLogoBytes, readableOn } from './brand.ts';
import { mailBrandBounds as bounds, type MailBrand } from './mailBrand.ts';

/** `null` removes a value; an omitted one stays as it is. */
export type BrandChanges = {
  readonly [Name in Exclude<keyof MailBrand, 'accent'>]?: MailBrand[Name] | null;
} & {
  /** The accent of pages and mail. */
  readonly color?: string | null | undefined;
  /** The bytes of the image that is embedded in the pages. */
  readonly logo?: Uint8Array | null | undefined;
};

interface BrandProblem {
  readonly path: string;
  readonly text: Text;
}

/** Everything that is wrong with a change of the brand. */
export function brandProblems(changes: BrandChanges): BrandProblem[] {
  const { color, logo, background, text, logoUrl, name, address, links } = changes;
  const found = (path: string, problem: Text | null): BrandProblem[] => (problem ? [{ path, text: problem }] : []);
  return [
    ...found('color', color ? textColorProblem(color) : null),
    ...found('logo', logo ? logoProblem(logo) : null),
    ...found('background', background && !isColor(background) ? texts.color : null),
    ...found('text', text ? textColorProblem(text) : null),
    ...found('width', lengthProblem(changes.width, bounds.width)),
    ...found('logoUrl', logoUrl ? addressProblem(logoUrl) : null),
    ...found('logoWidth', lengthProblem(changes.logoWidth, bounds.logoWidth)),
    ...found('name', name && !isLine(name, bounds.name) ? texts.name : null),
    ...found('address', address ? postalProblem(address) : null),
    ...found('links', links && links.length > bounds.links ? texts.links : null),
    ...(links ?? []).slice(0, bounds.links).flatMap((link, index) => found(`links[${index}]`, addressProblem(link))),
  ];
}

function textColorProblem(color: string): Text | null {
  if (!isColor(color)) return texts.color;
  const contrast = contrastOf(color, backgrounds.light);
  if (contrast >= leastContrast) return null;
  // Rounded down, so that it never looks like a contrast that it does not reach.
  const shown = (Math.floor(contrast * 10) / 10).toFixed(1);
  const nearest = readableOn(backgrounds.light, color);
  const filled = (words: string) => words.replace('{contrast}', shown).replace('{nearest}', nearest);
  return { en: filled(texts.contrast.en), fr: filled(texts.contrast.fr) };
}

function logoProblem(logo: Uint8Array): Text | null {
  if (logoTypeOf(logo) === null) return texts.logoType;
  return logo.length > maxLogoBytes ? texts.logoSize : null;
}

function lengthProblem(
  value: number | null | undefined,
  { least, most }: { readonly least: number; readonly most: number },
): Text | null {
  if (value === null || value === undefined) return null;
  if (Number.isInteger(value) && value >= least && value <= most) return null;
  return {
    en: `must be a whole number of pixels from ${least} to ${most}`,
    fr: `doit être un nombre entier de pixels, de ${least} à ${most}`,
  };
}

/** Mail clients warn of http, and this address stands in every message. */
function addressProblem(address: string): Text | null {
  const isShort = address.length <= bounds.url;
  return isShort && readImageSource(address).ok && address.startsWith('https://') ? null : texts.url;
}

const isLine = (text: string, maxLength: number): boolean =>
  text.trim() !== '' && characterCount(text) <= maxLength && !/\p{Cc}/u.test(text);

function postalProblem(address: string): Text | null {
  const lines = address.split('\n');
  const isShort = characterCount(address) <= bounds.address && lines.length <= bounds.addressLines;
  return isShort && lines.every((line) => isLine(line, bounds.address)) ? null : texts.address;
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
  url: {
    en: `must be a complete https address of at most ${bounds.url} characters`,
    fr: `doit être une adresse https complète d’au plus ${bounds.url} caractères`,
  },
  name: {
    en: `must be one line of at most ${bounds.name} characters`,
    fr: `doit être une ligne d’au plus ${bounds.name} caractères`,
  },
  address: {
    en: `must have at most ${bounds.addressLines} lines without an empty one, and at most ${bounds.address} characters`,
    fr: `doit avoir au plus ${bounds.addressLines} lignes, dont aucune vide, et au plus ${bounds.address} caractères`,
  },
  links: { en: `must be at most ${bounds.links}`, fr: `doivent être au plus ${bounds.links}` },
});
