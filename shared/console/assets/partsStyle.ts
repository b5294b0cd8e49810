import { html } from '../../pages/html.ts';

/** What pages are made of: headings, cards, tables, forms, charts. */
export const partsStyle = html`
h1 { margin: 0; font-size: 1.625rem; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; text-wrap: balance; }
h2 { margin: 0 0 .75rem; font-size: 1.125rem; line-height: 1.3; font-weight: 650; }
h3 { margin: 1.25rem 0 .375rem; font-size: 1rem; }
p { margin: 0 0 .75rem; }
code, .code { font: .9em/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
.head { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: center; margin-bottom: 1.25rem; }
.head > div:first-child { flex: 1 1 16rem; min-width: 0; }
.crumb { margin: 0 0 .25rem; font-size: .9375rem; }
.lead { margin: .25rem 0 0; color: var(--soft); }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.card { margin: 0 0 1.25rem; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
.card > :last-child { margin-bottom: 0; }
.two { display: grid; gap: 0 1.25rem; }
@media (min-width: 48rem) { .two { grid-template-columns: 1fr 1fr; } .card.wide { grid-column: 1 / -1; } }
.soft { color: var(--soft); }
.small { font-size: .875rem; }
.num { text-align: end; font-variant-numeric: tabular-nums; }
.say { margin: 0 0 1.25rem; padding: .75rem 1rem; border-radius: .625rem; border: 1px solid; }
.say.good { color: var(--good); background: var(--good-back); }
.say.warn { color: var(--warn); background: var(--warn-back); }
.say.bad { color: var(--error); background: var(--error-back); }
.say p:last-child { margin: 0; }
.say a { color: inherit; font-weight: 600; }
.tag { display: inline-block; padding: .0625rem .5rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600;
  background: var(--page); color: var(--soft); border: 1px solid var(--line); white-space: nowrap; max-width: 13rem;
  overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; }
.tag.good { color: var(--good); background: var(--good-back); border-color: transparent; }
.tag.warn { color: var(--warn); background: var(--warn-back); border-color: transparent; }
.tag.bad { color: var(--error); background: var(--error-back); border-color: transparent; }
.scroll { position: relative; overflow-x: auto; margin: 0 -1.25rem; padding: 0 1.25rem; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: start; color: var(--soft); padding-bottom: .5rem; }
th, td { padding: .625rem 1rem .625rem 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
table { overflow-wrap: break-word; } table code { overflow-wrap: anywhere; } td, tbody th { min-width: 4.5rem; }
tbody th { min-width: 12rem; overflow-wrap: anywhere; }
table a { text-decoration: none; font-weight: 500; } table a:hover { text-decoration: underline; }
thead th { font-size: .8125rem; font-weight: 600; color: var(--soft); white-space: nowrap; }
tbody th { font-weight: 500; }
tr:last-child > * { border-bottom: 0; }
td time, td .tag { white-space: nowrap; }
dl.facts { display: grid; grid-template-columns: minmax(7rem, max-content) minmax(0, 1fr); gap: .5rem 1.25rem; margin: 0; }
dl.facts dt { color: var(--soft); }
dl.facts dd { margin: 0; }
@media (max-width: 30rem) { dl.facts { grid-template-columns: 1fr; gap: 0; } dl.facts dd { margin-bottom: .625rem; } }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: 1rem; margin: 0 0 1.25rem; padding: 0; }
.figures div { min-width: 0; }
.figures dt { color: var(--soft); font-size: .875rem; }
.figures dd { margin: 0; font-size: 1.625rem; line-height: 1.2; font-weight: 650; font-variant-numeric: tabular-nums; }
.figures dd small { display: block; font-size: .875rem; font-weight: 400; color: var(--soft); }
form.stack { max-width: 34rem; }
.field { margin: 0 0 1.125rem; min-width: 0; }
label, legend { display: block; margin: 0 0 .3125rem; padding: 0; font-weight: 600; }
fieldset { border: 0; margin: 0 0 1.125rem; padding: 0; min-width: 0; }
.hint { margin: 0 0 .3125rem; color: var(--soft); font-size: .875rem; }
input, select, textarea { display: block; width: 100%; min-height: 2.625rem; padding: .4375rem .75rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--edge); border-radius: .5rem; }
textarea { min-height: 7rem; }
input[type=checkbox], input[type=radio] { display: inline-block; width: 1.125rem; min-height: 1.125rem; margin: .1875rem .5rem 0 0; vertical-align: top; accent-color: var(--accent); }
.pick { display: flex; margin: 0 0 .375rem; font-weight: 400; }
.pick > input { flex: none; }
.pick small { display: block; color: var(--soft); }
[aria-invalid] { border: 2px solid var(--error); }
.problem { margin: .3125rem 0 0; color: var(--error); font-weight: 600; font-size: .9375rem; }
button, .button { display: inline-block; min-height: 2.625rem; padding: .5rem 1.125rem; font: inherit; font-weight: 600; text-align: center;
  text-decoration: none; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .5rem; cursor: pointer; }
button:hover, .button:hover { background: var(--accent-hover); border-color: var(--accent-hover); color: var(--on-accent); }
.button.plain, button.plain { color: var(--text); background: var(--card); border-color: var(--edge); }
.button.plain:hover, button.plain:hover { border-color: var(--accent); color: var(--accent); }
button.danger { background: var(--error); border-color: var(--error); color: var(--card); }
button.link { min-height: 1.5rem; padding: 0; color: var(--accent); background: none; border: 0; font-weight: 400; text-decoration: underline; }
.filters { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 0 0 1.25rem; }
.filters > div { flex: 1 1 9rem; max-width: 22rem; } .filters .field { margin: 0; }
.filters > .field { flex: 0 0 auto; } form.wide { max-width: 56rem; } fieldset .filters { margin: 0; }
.empty { padding: 2rem 1rem; text-align: center; color: var(--soft); }
.empty h2 { color: var(--text); }
.pager { margin: 1rem 0 0; display: flex; gap: .75rem; justify-content: space-between; align-items: center; }
.copy { display: flex; flex-wrap: wrap; gap: .375rem .5rem; align-items: start; }
.copy > :first-child { flex: 1 1 9rem; min-width: 0; }
pre { margin: 0 0 .75rem; padding: .75rem 1rem; overflow: auto; max-height: 24rem; background: var(--page); border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap; }
details > summary { cursor: pointer; min-height: 1.5rem; color: var(--accent); }
details[open] > summary { margin-bottom: .5rem; }
iframe { display: block; width: 100%; height: 40rem; border: 1px solid var(--line); border-radius: .5rem; background: #fff; }
.tabs { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 1.25rem; padding: 0; border-bottom: 1px solid var(--line); list-style: none; }
.tabs a { display: block; padding: .5rem 0; color: var(--soft); text-decoration: none; border-bottom: 2px solid transparent; margin-bottom: -1px; }
.tabs a[aria-current] { color: var(--text); font-weight: 600; border-color: var(--accent); }
.chart { display: block; width: 100%; max-width: 40rem; height: auto; overflow: visible; }
.chart text { font-size: 11px; fill: var(--soft); }
@media (max-width: 36rem) { .chart text { font-size: 19px; } .chart .second { display: none; } }
.chart line { stroke: var(--grid); stroke-width: 1; }
table.shares th, table.shares td { min-width: 0; } table.shares td:nth-child(2) { width: 60%; vertical-align: middle; }
table.shares th { font-weight: 500; width: 1%; white-space: nowrap; max-width: 14rem; overflow: hidden; text-overflow: ellipsis; }
table.shares td:last-child { width: 1%; white-space: nowrap; } table.shares .chart { height: .625rem; max-width: none; }
.button[aria-current] { border-color: var(--accent); color: var(--accent); background: var(--accent-back); }
.choices { margin: 0; padding: 0; list-style: none; } .choices a { display: block; padding: .625rem 0; font-weight: 600; }
.alone { grid-column: 1 / -1; width: 100%; max-width: 34rem; margin: 0 auto; padding: 3rem 1.25rem; } .alone h1 { margin-bottom: 1.25rem; }
.fill-bar { fill: var(--bar); } .fill-bar-soft { fill: var(--bar-soft); } .fill-bar-bad { fill: var(--bar-bad); } .fill-bar-warn { fill: var(--bar-warn); }
.zone-good { fill: var(--good); } .zone-warn { fill: var(--bar-warn); } .zone-bad { fill: var(--bar-bad); }
.zone-good, .zone-warn, .zone-bad { fill-opacity: .4; }
.needle { fill: var(--text); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0 0 .5rem; padding: 0; list-style: none; font-size: .875rem; color: var(--soft); }
.legend svg { width: .75rem; height: .75rem; margin-right: .375rem; }
progress { width: 100%; height: .625rem; accent-color: var(--accent); }
dialog { max-width: 26rem; width: calc(100% - 2rem); padding: 1.5rem; color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: .75rem; }
kbd { padding: .0625rem .4375rem; border: 1px solid var(--edge); border-radius: .3125rem; font: .875em/1.4 ui-monospace, Menlo, Consolas, monospace; }
@media (max-width: 44rem) {
  .list table, .list tbody, .list tr, .list th, .list td { display: block; }
  .list thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .list tr { padding: .75rem 0; border-bottom: 1px solid var(--line); } .list tr:last-child { border-bottom: 0; }
  .list th, .list td { padding: .125rem 0; border: 0; text-align: start; }
  .list td { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: .75rem; } .list td time { white-space: normal; }
  .list td:has(> div:empty) { display: none; } .list td .tag { white-space: normal; border-radius: .75rem; }
  .list td::before { content: attr(data-label); color: var(--soft); font-size: .875rem; }
}
.checks { margin: 0; padding: 0; list-style: none; }
.checks li { display: flex; gap: .75rem; align-items: baseline; padding: .5rem 0; border-bottom: 1px solid var(--line); }
.checks li:last-child { border-bottom: 0; } .checks .tag { flex: none; min-width: 5.5rem; text-align: center; }
/* What only a script does is not offered without one. */
@media (scripting: none) { [data-copy], [data-opens-help] { display: none; } }
@media (forced-colors: active) { .tag, .say { border: 1px solid; } }
@media (prefers-reduced-motion: no-preference) { button, .button, .side a { transition: background-color .12s, border-color .12s; } }
@media print {
  .side, .foot, .skip, .filters, .pager, .row form, .head .row, iframe, button, .button { display: none !important; }
  body { display: block; background: #fff; } main { padding: 0; max-width: none; }
  .card { break-inside: avoid; border-color: #bbb; }
}
`;
