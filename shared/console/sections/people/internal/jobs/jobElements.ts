import type { ExportWork, Job, JobState } from '../../../../../domain/job.ts';
import type { Language } from '../../../../../language/languages.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import type { ConsoleCall } from '../../../../call.ts';
import { numberOf, type Tone, tag } from '../../../../layout/elements.ts';
import { pathOf } from '../../../../paths.ts';
import { statusTexts } from '../peopleTexts.ts';
import { stateTexts, jobTexts as texts } from './jobTexts.ts';

const tones: Readonly<Record<JobState, Tone>> = {
  preparing: 'warn',
  running: 'plain',
  done: 'good',
  canceled: 'warn',
  failed: 'bad',
};

export const stateTag = (state: JobState, language: Language): Html => tag(stateTexts[state][language], tones[state]);

/** The page of an export or an erasure. */
export const jobPath = (id: string): string => `/people/jobs/${encodeURIComponent(id)}`;

interface Figure {
  readonly name: string;
  readonly label: string;
  readonly value: number;
}

/** Figures that the script updates while the job runs. */
export function liveFigures(call: ConsoleCall, job: Job, place: string, figures: readonly Figure[], bar?: Html): Html {
  const { language } = call;
  const live = job.state === 'running' ? html` data-live="${pathOf(call, `${place}/live`)}"` : null;
  const shown = figures.map(
    ({ name, label, value }) =>
      html`<div><dt>${label}</dt><dd data-figure="${name}">${numberOf(value, language)}</dd></div>`,
  );
  return html`<div${live} aria-live="off">${bar ?? null}<dl class="figures">${shown}</dl></div>`;
}

export function whom({ status, segmentName }: ExportWork, language: ConsoleCall['language']): string {
  if (segmentName !== null) return texts.ofSegment[language].replace('{name}', () => segmentName);
  if (status !== null) return texts.ofStatus[language].replace('{name}', () => statusTexts[status][language]);
  return texts.everybody[language];
}
