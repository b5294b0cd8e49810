import { ServiceError, ValidationError } from '../../../../../contract/errors.ts';
import { canonicalAddress } from '../../../../../domain/address.ts';
import type { ErasureWork, Job } from '../../../../../domain/job.ts';
import { hashOfPseudonym } from '../../../../../domain/person/erased.ts';
import type { Text } from '../../../../../language/text.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import type { Context } from '../../../../../services/context.ts';
import { isExportKept } from '../../../../../services/jobs/exportFile.ts';
import { cancelJob, getJob } from '../../../../../services/jobs/jobs.ts';
import { personSubject } from '../../../../../services/operatorVerb.ts';
import { startErasure } from '../../../../../services/rights/rightsJobs.ts';
import { type ConsoleCall, type ConsoleReply, dataOf, may, redirect } from '../../../../call.ts';
import { buttonOf, cardOf, linkButton, numberOf } from '../../../../layout/elements.ts';
import { emptyForm, type FormState, field, formOf, submitForm } from '../../../../layout/form.ts';
import { layoutTexts } from '../../../../layout/layoutTexts.ts';
import { pageOf } from '../../../../layout/page.ts';
import { pathOf } from '../../../../paths.ts';
import { jobPath, liveFigures, stateTag, whom } from './jobElements.ts';
import { jobTexts as texts } from './jobTexts.ts';

/** The page of an export or an erasure. */
export async function showJob(call: ConsoleCall, filled: FormState = emptyForm): Promise<ConsoleReply> {
  const { context, language, parameters } = call;
  const job = await getJob(context, { id: parameters.id ?? '' });
  const { work, state, by, id } = job;
  if (work.kind === 'import') throw new ServiceError('not_found');
  const title =
    work.kind === 'export'
      ? whom(work, language)
      : (work.kind === 'erasure' ? texts.erasureTitle : texts.personTitle)[language];
  const isErasure = work.kind === 'erasure';
  const hasFailed = isErasure && state === 'failed';
  const canCancel = state === 'running' && !isErasure && may(call, 'change');
  return pageOf(call, {
    section: 'people',
    parent: isErasure
      ? { label: layoutTexts.people[language], path: '/people' }
      : { label: texts.exportTitle[language], path: '/people/export' },
    title,
    lead: html`${stateTag(state, language)} <span class="soft">${texts.by[language]} <bdi>${by.name}</bdi></span>`,
    actions: canCancel ? buttonOf(call, `${jobPath(id)}/cancel`, texts.cancel[language]) : null,
    body: cardOf(
      null,
      html`${statusText(call, job)}${liveFigures(call, job, jobPath(id), figuresOf(call, job))}${hasFailed ? eraseAgainForm(call, job, filled) : null}`,
    ),
    files: { script: 'live.js' },
    status: filled.issues.length > 0 ? 422 : 200,
    isWrong: filled.issues.length > 0,
  });
}

function figuresOf({ language }: ConsoleCall, { work }: Job) {
  const all: readonly (readonly [string, Text, number])[] =
    work.kind === 'import'
      ? []
      : [
          ...(work.kind === 'erasure' ? [['scanned', texts.scanned, work.scanned] as const] : []),
          ['records', work.kind === 'export' ? texts.people : texts.records, work.records],
        ];
  return all.map(([name, label, value]) => ({ name, label: label[language], value }));
}

function statusText(call: ConsoleCall, { id, work, state, failure, endedAt }: Job): Html | null {
  const { language, context } = call;
  if (state === 'failed') {
    return html`<div class="say bad"><p>${texts.failed[language].replace('{why}', () => failure ?? '')}</p></div>`;
  }
  if (work.kind === 'erasure') {
    return state === 'done'
      ? html`<p>${texts.erased[language]} <code>${work.alias ?? ''}</code></p>`
      : html`<p>${texts.erasing[language]}</p><p class="soft">${texts.goesOn[language]}</p>`;
  }
  if (state === 'running') return html`<p class="soft">${texts.goesOn[language]}</p>`;
  if (state !== 'done') return null;
  if (!isExportKept(endedAt, context.now)) return html`<p class="soft">${texts.gone[language]}</p>`;
  return may(call, 'change')
    ? html`<p>${linkButton(texts.download[language], pathOf(call, `${jobPath(id)}/file`), '')}</p><p class="soft small">${texts.kept[language]}</p>`
    : null;
}

/** For the script, which polls: one read of the table. */
export async function liveJob(call: ConsoleCall): Promise<ConsoleReply> {
  const job = await getJob(call.context, { id: call.parameters.id ?? '' });
  const figures = figuresOf(call, job).map(({ name, value }) => [name, numberOf(value, call.language)]);
  return dataOf({ figures: Object.fromEntries(figures), isEnded: job.state !== 'running' });
}

export async function stopJob(call: ConsoleCall): Promise<ConsoleReply> {
  const { id } = await cancelJob(call.context, { id: call.parameters.id ?? '' });
  return redirect(pathOf(call, jobPath(id)));
}

export async function eraseOneAgain(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, parameters } = call;
  const { work } = await getJob(context, { id: parameters.id ?? '' });
  if (work.kind !== 'erasure') throw new ServiceError('not_found');
  const act = async () => {
    const { id } = await eraseAgain(context, work, form.get('typed') ?? '');
    return redirect(pathOf(call, jobPath(id)));
  };
  return submitForm(call, act, (filled) => showJob(call, filled));
}

/** Shown for a failed erasure. The address has to be entered again because the job does not keep it. */
function eraseAgainForm(call: ConsoleCall, { id }: Pick<Job, 'id'>, filled: FormState): Html {
  const { language } = call;
  const form = formOf(
    call,
    { action: pathOf(call, `${jobPath(id)}/erase`) },
    html`${field(filled, language, { name: 'typed', label: texts.address[language], type: 'email' })}<button>${texts.eraseAgain[language]}</button>`,
  );
  return html`<p>${texts.leftOver[language]}</p>${may(call, 'own') ? form : null}`;
}

const hashOfPerson = async (email: string): Promise<string | null> =>
  hashOfPseudonym((await personSubject(email)) ?? '');

/** Starts the erasure again for the entered address. Throws `validation_error` for the address of another person. */
async function eraseAgain(context: Context, { alias }: ErasureWork, typed: string): Promise<Job> {
  const email = canonicalAddress(typed);
  const isTheirs = email !== null && (alias === null || hashOfPseudonym(alias) === (await hashOfPerson(email)));
  if (!isTheirs) throw new ValidationError([{ path: 'typed', text: texts.anotherPerson }]);
  return startErasure(context, { email });
}
