import { ServiceError, ValidationError } from '../../../../contract/errors.ts';
import type { Job } from '../../../../domain/job/job.ts';
import type { ImportWork } from '../../../../domain/job/work.ts';
import { html } from '../../../../pages/html.ts';
import { isComplete } from '../../../../services/imports/background/addPiece.ts';
import { beginImport } from '../../../../services/imports/background/begin.ts';
import { lookAtImport } from '../../../../services/imports/background/look.ts';
import { importReport } from '../../../../services/imports/background/report.ts';
import { cancelJob } from '../../../../services/jobs/cancel.ts';
import { getJob } from '../../../../services/jobs/get.ts';
import { liveFiles } from '../../../assets/islands.ts';
import { type ConsoleCall, type ConsoleReply, dataOf, may, placeOf, redirect } from '../../../call.ts';
import { type Filled, untouched } from '../../../frame/form.ts';
import { pageOf } from '../../../frame/layout.ts';
import { buttonOf, cardOf, linkButton, numberOf } from '../../../frame/parts.ts';
import { submitted } from '../../../frame/submit.ts';
import { liveFigures, stateTag } from '../jobs/parts.ts';
import { jobTexts } from '../jobs/texts.ts';
import { checkPage } from './check.ts';
import { columnsPage, parentOf } from './columns.ts';
import { importTexts as texts } from './texts.ts';
import { importPath, showImports } from './upload.ts';

async function importOf({ context, parameters }: ConsoleCall): Promise<Job<ImportWork>> {
  const { work, ...job } = await getJob(context, { id: parameters.id ?? '' });
  if (work.kind !== 'import') throw new ServiceError('not_found');
  return { ...job, work };
}

/** Whatever is next: the rest of the file, what its columns are, what would become of it, what became of it. */
export async function showImport(call: ConsoleCall): Promise<ConsoleReply> {
  const job = await importOf(call);
  if (job.state !== 'preparing') return progressPage(call, job);
  if (!isComplete(job.work)) return waitingPage(call, job);
  try {
    const looked = await lookAtImport(call.context, { id: job.id });
    const isPlanned = job.work.columns !== null && call.query.get('step') === 'check';
    return isPlanned ? checkPage(call, looked) : columnsPage(call, looked, untouched);
  } catch (error) {
    // Not a file that can be imported: another is chosen on the page where this one was.
    if (!(error instanceof ServiceError) || error.code !== 'validation_error') throw error;
    const issues = error instanceof ValidationError ? error.issues : [{ path: 'file', text: error.text }];
    return showImports(call, job.work.suppressAs === null ? 'people' : 'suppression', { ...untouched, issues });
  }
}

function waitingPage(call: ConsoleCall, { work }: Job<ImportWork>): ConsoleReply {
  const { language } = call;
  const parent = parentOf(call, work.suppressAs !== null);
  return pageOf(call, {
    room: work.suppressAs === null ? 'people' : 'suppression',
    parent,
    title: work.filename,
    body: cardOf(
      null,
      html`<p>${texts.waiting[language]}</p>${linkButton(texts.again[language], placeOf(call, parent.path), '')}`,
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
  const said = isRunning
    ? html`<p class="soft">${texts.goesOn[language]}</p>`
    : state === 'failed'
      ? html`<div class="say bad"><p>${texts.failed[language].replace('{why}', () => failure ?? '')}</p></div>`
      : state === 'canceled'
        ? html`<p class="soft">${texts.isCanceled[language]}</p>`
        : null;
  const hasReport = (state === 'done' || state === 'failed') && work.progress.refused > 0 && may(call, 'change');
  const report = hasReport
    ? html`<p>${linkButton(texts.report[language], placeOf(call, `${importPath(id)}/refused`))}</p><p class="soft small">${texts.reportKept[language]}</p>`
    : null;
  return pageOf(call, {
    room: work.suppressAs === null ? 'people' : 'suppression',
    parent: parentOf(call, work.suppressAs !== null),
    title: work.filename,
    lead: html`${stateTag(state, language)} <span class="soft">${jobTexts.by[language]} <bdi>${job.by.name}</bdi></span>`,
    actions: cancel,
    body: cardOf(null, html`${said}${liveFigures(call, job, importPath(id), figures, bar)}${report}`),
    files: liveFiles,
  });
}

/** For the script that looks again from time to time: one read of the table. */
export async function liveImport(call: ConsoleCall): Promise<ConsoleReply> {
  const { state, work } = await importOf(call);
  const figures = figuresOfImport(work).map(([name]) => [name, numberOf(work.progress[name], call.language)] as const);
  return dataOf({
    figures: Object.fromEntries(figures),
    bars: { bytes: { value: work.progress.offset, max: work.bytes } },
    isEnded: state !== 'running',
  });
}

/** What was on the page that the button stood on; another plan is looked at first. */
export async function beginOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, parameters } = call;
  const { id = '' } = parameters;
  const act = async () => {
    await beginImport(context, { id, seen: Number(form.get('seen')) });
    return redirect(placeOf(call, importPath(id)));
  };
  return submitted(call, act, (filled) => showPlan(call, filled));
}

/** As it is planned by now. */
async function showPlan(call: ConsoleCall, filled: Filled): Promise<ConsoleReply> {
  const job = await importOf(call);
  if (job.state !== 'preparing') return progressPage(call, job);
  const looked = await lookAtImport(call.context, { id: job.id });
  return looked.job.work.columns === null ? columnsPage(call, looked, filled) : checkPage(call, looked, filled);
}

export async function cancelOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { id } = await cancelJob(call.context, { id: call.parameters.id ?? '' });
  return redirect(placeOf(call, importPath(id)));
}

export async function reportOne(call: ConsoleCall): Promise<ConsoleReply> {
  return redirect(await importReport(call.context, { id: call.parameters.id ?? '' }));
}
