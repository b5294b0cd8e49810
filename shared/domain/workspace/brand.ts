/** The look of a workspace's pages and mail. */
export interface Brand {
  /** `#rrggbb`, for buttons and links. */
  readonly color: string | null;
  readonly logo: Logo | null;
}

interface Logo {
  readonly type: LogoType;
  /** In base64. */
  readonly content: string;
}

export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type LogoType = (typeof logoTypes)[number];

/** The logo is embedded in each page. */
export const maxLogoBytes = 24 * 1024;

/**
 * The type of an image by its first bytes (PNG: W3C PNG section 5.2; JPEG: ITU T.81 annex B; WebP: RFC 9649 section 2.4);
 * null for anything else, such as SVG, which can contain scripts.
 */
export function logoTypeOf(bytes: Uint8Array): LogoType | null {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  return start.startsWith('RIFF') && start.slice(8) === 'WEBP' ? 'image/webp' : null;
}

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** The least contrast of text and background (WCAG 2.2 success criterion 1.4.3). */
export const leastContrast = 4.5;

/** The background of a page by theme. */
export const backgrounds = { light: '#ffffff', dark: '#1b2127' } as const;

/** The contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio" and "relative luminance"). */
export function contrastOf(one: string, other: string): number {
  const [bright = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
}

/** The colour, mixed with white or black as far as needed for text on this background. */
export function readableOn(background: string, color: string): string {
  const target = luminanceOf(background) > 0.18 ? 0 : 255;
  const steps = Array.from({ length: 101 }, (_, percent) => mixed(color, target, percent / 100));
  return steps.find((step) => contrastOf(step, background) >= leastContrast) ?? color;
}

/** A colour mixed with black (0) or white (255). */
export function mixed(color: string, target: 0 | 255, share: number): string {
  const channels = channelsOf(color).map((channel) => Math.round(channel + (target - channel) * share));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
