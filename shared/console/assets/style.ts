import { html } from '../../pages/html.ts';
import { partsStyle } from './partsStyle.ts';
import { roomsStyle } from './roomsStyle.ts';

/** Colours keep a contrast of 4.5 for text and 3 for edges and marks, in both schemes (WCAG 2.2 AA). */
export const consoleStyle = html`
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --line: #dfe3e8; --edge: #737d8a; --text: #1b2027;
  --soft: #545f6d; --accent: #0b57b5; --accent-hover: #08448f; --accent-back: #e8f0fb; --on-accent: #fff;
  --error: #b3261e; --error-back: #fdf0ef; --good: #1a6b3c; --good-back: #e9f5ee; --warn: #7a4b00; --warn-back: #fdf3e1;
  --bar: #3f7fd1; --bar-soft: #a9c7ee; --bar-bad: #c4473e; --bar-warn: #b97a12; --grid: #e6e9ee; }
@media (prefers-color-scheme: dark) {
  :root { --page: #12161b; --card: #1a2027; --line: #303944; --edge: #8b96a4; --text: #e9edf1; --soft: #aab4c0;
    --accent: #8ab8f7; --accent-hover: #b0d0fb; --accent-back: #1d2f48; --on-accent: #0c1c33; --error: #ffb4ab;
    --error-back: #3a2020; --good: #7fd3a2; --good-back: #17301f; --warn: #f2c274; --warn-back: #352711;
    --bar: #6ea6ee; --bar-soft: #31527f; --bar-bad: #ee8a80; --bar-warn: #e0ac52; --grid: #29313a; }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 4rem; }
body { margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
a { color: var(--accent); }
a:hover { color: var(--accent-hover); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
[hidden] { display: none !important; }
.skip { position: absolute; left: -100vw; z-index: 3; padding: .5rem 1rem; background: var(--card); }
.skip:focus { left: .5rem; top: .5rem; }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.side { background: var(--card); border-bottom: 1px solid var(--line); }
.who { display: flex; align-items: center; gap: .625rem; padding: .75rem 1.25rem .5rem; }
.who b { font-weight: 650; }
.who a { color: inherit; text-decoration: none; display: flex; gap: .625rem; align-items: center; min-width: 0; }
.mark { flex: none; width: 1.75rem; height: 1.75rem; border-radius: .4375rem; background: var(--accent); color: var(--on-accent); padding: .3125rem; }
.side ul { display: flex; gap: .125rem; margin: 0; padding: 0 .75rem .5rem; list-style: none; overflow-x: auto;
  scrollbar-width: thin; }
.side li a { display: flex; align-items: center; gap: .625rem; padding: .5rem .625rem; border-radius: .5rem; color: var(--soft);
  font-weight: 500; text-decoration: none; white-space: nowrap; min-height: 2.5rem; }
.side li a:hover { background: var(--page); color: var(--text); }
.side li a[aria-current] { background: var(--accent-back); color: var(--accent); font-weight: 600; }
.side svg { flex: none; width: 1.125rem; height: 1.125rem; }
.side .foot { display: none; }
main { padding: 1.25rem; max-width: 70rem; min-width: 0; }
.foot { color: var(--soft); font-size: .875rem; }
.foot form { display: inline; }
main ~ .foot { padding: 0 1.25rem 2rem; display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 14.5rem minmax(0, 1fr); grid-template-rows: 1fr auto; min-height: 100vh; }
  .side { grid-row: 1 / 3; position: sticky; top: 0; height: 100vh; border-bottom: 0; border-right: 1px solid var(--line);
    overflow-y: auto; display: flex; flex-direction: column; }
  .who { padding: 1.25rem 1.25rem 1rem; }
  .side ul { flex-direction: column; padding: 0 .75rem; overflow: visible; }
  main { padding: 2rem 2.5rem 2rem; }
  main ~ .foot { padding: 0 2.5rem 2rem; }
}
${partsStyle}
${roomsStyle}
`;
