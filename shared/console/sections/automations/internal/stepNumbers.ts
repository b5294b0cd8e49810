import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import type { automationStats } from '../../../../services/runs/readRuns.ts';
import { numberOf } from '../../../layout/elements.ts';
import { drawingTexts as texts } from './automationTexts.ts';

export type AutomationStats = Awaited<ReturnType<typeof automationStats>>;
type StepStats = AutomationStats['steps'][number];

type Figure = readonly [name: keyof typeof texts, count: number];

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, one) => sum + one, 0);

/** What became of the runs at a step, each number behind its name: read aloud, it is the same list. */
export function numbersOf(
  { entered, waiting, completed, skipped, failed, left, email }: StepStats,
  language: Language,
): Html {
  const unusual: readonly Figure[] = [
    ['skipped', sumOf(skipped)],
    ['failed', failed],
    ['left', left],
  ];
  const figures: readonly Figure[] = [
    ['entered', entered],
    ['waiting', waiting],
    ['completed', completed],
    ...unusual.filter(([, count]) => count > 0),
  ];
  const messages: readonly Figure[] = email
    ? [
        ['sent', email.sent],
        ...(email.unknown > 0 ? ([['unknown', email.unknown]] as const) : []),
        ['opened', email.opened],
        ['clicked', email.clicked],
      ]
    : [];
  return html`${listOf(figures, language)}${messages.length > 0 ? listOf(messages, language) : null}`;
}

const bad: readonly Figure[0][] = ['skipped', 'failed'];

const listOf = (figures: readonly Figure[], language: Language): Html =>
  html`<ul class="numbers">${figures.map(
    ([name, count]) =>
      html`<li${bad.includes(name) ? html` class="bad"` : null}>${texts[name][language]} <b>${numberOf(count, language)}</b></li>`,
  )}</ul>`;

/** The runs of a version, in one sentence. */
export function runsOf({ version, runs }: AutomationStats, language: Language): string {
  const { started, running, completed, cancelled, failed } = runs;
  const values = { version, started, running, completed, cancelled, failed };
  const sentence = started === 0 ? texts.noRuns : texts.runs;
  return sentence[language].replace(/\{(\w+)\}/g, (_, name: keyof typeof values) => numberOf(values[name], language));
}
