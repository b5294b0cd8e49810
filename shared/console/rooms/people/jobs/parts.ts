import type { Job, JobState } from '../../../../domain/job/job.ts';
import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { type ConsoleCall, placeOf } from '../../../call.ts';
import { numberOf, type Tone, tag } from '../../../frame/parts.ts';
import { stateTexts } from './texts.ts';

const tones: Readonly<Record<JobState, Tone>> = {
  preparing: 'warn',
  running: 'plain',
  done: 'good',
  canceled: 'warn',
  failed: 'bad',
};

export const stateTag = (state: JobState, language: Language): Html => tag(stateTexts[state][language], tones[state]);

/** Of an export or an erasure. */
export const jobPath = (id: string): string => `/people/jobs/${encodeURIComponent(id)}`;

interface Figure {
  readonly name: string;
  readonly label: string;
  readonly value: number;
}

/** Figures that move while somebody looks, and by themselves where there is a script. */
export function liveFigures(call: ConsoleCall, job: Job, place: string, figures: readonly Figure[], bar?: Html): Html {
  const { language } = call;
  const live = job.state === 'running' ? html` data-live="${placeOf(call, `${place}/live`)}"` : null;
  const shown = figures.map(
    ({ name, label, value }) =>
      html`<div><dt>${label}</dt><dd data-figure="${name}">${numberOf(value, language)}</dd></div>`,
  );
  return html`<div${live} aria-live="off">${bar ?? null}<dl class="figures">${shown}</dl></div>`;
}
