import { listAutomationRunsQuery } from '../../../../contract/schemas/automationRun.ts';
import { runStatuses } from '../../../../domain/automation/run.ts';
import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { cancelAutomationRun, getAutomationRun, listAutomationRuns } from '../../../../services/runs/readRuns.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, may, redirect } from '../../../call.ts';
import { confirmationPage } from '../../../layout/confirmationPage.ts';
import {
  cardOf,
  emptyOf,
  factsOf,
  linkButton,
  momentOf,
  pagerOf,
  type Tone,
  tableOf,
  tag,
} from '../../../layout/elements.ts';
import { type FormState, field, parseForm, problemsOf, submitForm } from '../../../layout/form.ts';
import { pageOf } from '../../../layout/page.ts';
import { type SearchQuery, searchForm, searchOf, searchParameters, startSearch } from '../../../layout/search.ts';
import { pathOf, personPath } from '../../../paths.ts';
import { type AutomationDetail, automationPath, readAutomation } from './automation.ts';
import { branchTexts } from './automationTexts.ts';
import { outcomeTexts, reasonTexts, runStatusTexts, stepStatusTexts, runsTexts as texts } from './runTexts.ts';

type RunSummary = Awaited<ReturnType<typeof listAutomationRuns>>['entries'][number];
type RunDetail = Awaited<ReturnType<typeof getAutomationRun>>;
type RunStep = RunDetail['steps'][number];

const perPage = 50;

const tones: Readonly<Record<RunSummary['status'], Tone>> = {
  running: 'plain',
  completed: 'good',
  cancelled: 'warn',
  failed: 'bad',
};

const runsPath = (id: string): string => `${automationPath(id)}/runs`;
const runPath = ({ automation_id, id }: RunSummary): string => `${runsPath(automation_id)}/${encodeURIComponent(id)}`;

export const runsLink = (call: ConsoleCall, { id }: AutomationDetail): Html =>
  linkButton(texts.title[call.language], pathOf(call, runsPath(id)));

function statusOf({ status, reason }: RunSummary, language: Language): Html {
  const why = reason === null ? null : html` <span class="small soft">${reasonText(reason, language)}</span>`;
  return html`${tag(runStatusTexts[status][language], tones[status])}${why}`;
}

/** Reasons of runs and of steps; that of an `exit` step is the author's own. */
const reasonText = (reason: string, language: Language): string =>
  Object.hasOwn(reasonTexts, reason) ? reasonTexts[reason as keyof typeof reasonTexts][language] : reason;

/** The runs of an automation, newest first, by status; or the last ones of a person. */
async function showRuns(call: ConsoleCall): Promise<ConsoleReply> {
  const automation = await readAutomation(call);
  const search = await searchOf(call);
  const list = () => listPage(call, automation, search);
  return submitForm(call, list, (filled) => pageWith(call, automation, { ...filled, values: search.values }, html``));
}

async function listPage(
  call: ConsoleCall,
  automation: AutomationDetail,
  { values }: SearchQuery,
): Promise<ConsoleReply> {
  const { context, language, query } = call;
  const { id } = automation;
  const [status, email] = ['status', 'email'].map((name) => values.get(name)?.trim() || undefined);
  const filter = parseForm(listAutomationRunsQuery, { ...(status && { status }), ...(email && { email }) });
  const after = query.get('after') ?? undefined;
  const { entries, next } = await listAutomationRuns(context, { id, ...filter, limit: perPage, after });
  const columns = [texts.person, texts.status, texts.at, texts.started, texts.ended].map((label) => ({
    label: label[language],
  }));
  const rows = entries.map((run) => [
    html`<a href="${pathOf(call, runPath(run))}"><bdi>${run.email}</bdi></a>`,
    statusOf(run, language),
    run.step === null ? '–' : html`<code>${run.step}</code>`,
    momentOf(run.created_at, language),
    momentOf(run.completed_at, language),
  ]);
  const isFiltered = status !== undefined || email !== undefined;
  const body =
    rows.length > 0
      ? html`${tableOf(texts.title[language], columns, rows)}${pagerOf(call, runsPath(id), searchParameters(call), next)}`
      : isFiltered
        ? html`<p>${texts.notFound[language]}</p>`
        : emptyOf(texts.emptyTitle[language], texts.empty[language]);
  return pageWith(call, automation, { values, issues: [] }, cardOf(null, body));
}

