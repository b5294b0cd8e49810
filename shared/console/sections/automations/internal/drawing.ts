import type { AutomationStep, ConnectionType, StepConnection } from '../../../../domain/automation/automation.ts';
import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { branchTexts } from './automationTexts.ts';
import { stepWords } from './stepWords.ts';

interface Flow {
  readonly steps: readonly AutomationStep[];
  readonly connections: readonly StepConnection[];
}

/** The branches of a step, in the order in which they are drawn. */
const branchesOf: Readonly<Partial<Record<AutomationStep['type'], readonly Exclude<ConnectionType, 'default'>[]>>> = {
  condition: ['condition_met', 'condition_not_met'],
  wait_for_event: ['event_received', 'timeout'],
};

const anchorOf = (key: string): string => `step-${key}`;

/**
 * The steps as nested lists: a row of steps is one list, each branch a list inside its step. A style sheet draws lines
 * between them. A step to which several lead is shown once, and linked to from elsewhere.
 */
export function drawingOf({ steps, connections }: Flow, language: Language): Html {
  const shown = new Set<string>();
  const stepAt = (key: string) => steps.find((step) => step.key === key);
  const nextOf = (key: string, type: ConnectionType) =>
    connections.find((connection) => connection.from === key && connection.type === type)?.to;

  const row = (first: string | undefined): Html => {
    const items: Html[] = [];
    for (let key = first; ; ) {
      const step = key === undefined ? undefined : stepAt(key);
      if (!step) return listOf([...items, html`<li class="end">${branchTexts.ends[language]}</li>`]);
      if (shown.has(step.key)) return listOf([...items, jumpTo(step.key)]);
      shown.add(step.key);
      const branches = branchesOf[step.type];
      const inner = branches?.map(
        (type) =>
          html`<li class="branch"><span class="which">${branchTexts[type][language]}</span>${row(nextOf(step.key, type))}</li>`,
      );
      items.push(html`<li class="kind-${step.type}" id="${anchorOf(step.key)}"><div class="step"><span class="key">${step.key}</span>
<span>${stepWords(step, language)}</span></div>${inner ? html`<ul class="branches">${inner}</ul>` : null}</li>
`);
      if (branches || step.type === 'exit') return listOf(items);
      key = nextOf(step.key, 'default');
    }
  };
  const jumpTo = (key: string): Html =>
    html`<li class="jump"><a href="#${anchorOf(key)}">${branchTexts.goesOn[language].replace('{x}', key)}</a></li>`;
  const listOf = (items: readonly Html[]): Html => html`<ol>${items}</ol>`;

  return html`<div class="flow">${row(steps[0]?.key)}</div>`;
}
