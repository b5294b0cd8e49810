import { html } from '../../../pages/html.ts';

/** The editor: what is written on the left, how it looks on the right; below each other where there is no room. */
export const editorStyle = html`
main { max-width: none; }
.bar { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center;
  margin: 0 0 1.25rem; padding: .625rem 0; background: var(--page); }
.bar [data-status] { flex: 1 1 10rem; }
.bar [data-status].bad { color: var(--error); font-weight: 600; }
.halves { display: grid; gap: 0 1.25rem; max-width: 100rem; }
.pair { display: grid; gap: 0 1rem; }
.halves > *, .pair > *, .column { min-width: 0; }
@media (min-width: 30rem) { .pair { grid-template-columns: 1fr 1fr; align-items: start; } .column .pair { grid-template-columns: 1fr; } }
button:disabled { opacity: .45; cursor: default; }
.field:has(> .marks) { display: grid; grid-template-columns: 1fr auto; gap: 0 .5rem; }
.field:has(> .marks) > * { grid-column: 1 / -1; }
.field:has(> .marks) > label { grid-area: 1 / 1; }
.field > .marks { grid-area: 1 / 2; flex-wrap: nowrap; gap: .125rem; margin: 0 0 .25rem; }
.marks .tool { min-height: 1.5rem; min-width: 1.5rem; padding: 0 .4375rem; }
.pair .field > .marks { grid-area: 3 / 1; justify-self: start; flex-wrap: wrap; margin: .25rem 0 0 -.4375rem; }
.column .field > .marks { grid-area: 2 / 1; justify-self: start; margin-left: -.4375rem; } .column .marks { flex-wrap: wrap; }
@media (max-width: 34rem) { .field > .marks { grid-area: 2 / 1; justify-self: start; margin-left: -.4375rem; flex-wrap: wrap; }
  .tools .tool { min-width: 1.75rem; padding: .125rem; } .block { padding: .625rem; } .column { padding: .375rem; } }
[data-kind=heading] > fieldset > [data-inline] label, [data-kind=paragraph] > fieldset label { clip-path: inset(50%); height: 1px; width: 1px; margin: 0; overflow: hidden; white-space: nowrap; }
[data-kind=heading] > fieldset > .field { display: flex; gap: .75rem; align-items: center; margin: 0; }
[data-kind=heading] > fieldset > .field label { margin: 0; font-weight: 400; font-size: .875rem; color: var(--soft); }
[data-kind=heading] > fieldset > .field select { width: auto; min-height: 2.125rem; padding: .125rem .5rem; }
.blocks { margin: 0 0 .75rem; padding: 0; list-style: none; display: grid; gap: .75rem; }
.blocks:empty { margin: 0; }
.block { position: relative; padding: .75rem .875rem; border: 1px solid var(--line); border-radius: .625rem; background: var(--card); }
.block:focus-within { border-color: var(--accent); }
.block.dragged { opacity: .5; }
.block.before::before, .block.after::after { content: ''; position: absolute; left: 0; right: 0; height: 3px; border-radius: 2px; background: var(--accent); }
.block.before::before { top: -.5rem; } .block.after::after { bottom: -.5rem; }
.block fieldset { margin: 0; }
.block legend { float: left; margin: 0; font-size: .875rem; color: var(--soft); min-height: 2rem; line-height: 2rem; }
.block legend + .tools { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: .25rem; margin: 0 0 .375rem; min-height: 2rem; }
.tools + * { clear: both; }
.grip { cursor: grab; padding: .25rem .375rem .25rem 0; color: var(--soft); user-select: none; }
.tool { min-height: 2rem; min-width: 2rem; padding: .125rem .5rem; font-size: .875rem; font-weight: 500; line-height: 1.5; color: var(--text);
  background: none; border: 1px solid transparent; }
.tool svg { width: 1rem; height: 1rem; vertical-align: -.125rem; } .column .tools .tool { min-width: 1.625rem; padding: .125rem; }
.tool:hover { color: var(--accent); background: var(--accent-back); border-color: transparent; }
.block .field:last-child { margin-bottom: .25rem; }
.block textarea { min-height: 5rem; field-sizing: content; max-height: 30rem; }
.columns { display: grid; gap: .75rem; }
@media (min-width: 48rem) { .columns { grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); } }
.column { min-width: 0; padding: .625rem; border: 1px dashed var(--edge); border-radius: .625rem; }
.adder { display: flex; flex-wrap: wrap; gap: .375rem; align-items: center; }
button.small { min-height: 2.125rem; padding: .25rem .75rem; font-size: .875rem; }
button[aria-pressed=true] { border-color: var(--accent); color: var(--accent); background: var(--accent-back); }
.variant { margin: 0 0 1rem; padding: 0 0 1rem; border-bottom: 1px solid var(--line); }
.card > .row, .views { margin: 0 0 1rem; }
.as { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin: 0 0 1rem; }
.as .field { flex: 1 1 12rem; margin: 0; }
.shown iframe { height: 46rem; margin: 0 auto; }
.shown iframe.phone { max-width: 23.4375rem; }
.shown iframe.dark { background: #16181d; }
@media (max-width: 34rem) { .bar { gap: .375rem; } .bar button, .bar .button { min-height: 2.25rem; padding: .25rem .625rem; font-size: .875rem; }
  .bar [data-status] { flex-basis: 100%; } .shown, .block { scroll-margin-top: 8rem; } }
dialog .field { margin-bottom: .875rem; }
@media (min-width: 80rem) {
  .bar .toPreview { display: none; }
  .halves { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); align-items: start; }
  .shown { position: sticky; top: 4.25rem; max-height: calc(100vh - 5.5rem); overflow-y: auto; }
  .shown iframe { height: calc(100vh - 21rem); }
  /* A message is 600 px wide: four fifths of its size show it whole beside the form. */
  .shown iframe.desktop, .shown iframe.dark { width: 125%; height: calc((100vh - 21rem) * 1.25); margin: 0 0 calc((100vh - 21rem) * -.25);
    transform: scale(.8); transform-origin: 0 0; }
}
`;
