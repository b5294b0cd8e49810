import { ServiceError } from '../../../../contract/errors.ts';
import type { Job } from '../../../../domain/job/job.ts';
import type { Text } from '../../../../language/text.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { isKept } from '../../../../services/exports/download.ts';
import { cancelJob } from '../../../../services/jobs/cancel.ts';
import { getJob } from '../../../../services/jobs/get.ts';
import { liveFiles } from '../../../assets/islands.ts';
import { type ConsoleCall, type ConsoleReply, dataOf, may, placeOf, redirect } from '../../../call.ts';
import { type Filled, untouched } from '../../../frame/form.ts';
import { pageOf } from '../../../frame/layout.ts';
import { buttonOf, cardOf, linkButton, numberOf } from '../../../frame/parts.ts';
import { submitted } from '../../../frame/submit.ts';
import { frameTexts } from '../../../frame/texts.ts';
import { eraseAgain, eraseAgainForm } from './erasures.ts';
import { whom } from './exports.ts';
import { jobPath, liveFigures, stateTag } from './parts.ts';
import { jobTexts as texts } from './texts.ts';

/** An export or an erasure, under way or over. */
export async function showJob(call: ConsoleCall, filled: Filled = untouched): Promise<ConsoleReply> {
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
    room: 'people',
    parent: isErasure
      ? { label: frameTexts.people[language], path: '/people' }
      : { label: texts.exportTitle[language], path: '/people/export' },
    title,
    lead: html`${stateTag(state, language)} <span class="soft">${texts.by[language]} <bdi>${by.name}</bdi></span>`,
    actions: canCancel ? buttonOf(call, `${jobPath(id)}/cancel`, texts.cancel[language]) : null,
    body: cardOf(
      null,
      html`${said(call, job)}${liveFigures(call, job, jobPath(id), figuresOf(call, job))}${hasFailed ? eraseAgainForm(call, job, filled) : null}`,
    ),
    files: liveFiles,
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

function said(call: ConsoleCall, { id, work, state, failure, endedAt }: Job): Html | null {
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
  if (!isKept(endedAt, context.now)) return html`<p class="soft">${texts.gone[language]}</p>`;
  return may(call, 'change')
    ? html`<p>${linkButton(texts.download[language], placeOf(call, `${jobPath(id)}/file`), '')}</p><p class="soft small">${texts.kept[language]}</p>`
    : null;
}

/** For the script that looks again: one read of the table. */
export async function liveJob(call: ConsoleCall): Promise<ConsoleReply> {
  const job = await getJob(call.context, { id: call.parameters.id ?? '' });
  const figures = figuresOf(call, job).map(({ name, value }) => [name, numberOf(value, call.language)]);
  return dataOf({ figures: Object.fromEntries(figures), isEnded: job.state !== 'running' });
}

export async function cancelOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { id } = await cancelJob(call.context, { id: call.parameters.id ?? '' });
  return redirect(placeOf(call, jobPath(id)));
}

export async function eraseOneAgain(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, parameters } = call;
  const { work } = await getJob(context, { id: parameters.id ?? '' });
  if (work.kind !== 'erasure') throw new ServiceError('not_found');
  const act = async () => {
    const { id } = await eraseAgain(context, work, form.get('typed') ?? '');
    return redirect(placeOf(call, jobPath(id)));
  };
  return submitted(call, act, (filled) => showJob(call, filled));
}
