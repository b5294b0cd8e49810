import { type AutomationStep, type ConnectionType, connectionsOf } from '../../../../domain/automation/automation.ts';
import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { numberOf } from '../../../layout/elements.ts';
import { branchTexts, drawingTexts as texts } from './automationTexts.ts';
import { type Flow, nextOf, stepWith } from './flow.ts';
import { type AutomationStats, numbersOf } from './stepNumbers.ts';
import { stepWords } from './stepWords.ts';

/** Where the forms of a step are; for an operator who may change the automation. */
interface StepLinks {
  edit(key: string): string;
  add(after: string, branch: ConnectionType): string;
}

interface DrawingOptions {
  readonly language: Language;
  readonly stats: AutomationStats;
  readonly links: StepLinks | null;
}

const anchorOf = (key: string): string => `step-${key}`;
const isBranching = (type: AutomationStep['type']): boolean => connectionsOf[type].length > 1;

/**
 * The steps as nested lists: a row of steps is one list, each branch a list inside its step. A style sheet draws lines
 * between them. A step to which several lead is shown once, and linked to from elsewhere.
 */
export function drawingOf(flow: Flow, { language, stats, links }: DrawingOptions): Html {
  const shown = new Set<string>();
  const countsOf = new Map(stats.steps.map((step) => [step.key, step]));

  const row = (first: string | undefined): Html => {
    const items: Html[] = [];
    for (let key = first; ; ) {
      const step = key === undefined ? undefined : stepWith(flow, key);
      if (!step) return listOf([...items, html`<li class="end">${branchTexts.ends[language]}</li>`]);
      if (shown.has(step.key)) return listOf([...items, jumpTo(step.key)]);
      shown.add(step.key);
      items.push(item(step));
      if (isBranching(step.type) || step.type === 'exit') return listOf(items);
      key = nextOf(flow, step.key, 'default');
    }
  };
  const item = (step: AutomationStep): Html => {
    const { key, type } = step;
    const edit =
      links && html` <a href="${links.edit(key)}">${texts.edit[language]}<span class="quiet"> ${key}</span></a>`;
    const counts = countsOf.get(key);
    const next = isBranching(type)
      ? html`<ul class="branches">${connectionsOf[type].map((branch) => branchOf(key, branch))}</ul>`
      : type === 'exit'
        ? null
        : adding(key, 'default');
    return html`<li class="kind-${type}" id="${anchorOf(key)}"><div class="step"><span class="key">${key}${edit}</span>
<span>${stepWords(step, language)}</span>${counts ? numbersOf(counts, language) : null}</div>${next}</li>
`;
  };
  const branchOf = (key: string, branch: ConnectionType): Html => {
    const taken = numberOf(countsOf.get(key)?.branches[branch] ?? 0, language);
    const which = branch === 'default' ? null : branchTexts[branch][language];
    return html`<li class="branch"><div class="which">${which} <span class="taken">${texts.taken[language]} <b>${taken}</b></span></div>${adding(key, branch)}${row(nextOf(flow, key, branch))}</li>`;
  };
  const adding = (key: string, branch: ConnectionType): Html | null =>
    links &&
    html`<p class="more"><a href="${links.add(key, branch)}">${texts.add[language]}<span class="quiet"> ${texts.after[language].replace('{x}', key)}${branch === 'default' ? '' : `, ${branchTexts[branch][language]}`}</span></a></p>`;
  const jumpTo = (key: string): Html =>
    html`<li class="jump"><a href="#${anchorOf(key)}">${branchTexts.goesOn[language].replace('{x}', key)}</a></li>`;
  const listOf = (items: readonly Html[]): Html => html`<ol>${items}</ol>`;

  return html`<div class="flow">${row(flow.steps[0]?.key)}</div>`;
}
