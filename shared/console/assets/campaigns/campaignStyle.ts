import { html } from '../../../pages/html.ts';

/** What the pages of one campaign have besides: room for what comes later, where a script will bring it. */
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
.say.wait { color: var(--soft); background: var(--card); border-color: var(--line); }
`;