function pageWith(call: ConsoleCall, automation: AutomationDetail, filled: FormState, body: Html): ConsoleReply {
  const { language } = call;
  const statuses = [
    ['', texts.any[language]] as const,
    ...runStatuses.map((status) => [status, runStatusTexts[status][language]] as const),
  ];
  const form = searchForm(
    call,
    runsPath(automation.id),
    html`<div>${field(filled, language, { name: 'status', label: texts.status[language], options: statuses })}</div>
<div>${field(filled, language, { name: 'email', label: texts.person[language], hint: texts.personHint[language] })}</div>
<div class="field"><button class="plain">${texts.show[language]}</button></div>`,
  );
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    section: 'automations',
    parent: { label: automation.name, path: automationPath(automation.id) },
    title: texts.title[language],
    body: html`${problemsOf(filled, language, ['status', 'email'])}${form}${body}`,
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

const readRun = ({ context, parameters }: ConsoleCall): Promise<RunDetail> =>
  getAutomationRun(context, { id: parameters.id ?? '', runId: parameters.run ?? '' });

/** One run: what happened at each step, and what comes next. */
async function showRun(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  const run = await readRun(call);
  const columns = [texts.step, texts.status, texts.result, texts.reached, texts.done].map((label) => ({
    label: label[language],
  }));
  const rows = run.steps.map((step) => [
    html`<code>${step.key}</code>`,
    stepStatus(step, language),
    resultOf(call, step),
    momentOf(step.started_at, language),
    momentOf(step.completed_at, language),
  ]);
  const isOpen = run.status === 'running';
  const facts = [
    [texts.person[language], html`<a href="${pathOf(call, personPath(call, run.email))}"><bdi>${run.email}</bdi></a>`],
    [texts.version[language], String(run.version)],
    [texts.started[language], momentOf(run.created_at, language)],
    ...(isOpen && run.wakes_at ? [[texts.goesOn[language], momentOf(run.wakes_at, language)] as const] : []),
    ...(isOpen ? [] : [[texts.ended[language], momentOf(run.completed_at, language)] as const]),
    ...(Object.keys(run.data).length > 0
      ? [[texts.data[language], html`<code>${JSON.stringify(run.data)}</code>`] as const]
      : []),
    [texts.id[language], html`<code>${run.id}</code>`],
  ] as const;
  return pageOf(call, {
    section: 'automations',
    parent: { label: texts.title[language], path: runsPath(run.automation_id) },
    title: run.email,
    lead: statusOf(run, language),
    actions:
      isOpen && may(call, 'change') ? linkButton(texts.cancel[language], pathOf(call, `${runPath(run)}/cancel`)) : null,
    body: html`${cardOf(null, factsOf(facts))}${cardOf(texts.story[language], tableOf(texts.story[language], columns, rows))}`,
  });
}

function stepStatus({ status, reason, error }: RunStep, language: Language): Html {
  const why = [reason === null ? null : reasonText(reason, language), error].filter(Boolean).join(': ');
  return html`${stepStatusTexts[status][language]}${why === '' ? null : html` <span class="small soft">${why}</span>`}`;
}

interface StepOutput {
  readonly email_id?: string;
  readonly outcome?: keyof typeof outcomeTexts;
  readonly branch?: keyof typeof branchTexts;
  readonly event?: string;
}

/** What a step did: the message with a link, the branch, the event. */
function resultOf(call: ConsoleCall, { output }: RunStep): Html {
  const { language } = call;
  const { email_id: email, outcome, branch, event } = (output ?? {}) as StepOutput;
  const message =
    email && outcome
      ? html`<a href="${pathOf(call, `/emails/${encodeURIComponent(email)}`)}">${outcomeTexts[outcome][language]}</a>`
      : null;
  const taken = branch && branchTexts[branch][language];
  return html`${message}${taken ?? null}${event ? html` <code class="small">${event}</code>` : null}`;
}

async function askCancel(call: ConsoleCall): Promise<ConsoleReply> {
  return cancelQuestion(call, await readRun(call));
}

function cancelQuestion(call: ConsoleCall, run: RunDetail, filled?: FormState): ConsoleReply {
  const { language } = call;
  return confirmationPage(call, {
    section: 'automations',
    parent: { label: run.email, path: runPath(run) },
    title: texts.cancelTitle[language].replace('{email}', () => run.email),
    what: [texts.cancelWhat[language]],
    button: texts.cancel,
    isDangerous: true,
    action: `${runPath(run)}/cancel`,
    ...(filled && { filled }),
  });
}

async function cancelOne(call: ConsoleCall): Promise<ConsoleReply> {
  const run = await readRun(call);
  return submitForm(
    call,
    async () => {
      await cancelAutomationRun(call.context, { id: run.automation_id, runId: run.id });
      return redirect(pathOf(call, runPath(run), { done: 'saved' }));
    },
    (filled) => cancelQuestion(call, run, filled),
  );
}

export const runPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/automations/{id}/runs', verb: showRuns },
  {
    method: 'POST',
    path: '/automations/{id}/runs',
    verb: (call) => startSearch(runsPath(call.parameters.id ?? ''))(call),
  },
  { method: 'GET', path: '/automations/{id}/runs/{run}', verb: showRun },
  { method: 'GET', path: '/automations/{id}/runs/{run}/cancel', needs: 'change', verb: askCancel },
  { method: 'POST', path: '/automations/{id}/runs/{run}/cancel', verb: cancelOne },
];
