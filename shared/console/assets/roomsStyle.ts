import { html } from '../../pages/html.ts';

/** What single rooms have besides: the rule of a segment, columns of a file, lists without marks. */
export const roomsStyle = html`
.choice { display: grid; gap: .375rem; } .card-foot { margin-top: 1.25rem; }
.choice:not(:has(option[value=field]:checked)) input { display: none; }
.plainlist { margin: 0 0 .75rem; padding: 0; list-style: none; } .plainlist li { padding: .1875rem 0; }
.builder { grid-template-columns: minmax(0, 1fr); align-items: start; }
input:disabled, select:disabled { background: var(--page); border-style: dashed; opacity: 1; }
@media (min-width: 70rem) { .builder { grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); } }
.group { padding: .75rem 0 0 .875rem; border-inline-start: 3px solid var(--line); }
.group .row select { width: auto; max-width: 100%; } .group > .row { margin-bottom: .75rem; }
.condition { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 0 0 .75rem; }
.condition > select, .condition > input { flex: 1 1 8rem; min-width: 0; width: auto; }
.condition > .problem { flex: 1 1 100%; margin: 0; }
.condition:not(:has(option[value=field]:checked)) .of-field,
.condition:has(option[value=exists]:checked, option[value="not:exists"]:checked) .of-value { display: none; }
.words ul { margin: .25rem 0 .5rem; padding-inline-start: 1.25rem; }
[aria-busy=true] { opacity: .5; }
button.small, .button.small { min-height: 2rem; padding: .25rem .75rem; }
input[type=file] { padding: .4375rem; } input[type=color] { padding: .25rem; width: 5rem; }
.sample { display: block; width: 100%; max-width: 24rem; height: auto; margin: 0 0 .75rem; }
.logo { max-width: 12rem; max-height: 5rem; }
`;
