import { type ExportFormat, exportFormats, type Job } from '../../../../../domain/job.ts';
import { type SubscriberStatus, subscriberStatuses } from '../../../../../domain/person/person.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import { startExport } from '../../../../../services/exports.ts';
import { downloadExport } from '../../../../../services/jobs/exportFile.ts';
import { listJobs } from '../../../../../services/jobs/jobs.ts';
import { listSegments } from '../../../../../services/segments.ts';
import { type ConsoleCall, type ConsoleReply, may, redirect } from '../../../../call.ts';
import { cardOf, emptyOf, momentOf, numberOf, tableOf } from '../../../../layout/elements.ts';
import { emptyForm, field, formOf } from '../../../../layout/form.ts';
import { layoutTexts } from '../../../../layout/layoutTexts.ts';
import { pageOf } from '../../../../layout/page.ts';
import { pathOf } from '../../../../paths.ts';
import { jobPath, stateTag, whom } from './jobElements.ts';
import { jobTexts as texts } from './jobTexts.ts';

/** The form of a new export, the earlier exports, and the erasures. */
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
        html`<a href="${pathOf(call, jobPath(id))}"><bdi>${name}</bdi></a>`,
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
    section: 'people',
    parent: { label: layoutTexts.people[language], path: '/people' },
    title: texts.exportTitle[language],
    lead: texts.exportLead[language],
    body: html`${may(call, 'change') ? cardOf(null, await exportForm(call)) : null}${cardOf(texts.earlier[language], earlier)}${erasuresCard(call, jobs)}`,
  });
}

async function exportForm(call: ConsoleCall) {
  const { context, language, query } = call;
  const { entries: segments } = await listSegments(context);
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
    { action: pathOf(call, '/people/export') },
    html`${field(emptyForm, language, { name: 'whom', label: texts.whom[language], options, value: query.get('whom') ?? '' })}
${field(emptyForm, language, { name: 'format', label: texts.format[language], options: formats })}
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
  return redirect(pathOf(call, jobPath(id)));
}

export async function downloadOne(call: ConsoleCall): Promise<ConsoleReply> {
  return redirect(await downloadExport(call.context, { id: call.parameters.id ?? '' }));
}

/** Erasures, for operators who may start one. Each is listed by the person's alias; a failed one has to be repeated. */
function erasuresCard(call: ConsoleCall, jobs: readonly Job[]): Html | null {
  const { language } = call;
  const erasures = jobs.flatMap(({ work, ...job }) => (work.kind === 'erasure' ? { ...job, work } : []));
  if (erasures.length === 0 || !may(call, 'own')) return null;
  const columns = [texts.whom, texts.state, texts.records, texts.began, texts.by].map((label, index) => ({
    label: label[language],
    isNumber: index === 2,
  }));
  const rows = erasures.map(({ id, state, work, createdAt, by }) => [
    html`<a href="${pathOf(call, jobPath(id))}">${work.alias === null ? texts.erasureTitle[language] : html`<code>${work.alias}</code>`}</a>`,
    stateTag(state, language),
    numberOf(work.records, language),
    momentOf(createdAt, language),
    html`<bdi>${by.name}</bdi>`,
  ]);
  return cardOf(texts.erasures[language], tableOf(texts.erasures[language], columns, rows));
}
