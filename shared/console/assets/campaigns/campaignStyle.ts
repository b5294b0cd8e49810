import { html } from '../../../pages/html.ts';

/**
 * What the pages of one campaign have besides: room for what comes later, where a script will bring it; the report, on a
 * screen, a phone and paper.
 */
export const campaignStyle = html`
@media (scripting: enabled) {
  .later { min-height: 4.5rem; } .later.verdict { min-height: 4.375rem; }
  .later.agree { min-height: 8.25rem; } .later.lines { min-height: 6.75rem; }
}
@media (scripting: enabled) and (max-width: 44rem) { .later.lines { min-height: 11rem; } }
.later.steps { display: contents; } .later.verdict .say { margin-bottom: 1.25rem; }
.later[aria-busy=true] { opacity: 1; } .later progress { display: block; max-width: 20rem; margin-top: .5rem; }
.outcomes { display: flex; flex-wrap: wrap; gap: .375rem; margin: 0 0 1.25rem; padding: 0; list-style: none; }
.outcomes .button { font-weight: 500; } .outcomes .button[aria-current] .soft { color: inherit; }
.agents { display: grid; gap: 0 2rem; } .agents h3 { margin-top: 0; } .agents .shares { margin-bottom: 1rem; }
@media (min-width: 48rem) { .agents { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
.agents .shares th { max-width: 9rem; } .two > .card > .chart { max-width: none; } iframe.small { height: 26rem; }
@media print {
  .card.screen, main .crumb { display: none; } main .two { grid-template-columns: 1fr; } h2 { break-after: avoid; }
  table.shares a, .list a { color: inherit; text-decoration: none; }
}
.later.variants { margin-bottom: .75rem; }
@media (max-width: 30rem) {
  main .figures { grid-template-columns: repeat(auto-fit, minmax(6rem, 1fr)); }
  table.shares tr { display: grid; grid-template-columns: 1fr auto; padding: .375rem 0; border-bottom: 1px solid var(--line); }
  table.shares tr:last-child { border-bottom: 0; }
  table.shares th, table.shares td { width: auto; padding: .125rem 0; border: 0; }
  table.shares td:nth-child(2) { grid-row: 2; grid-column: 1 / -1; width: auto; }
}
.say.wait { color: var(--soft); background: var(--card); border-color: var(--line); }
`;
