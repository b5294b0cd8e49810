import { ServiceError, ValidationError } from '../../../../../contract/errors.ts';
import type { ImportWork, Job } from '../../../../../domain/job.ts';
import { html } from '../../../../../pages/html.ts';
import { beginImport, importReport, isUploadComplete } from '../../../../../services/imports/importJob.ts';
import { type ImportPreview, previewImport } from '../../../../../services/imports/previewImport.ts';
import { cancelJob, getJob } from '../../../../../services/jobs/jobs.ts';
import { type ConsoleCall, type ConsoleReply, dataOf, may, redirect } from '../../../../call.ts';
import { buttonOf, cardOf, linkButton, numberOf, type Tone, tableOf, tag } from '../../../../layout/elements.ts';
import { emptyForm, type FormState, submitForm } from '../../../../layout/form.ts';
import { pageOf } from '../../../../layout/page.ts';
import { pathOf } from '../../../../paths.ts';
import { liveFigures, stateTag } from '../jobs/jobElements.ts';
import { jobTexts } from '../jobs/jobTexts.ts';
import { columnsPage, parentOf } from './columns.ts';
import { columnTexts, outcomeTexts, importTexts as texts } from './importTexts.ts';
import { importPath, showImports } from './upload.ts';

async function importOf({ context, parameters }: ConsoleCall): Promise<Job<ImportWork>> {
  const { work, ...job } = await getJob(context, { id: parameters.id ?? '' });
  if (work.kind !== 'import') throw new ServiceError('not_found');
  return { ...job, work };
}

/** The page of the current step: upload, columns, check, or progress and result. */
export async function showImport(call: ConsoleCall): Promise<ConsoleReply> {
  const job = await importOf(call);
  if (job.state !== 'preparing') return progressPage(call, job);
  if (!isUploadComplete(job.work)) return waitingPage(call, job);
  try {
    const looked = await previewImport(call.context, { id: job.id });
    const isPlanned = job.work.columns !== null && call.query.get('step') === 'check';
    return isPlanned ? checkPage(call, looked) : columnsPage(call, looked, emptyForm);
  } catch (error) {
    // A file that cannot be imported: the upload page lets the operator choose another one.
    if (!(error instanceof ServiceError) || error.code !== 'validation_error') throw error;
    const issues = error instanceof ValidationError ? error.issues : [{ path: 'file', text: error.text }];
    return showImports(call, job.work.suppressAs === null ? 'people' : 'suppression', { ...emptyForm, issues });
  }
}

function waitingPage(call: ConsoleCall, { work }: Job<ImportWork>): ConsoleReply {
  const { language } = call;
  const parent = parentOf(call, work.suppressAs !== null);
  return pageOf(call, {
    section: work.suppressAs === null ? 'people' : 'suppression',
    parent,
    title: work.filename,
    body: cardOf(
      null,
      html`<p>${texts.waiting[language]}</p>${linkButton(texts.again[language], pathOf(call, parent.path), '')}`,
    ),
  });
}

const figuresOfImport = ({ suppressAs }: ImportWork) =>
  [
    ['rows', texts.lines],
    ...(suppressAs === null
      ? ([
          ['added', texts.added],
          ['updated', texts.updated],
        ] as const)
      : []),
    ['suppressed', texts.suppressed],
    ['refused', texts.refused],
  ] as const;

function progressPage(call: ConsoleCall, job: Job<ImportWork>): ConsoleReply {
  const { language } = call;
  const { id, state, work, failure } = job;
  const isRunning = state === 'running';
  const bar = isRunning
    ? html`<p><progress data-bar="bytes" max="${work.bytes}" value="${work.progress.offset}" aria-label="${texts.progress[language]}"></progress></p>`
    : html``;
  const figures = figuresOfImport(work).map(([name, label]) => ({
    name,
    label: label[language],
    value: work.progress[name],
  }));
  const cancel =
    isRunning && may(call, 'change') ? buttonOf(call, `${importPath(id)}/cancel`, texts.cancel[language]) : null;
  const statusText = isRunning
    ? html`<p class="soft">${texts.goesOn[language]}</p>`
    : state === 'failed'
      ? html`<div class="say bad"><p>${texts.failed[language].replace('{why}', () => failure ?? '')}</p></div>`
      : state === 'canceled'
        ? html`<p class="soft">${texts.isCanceled[language]}</p>`
        : null;
  const hasReport = (state === 'done' || state === 'failed') && work.progress.refused > 0 && may(call, 'change');
  const report = hasReport
    ? html`<p>${linkButton(texts.report[language], pathOf(call, `${importPath(id)}/refused`))}</p><p class="soft small">${texts.reportKept[language]}</p>`
    : null;
  return pageOf(call, {
    section: work.suppressAs === null ? 'people' : 'suppression',
    parent: parentOf(call, work.suppressAs !== null),
    title: work.filename,
    lead: html`${stateTag(state, language)} <span class="soft">${jobTexts.by[language]} <bdi>${job.by.name}</bdi></span>`,
    actions: cancel,
    body: cardOf(null, html`${statusText}${liveFigures(call, job, importPath(id), figures, bar)}${report}`),
    files: { script: 'live.js' },
  });
}

