import { createHash } from 'node:crypto';
import { type Brand, grounds, mixed, readableOn } from '../domain/workspace/brand.ts';
import { type Html, html } from './html.ts';

/** The workspace's colour in place of the service's: as it is on white, and as light as a dark page needs it. */
function styleOf({ color }: Brand): Html | null {
  if (color === null) return null;
  const [light, dark] = [readableOn(grounds.light, color), readableOn(grounds.dark, color)];
  return html`
:root { --accent: ${light}; --accent-hover: ${mixed(light, 0, 0.25)}; }
@media (prefers-color-scheme: dark) {
  :root { --accent: ${dark}; --accent-hover: ${mixed(dark, 255, 0.3)}; --on-accent: #10151b; }
}
`;
}

/** After the style of every page. */
export function brandStyle(brand: Brand | null | undefined): Html | null {
  const style = brand ? styleOf(brand) : null;
  return style && html`\n<style>${style}</style>`;
}

/** What the policy of the page must let in besides (CSP Level 3 section 8.1). */
export function brandSource(brand: Brand | null | undefined): string | null {
  const style = brand ? styleOf(brand) : null;
  return style && `'sha256-${createHash('sha256').update(style.toString()).digest('base64')}'`;
}

/** The name of the workspace follows, so the picture itself says nothing more. */
export function logoView(brand: Brand | null | undefined): Html | null {
  const logo = brand?.logo;
  return logo ? html`<img class="logo" src="data:${logo.type};base64,${logo.content}" alt="">` : null;
}
