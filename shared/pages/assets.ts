import { createHash } from 'node:crypto';
import { type Brand, backgrounds, mixed, readableOn } from '../domain/workspace/brand.ts';
import { textFilesBelow, textOfFile } from '../platform/textFiles.ts';
import { elementOf, type Html, html } from './html.ts';

const css = textOfFile(textFilesBelow(new URL('./browser/', import.meta.url)), 'page.css');

/** The source of a content security policy that allows exactly this inline text (CSP Level 3, section 8.1). */
export const contentSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The style of every page, and the source that the policy of the page allows for it. */
export const pageStyle = { element: elementOf('style', css), source: contentSource(css) };

/** The workspace's colour in place of the service's, made readable on the white and on the dark page. */
function styleOf({ color }: Brand): Html | null {
  if (color === null) return null;
  const [light, dark] = [readableOn(backgrounds.light, color), readableOn(backgrounds.dark, color)];
  return html`
:root { --accent: ${light}; --accent-hover: ${mixed(light, 0, 0.25)}; }
@media (prefers-color-scheme: dark) {
  :root { --accent: ${dark}; --accent-hover: ${mixed(dark, 255, 0.3)}; --on-accent: #10151b; }
}
`;
}

/** The element that follows the style of every page; null when the workspace has no colour. */
export function brandStyle(brand: Brand | null | undefined): Html | null {
  const style = brand ? styleOf(brand) : null;
  return style && html`\n<style>${style}</style>`;
}

/** The source that the policy of the page allows for that element. */
export function brandSource(brand: Brand | null | undefined): string | null {
  const style = brand ? styleOf(brand) : null;
  return style && contentSource(style.toString());
}

/** Without a text of its own: the name of the workspace follows it. */
export function logoView(brand: Brand | null | undefined): Html | null {
  const logo = brand?.logo;
  return logo ? html`<img class="logo" src="data:${logo.type};base64,${logo.content}" alt="">` : null;
}