/** For the script, which polls: one read of the table. */
export async function liveImport(call: ConsoleCall): Promise<ConsoleReply> {
  const { state, work } = await importOf(call);
  const figures = figuresOfImport(work).map(([name]) => [name, numberOf(work.progress[name], call.language)] as const);
  return dataOf({
    figures: Object.fromEntries(figures),
    bars: { bytes: { value: work.progress.offset, max: work.bytes } },
    isEnded: state !== 'running',
  });
}

/** Starts the plan that the operator saw. A plan that has changed since is shown again first. */
export async function beginOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, parameters } = call;
  const { id = '' } = parameters;
  const act = async () => {
    await beginImport(context, { id, seen: Number(form.get('seen')) });
    return redirect(pathOf(call, importPath(id)));
  };
  return submitForm(call, act, (filled) => showPlan(call, filled));
}

/** The current plan. */
async function showPlan(call: ConsoleCall, filled: FormState): Promise<ConsoleReply> {
  const job = await importOf(call);
  if (job.state !== 'preparing') return progressPage(call, job);
  const looked = await previewImport(call.context, { id: job.id });
  return looked.job.work.columns === null ? columnsPage(call, looked, filled) : checkPage(call, looked, filled);
}

export async function stopImport(call: ConsoleCall): Promise<ConsoleReply> {
  const { id } = await cancelJob(call.context, { id: call.parameters.id ?? '' });
  return redirect(pathOf(call, importPath(id)));
}

export async function reportOne(call: ConsoleCall): Promise<ConsoleReply> {
  return redirect(await importReport(call.context, { id: call.parameters.id ?? '' }));
}

const tones: Readonly<Record<keyof typeof outcomeTexts, Tone>> = {
  subscribed: 'good',
  asked: 'warn',
  updated: 'plain',
  suppressed: 'warn',
  refused: 'bad',
};

/** The first lines with their expected outcomes, the number of lines, and the button that starts the import. */
function checkPage(
  call: ConsoleCall,
  { job, rows, lines, columns }: ImportPreview,
  filled: FormState = emptyForm,
): ConsoleReply {
  const { language } = call;
  const isSuppression = job.work.suppressAs !== null;
  const email = columns.findIndex(({ kind }) => kind === 'email');
  const labels = [columnTexts.email, texts.line, texts.outcome, texts.reasonWhy];
  const heads = labels.map((label, index) => ({ label: label[language], isNumber: index === 1 }));
  const shown = rows.map(({ line, cells, outcome, reason }) => [
    html`<bdi>${cells[email] || '–'}</bdi>`,
    numberOf(line, language),
    tag(outcomeTexts[outcome][language], tones[outcome]),
    reason === null ? '' : reason[language],
  ]);
  const count = (lines.isExact ? texts.exactly : texts.roughly)[language].replace(
    '{count}',
    numberOf(lines.count, language),
  );
  const consequence = isSuppression ? texts.beginSuppress : job.work.consentGiven ? texts.beginGiven : texts.beginAsk;
  const path = importPath(job.id);
  const act = may(call, 'change')
    ? html`<div class="row">${buttonOf(call, `${path}/begin`, texts.begin[language], { className: '', hidden: { seen: String(job.revision) } })}${linkButton(texts.back[language], pathOf(call, path))}</div>`
    : null;
  const refusal =
    filled.issues.length > 0
      ? html`<div class="say bad" role="alert">${filled.issues.map(({ text }) => html`<p>${text[language]}</p>`)}</div>`
      : null;
  return pageOf(call, {
    section: isSuppression ? 'suppression' : 'people',
    parent: parentOf(call, isSuppression),
    title: texts.checkTitle[language],
    lead: html`<bdi>${texts.checkLead[language].replace('{name}', () => job.work.filename)}</bdi>`,
    body: html`${refusal}${cardOf(null, tableOf(texts.checkTitle[language], heads, shown))}
${cardOf(null, html`<p><b>${count}</b> ${consequence[language]}</p>${isSuppression ? null : html`<p class="soft">${texts.goneStay[language]}</p>`}${act}`)}`,
    status: refusal ? 409 : 200,
    isWrong: refusal !== null,
  });
}
