import { contrastOf, leastContrast, readableOn } from '../workspace/brand.ts';
import { type MailBrand, mailBrandBounds, mailFonts } from '../workspace/mailBrand.ts';

/** The values that the HTML of a message is written with. */
export interface MailStyle {
  /** In pixels, with the padding. */
  readonly width: number;
  /** The declaration of the fonts. */
  readonly font: string;
  readonly align: 'left' | 'center';
  readonly light: Palette;
  /** For mail clients with a dark mode that support style sheets. */
  readonly dark: Palette;
}

interface Palette {
  /** Around the message. */
  readonly page: string;
  /** Behind its text. */
  readonly sheet: string;
  readonly text: string;
  /** On the sheet. */
  readonly quiet: string;
  /** Below the sheet. */
  readonly foot: string;
  readonly link: string;
  readonly rule: string;
  /** Behind code. */
  readonly code: string;
  readonly button: string;
  readonly label: string;
}

/** At each side of the text, in pixels. */
export const padding = 24;
/** Between columns, in pixels. */
export const gap = 16;

export const tableTag = 'table role="presentation" border="0" cellpadding="0" cellspacing="0"';

const usualAccent = '#1f4f99';
const light = {
  page: '#f3f4f6',
  sheet: '#ffffff',
  text: '#1f2328',
  quiet: '#57606a',
  rule: '#d0d7de',
  code: '#f0f2f4',
};
const dark = { page: '#16181d', sheet: '#1f2229', text: '#e6e8ec', quiet: '#a3a9b3', rule: '#3a3f4a', code: '#2a2e37' };

/** The style of a brand. Its colours of dark mode follow from it, so that they can always be read. */
export function styleOf(brand: MailBrand = {}): MailStyle {
  const { accent = usualAccent, background: page = light.page, text = light.text } = brand;
  const darkAccent = readableOn(dark.sheet, accent);
  const font = mailFonts[brand.font ?? 'system'];
  return {
    width: brand.width ?? mailBrandBounds.width.usual,
    font: `font-family:${font}`,
    align: brand.align ?? 'left',
    light: {
      ...light,
      ...{ page, text, link: accent, button: accent },
      foot: readableOn(page, light.quiet),
      label: labelOn(accent),
    },
    dark: { ...dark, foot: dark.quiet, link: darkAccent, button: darkAccent, label: labelOn(darkAccent) },
  };
}

/** White where it can be read, else nearly black. */
export const labelOn = (background: string): string =>
  contrastOf('#ffffff', background) >= leastContrast ? '#ffffff' : '#10151c';

/**
 * The style sheets of a message: narrow screens, dark mode. Two of them, since a client drops a whole element for a rule
 * that it does not know. They have single braces only: SES interprets double ones.
 */
export function styleSheets({ dark: colors }: MailStyle): string {
  const narrow = `@media (max-width: 480px) { .sheet { padding: 20px 16px !important; } .foot { padding: 16px !important; } .column, .wide { width: 100% !important; } }`;
  const rules = [
    `.page { background: ${colors.page} !important; }`,
    `.sheet { background: ${colors.sheet} !important; }`,
    `.ink { color: ${colors.text} !important; }`,
    `.ink a { color: ${colors.link} !important; }`,
    `.quiet, .quiet a { color: ${colors.quiet} !important; }`,
    `.foot, .foot a { color: ${colors.foot} !important; }`,
    `.code { background: ${colors.code} !important; color: ${colors.text} !important; }`,
    `.rule { border-color: ${colors.rule} !important; }`,
    `.button { background: ${colors.button} !important; }`,
    `.button a { color: ${colors.label} !important; }`,
  ];
  return `<style>${narrow}</style>\n<style>@media (prefers-color-scheme: dark) { ${rules.join(' ')} }</style>`;
}
