import type { ExportWork } from '../../../../domain/job/work.ts';
import { type ExportFormat, exportFormats } from '../../../../domain/person/exportFormat.ts';
import { type SubscriberStatus, subscriberStatuses } from '../../../../domain/person/subscriber.ts';
import { html } from '../../../../pages/html.ts';
import { downloadExport } from '../../../../services/exports/download.ts';
import { startExport } from '../../../../services/exports/start.ts';
import { listJobs } from '../../../../services/jobs/list.ts';
import { listSegments } from '../../../../services/segments/list.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf, redirect } from '../../../call.ts';
import { field, formOf, untouched } from '../../../frame/form.ts';
import { pageOf } from '../../../frame/layout.ts';
import { cardOf, emptyOf, momentOf, numberOf, tableOf } from '../../../frame/parts.ts';
import { frameTexts } from '../../../frame/texts.ts';
import { statusTexts } from '../texts.ts';
import { erasuresCard } from './erasures.ts';
import { jobPath, stateTag } from './parts.ts';
import { jobTexts as texts } from './texts.ts';

/** Whom the file is to hold, and those that were written; below them what was erased. */
export async function showExports(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language } = call;
  const jobs = await listJobs(context, { kinds: ['export', 'personExport', 'erasure'] });
  const columns = [texts.whom, texts.state, texts.records, texts.began, texts.by].map((label, index) => ({
    label: label[language],
    isNumber: index === 2,
  }));
  const rows = jobs.flatMap(({ id, state, work, createdAt, by }) => {
    if (work.kind !== 'export' && work.kind !== 'personExport') return [];
    const name = work.kind === 'export' ? whom(work, language) : texts.personTitle[language];
    return [
      [
        html`<a href="${placeOf(call, jobPath(id))}"><bdi>${name}</bdi></a>`,
        stateTag(state, language),
        numberOf(work.records, language),
        momentOf(createdAt, language),
        html`<bdi>${by.name}</bdi>`,
      ],
    ];
  });
  const earlier =
    rows.length > 0
      ? tableOf(texts.earlier[language], columns, rows)
      : emptyOf(texts.emptyTitle[language], texts.empty[language]);
  return pageOf(call, {
    room: 'people',
    parent: { label: frameTexts.people[language], path: '/people' },
    title: texts.exportTitle[language],
    lead: texts.exportLead[language],
    body: html`${may(call, 'change') ? cardOf(null, await exportForm(call)) : null}${cardOf(texts.earlier[language], earlier)}${erasuresCard(call, jobs)}`,
  });
}

export function whom({ status, segmentName }: ExportWork, language: ConsoleCall['language']): string {
  if (segmentName !== null) return texts.ofSegment[language].replace('{name}', () => segmentName);
  if (status !== null) return texts.ofStatus[language].replace('{name}', () => statusTexts[status][language]);
  return texts.everybody[language];
}

async function exportForm(call: ConsoleCall) {
  const { context, language, query } = call;
  const segments = await listSegments(context);
  const options = [
    ['', texts.everybody[language]] as const,
    ...subscriberStatuses.map(
      (status) => [`status:${status}`, whomOf({ status, segmentName: null }, language)] as const,
    ),
    ...segments.map(
      ({ id, name }) => [`segment:${id}`, whomOf({ status: null, segmentName: name }, language)] as const,
    ),
  ];
  const formats = exportFormats.map((format) => [format, texts[format][language]] as const);
  return formOf(
    call,
    { action: placeOf(call, '/people/export') },
    html`${field(untouched, language, { name: 'whom', label: texts.whom[language], options, value: query.get('whom') ?? '' })}
${field(untouched, language, { name: 'format', label: texts.format[language], options: formats })}
<p class="hint">${texts.audited[language]}</p><button>${texts.begin[language]}</button>`,
  );
}

const whomOf = (
  one: { status: SubscriberStatus | null; segmentName: string | null },
  language: ConsoleCall['language'],
) => whom({ kind: 'export', format: 'csv', segmentId: null, records: 0, ...one }, language);

export async function beginExport(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form } = call;
  const [kind = '', ...rest] = (form.get('whom') ?? '').split(':');
  const name = rest.join(':');
  const format: ExportFormat = exportFormats.find((one) => one === form.get('format')) ?? 'csv';
  const status = kind === 'status' ? subscriberStatuses.find((one) => one === name) : undefined;
  const segment = kind === 'segment' ? name : undefined;
  const { id } = await startExport(context, { format, status, segment });
  return redirect(placeOf(call, jobPath(id)));
}

export async function downloadOne(call: ConsoleCall): Promise<ConsoleReply> {
  return redirect(await downloadExport(call.context, { id: call.parameters.id ?? '' }));
}
