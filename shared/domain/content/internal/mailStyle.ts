/** The values that the HTML of a message is written with. */
export interface MailStyle {
  /** In pixels, with the padding. */
  readonly width: number;
  /** The declaration of the fonts. */
  readonly font: string;
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
  readonly quiet: string;
  readonly link: string;
  readonly rule: string;
  readonly button: string;
  readonly label: string;
}

/** At each side of the text, in pixels. */
export const padding = 24;
/** Between columns, in pixels. */
export const gap = 16;

export const tableTag = 'table role="presentation" border="0" cellpadding="0" cellspacing="0"';

export const usualStyle: MailStyle = {
  width: 600,
  font: "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
  light: {
    page: '#f3f4f6',
    sheet: '#ffffff',
    text: '#1f2328',
    quiet: '#57606a',
    link: '#1f4f99',
    rule: '#d0d7de',
    button: '#1f4f99',
    label: '#ffffff',
  },
  dark: {
    page: '#16181d',
    sheet: '#1f2229',
    text: '#e6e8ec',
    quiet: '#a3a9b3',
    link: '#8ab8f7',
    rule: '#3a3f4a',
    button: '#8ab8f7',
    label: '#10151c',
  },
};

/**
 * The style sheets of a message: narrow screens, dark mode. Two of them, since a client drops a whole element for a rule
 * that it does not know. They have single braces only: SES interprets double ones.
 */
export function styleSheets({ dark }: MailStyle): string {
  const narrow = `@media (max-width: 480px) { .sheet { padding: 20px 16px !important; } .column, .wide { width: 100% !important; } }`;
  const rules = [
    `.page { background: ${dark.page} !important; }`,
    `.sheet { background: ${dark.sheet} !important; }`,
    `.ink { color: ${dark.text} !important; }`,
    `.ink a { color: ${dark.link} !important; }`,
    `.quiet, .quiet a { color: ${dark.quiet} !important; }`,
    `.rule { border-color: ${dark.rule} !important; }`,
    `.button { background: ${dark.button} !important; }`,
    `.button a { color: ${dark.label} !important; }`,
  ];
  return `<style>${narrow}</style>\n<style>@media (prefers-color-scheme: dark) { ${rules.join(' ')} }</style>`;
}
