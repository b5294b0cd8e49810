/** How the mail of a workspace differs from the default look. Colours are `#rrggbb`, lengths in pixels. */
export interface MailBrand {
  /** Of buttons and links; readable on white. */
  readonly accent?: string | undefined;
  /** Around the message. */
  readonly background?: string | undefined;
  /** Of the text, which stands on white. */
  readonly text?: string | undefined;
  readonly font?: MailFont | undefined;
  readonly width?: number | undefined;
  /** Of headings, text, buttons and the logo, unless a block has its own. */
  readonly align?: 'left' | 'center' | undefined;
  /** An https address. */
  readonly logoUrl?: string | undefined;
  readonly logoWidth?: number | undefined;
  /** In the footer; the workspace's name by default. */
  readonly name?: string | undefined;
  /** Postal address, in lines. */
  readonly address?: string | undefined;
  /** Pages of the sender, such as those at social networks. */
  readonly links?: readonly string[] | undefined;
  /** A campaign without a postal address is refused instead of warned of. */
  readonly requiresAddress?: boolean | undefined;
}

/** Fonts that mail clients have: none is loaded from elsewhere. */
export const mailFonts = {
  system: "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
  arial: 'Arial,Helvetica,sans-serif',
  verdana: 'Verdana,Geneva,sans-serif',
  trebuchet: "'Trebuchet MS',Tahoma,sans-serif",
  georgia: "Georgia,'Times New Roman',serif",
  times: "'Times New Roman',Times,serif",
  courier: "'Courier New',Courier,monospace",
} as const;
export type MailFont = keyof typeof mailFonts;
export const mailFontNames = Object.keys(mailFonts) as [MailFont, ...MailFont[]];

export const mailAlignments = ['left', 'center'] as const;

/** Few and short: they are part of the workspace's record, which every send reads. */
export const mailBrandBounds = {
  width: { least: 480, most: 720, usual: 600 },
  logoWidth: { least: 40, most: 400, usual: 160 },
  name: 100,
  address: 300,
  addressLines: 6,
  url: 300,
  links: 6,
} as const;
