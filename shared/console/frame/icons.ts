import { type Html, html } from '../../pages/html.ts';

/** Drawn on a grid of 24, with the colour and the size of what they stand beside; they say nothing to a screen reader. */
const icon = (path: Html): Html =>
  html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${path}</svg>`;

export const icons = {
  mark: icon(html`<path d="M3 6h18v12H3z"/><path d="m3 7 9 7 9-7"/>`),
  overview: icon(html`<path d="M4 20V10M10 20V4M16 20v-8M21 20H3"/>`),
  emails: icon(html`<path d="M4 4h16v16H4zM4 13h5l1.5 3h3L15 13h5"/>`),
  people: icon(
    html`<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20a6.5 6.5 0 0 1 13 0M16 5a3.5 3.5 0 0 1 0 6.5M18 14.5a6.5 6.5 0 0 1 3.5 5.5"/>`,
  ),
  segments: icon(html`<path d="M3 5h18l-7 8v6l-4-2v-4z"/>`),
  campaigns: icon(html`<path d="M21 3 3 10.5l7 3.5 3.5 7z"/><path d="m21 3-11 11"/>`),
  suppression: icon(html`<circle cx="12" cy="12" r="9"/><path d="m5.7 5.7 12.6 12.6"/>`),
  webhooks: icon(html`<path d="M9 7 4 12l5 5M15 7l5 5-5 5"/>`),
  domains: icon(html`<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18"/>`),
  settings: icon(
    html`<path d="M4 7h10M18 7h2M4 17h2M10 17h10"/><circle cx="16" cy="7" r="2"/><circle cx="8" cy="17" r="2"/>`,
  ),
} as const;
