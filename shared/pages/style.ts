import { createHash } from 'node:crypto';
import { html } from './html.ts';

/** Colours keep a contrast of 4.5 for text and 3 for borders (WCAG 2.2 AA). Sizes follow the reader's own text size. */
export const styleSheet = html`
:root { color-scheme: light dark; --page: #eef1f4; --card: #fff; --line: #d5dae1; --edge: #737d8a; --text: #1b2027;
  --soft: #4c5664; --accent: #0b57b5; --accent-hover: #08448f; --on-accent: #fff; --error: #b3261e; --error-back: #fdf0ef; }
@media (prefers-color-scheme: dark) {
  :root { --page: #12161b; --card: #1b2127; --line: #333c46; --edge: #8b96a4; --text: #e9edf1; --soft: #aab4c0;
    --accent: #8ab8f7; --accent-hover: #b0d0fb; --on-accent: #0c1c33; --error: #ffb4ab; --error-back: #3a2020; }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center; background: var(--page);
  color: var(--text); font: 1.0625rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
.card { width: 100%; max-width: 34rem; flex: 1; padding: 1.5rem 1.25rem 2rem; background: var(--card);
  overflow-wrap: anywhere; }
header { margin-bottom: 1.5rem; padding-bottom: 1rem; border-bottom: 1px solid var(--line); }
.logo { display: block; max-width: 100%; max-height: 3.5rem; margin: 0 0 .75rem; }
h1, h2 { margin: 0; text-wrap: balance; }
header h1 { font-size: 1.0625rem; font-weight: 600; color: var(--soft); }
main h1, h2 { font-size: 1.625rem; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; }
p { margin: .875rem 0 0; }
bdi { font-weight: 600; }
form { margin: 1.75rem 0 0; }
.field { margin: 0 0 1.25rem; }
label { display: block; margin: 0 0 .375rem; font-weight: 600; }
input, select { display: block; width: 100%; min-height: 2.875rem; padding: .5rem .75rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--edge); border-radius: .5rem; }
fieldset { margin: 0 0 1.25rem; padding: 0; border: 0; }
legend { margin: 0 0 .25rem; padding: 0; font-weight: 600; }
.choice { display: flex; align-items: flex-start; gap: .625rem; margin: .5rem 0 0; }
.choice input { flex: none; width: 1.5rem; min-height: 1.5rem; margin: 0; }
.choice label { margin: 0; font-weight: 400; }
input[aria-invalid] { border: 2px solid var(--error); }
.problem { margin: .375rem 0 0; color: var(--error); font-weight: 600; }
.alert { margin: 1.25rem 0 0; padding: .75rem 1rem; color: var(--error); background: var(--error-back);
  border: 1px solid var(--error); border-radius: .5rem; }
button, .button { display: inline-block; width: 100%; min-height: 3rem; padding: .6875rem 1.5rem; font: inherit;
  font-weight: 600; text-align: center; text-decoration: none; color: var(--on-accent); background: var(--accent);
  border: 1px solid var(--accent); border-radius: .5rem; cursor: pointer; }
.button { color: var(--accent); background: transparent; }
button:hover { background: var(--accent-hover); border-color: var(--accent-hover); }
.button:hover { color: var(--accent-hover); background: transparent; border-color: var(--accent-hover); text-decoration: underline; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
a { color: var(--accent); }
.note { font-size: .9375rem; }
.actions { margin: 1.75rem 0 0; }
.places { margin: 1.75rem 0 0; }
dt { margin: 1rem 0 0; font-weight: 600; }
dd { margin: .125rem 0 0; }
dd a { color: var(--accent); }
.trap { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (min-width: 36rem) {
  body { padding: 3rem 1.5rem; }
  .card { flex: none; padding: 2.25rem 2.5rem 2.5rem; border: 1px solid var(--line); border-radius: .875rem; }
  button, .button { width: auto; }
}
`;

/** The one style that the policy of a page lets in (CSP Level 3 section 8.1). */
export const styleSource = `'sha256-${createHash('sha256').update(styleSheet.toString()).digest('base64')}'`;
