import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { listAutomations } from '../../../services/automations/readAutomations.ts';
import { automationStats } from '../../../services/runs/readRuns.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, may } from '../../call.ts';
import {
  buttonOf,
  cardOf,
  emptyOf,
  factsOf,
  linkButton,
  momentOf,
  type Tone,
  tableOf,
  tag,
} from '../../layout/elements.ts';
import { layoutTexts } from '../../layout/layoutTexts.ts';
import { pageOf } from '../../layout/page.ts';
import { pathOf } from '../../paths.ts';
import { type AutomationDetail, automationPath, readAutomation } from './internal/automation.ts';
import { addOne, duplicateOne, editOne, showAdd, showEdit } from './internal/automationForm.ts';
import { drawingTexts, holdTexts, statusTexts, automationsTexts as texts } from './internal/automationTexts.ts';
import { drawingOf } from './internal/drawing.ts';
import { runPages, runsLink } from './internal/runs.ts';
import { settingsPages } from './internal/settingsForm.ts';
import { makeSimulation, showSimulation } from './internal/simulation.ts';
import { simulationTexts } from './internal/simulationTexts.ts';
import { askChange, changeButtons, makeChange } from './internal/statusChanges.ts';
import { runsOf } from './internal/stepNumbers.ts';
import { stepLinks, stepPages } from './internal/steps/stepPages.ts';
import { durationWords } from './internal/stepWords.ts';

type Summary = Pick<AutomationDetail, 'status' | 'held'>;

const tones: Readonly<Record<Summary['status'], Tone>> = { disabled: 'plain', enabled: 'good', draining: 'warn' };

function stateOf({ status, held }: Summary, language: Language): Html {
  const state = tag(statusTexts[status][language], tones[status]);
  if (!held) return state;
  return html`${state} ${tag(texts.held[language], 'bad')} <span class="small soft">${holdTexts[held.reason][language]}</span>`;
}

/** A workspace has 100 at most. */
const all = { limit: 100, after: undefined, status: undefined };

async function showAutomations(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language } = call;
  const { entries } = await listAutomations(context, all);
  const columns = [texts.name, texts.state, texts.version, texts.updated].map((label) => ({ label: label[language] }));
  const rows = entries.map((automation) => [
    html`<a href="${pathOf(call, automationPath(automation.id))}"><bdi>${automation.name}</bdi></a>`,
    stateOf(automation, language),
    automation.version,
    momentOf(automation.updated_at, language),
  ]);
  const add = may(call, 'change') ? linkButton(texts.add[language], pathOf(call, '/automations/add'), '') : null;
  return pageOf(call, {
    section: 'automations',
    title: layoutTexts.automations[language],
    lead: texts.lead[language],
    actions: rows.length > 0 ? add : null,
    body: cardOf(
      null,
      rows.length > 0
        ? tableOf(layoutTexts.automations[language], columns, rows)
        : emptyOf(texts.emptyTitle[language], texts.empty[language], add),
    ),
  });
}

/** The version in the address; undefined for the newest. */
function versionIn({ query }: ConsoleCall): number | undefined {
  const given = query.get('version') ?? '';
  return /^[1-9]\d{0,5}$/.test(given) ? Number(given) : undefined;
}

async function showOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language } = call;
  const asked = versionIn(call);
  const automation = await readAutomation(call, asked);
  const { id, version } = automation;
  const path = automationPath(id);
  const stats = await automationStats(context, { id, version });
  const mayChange = may(call, 'change');
  const isEditable = mayChange && asked === undefined;
  const links = isEditable ? stepLinks(call, id) : null;
  const simulate = linkButton(simulationTexts.simulate[language], pathOf(call, `${path}/simulate`));
  const runs = runsLink(call, automation);
  const actions = mayChange
    ? html`${runs}${simulate}${linkButton(texts.settings[language], pathOf(call, `${path}/settings`))}${linkButton(texts.edit[language], pathOf(call, `${path}/edit`))}${buttonOf(call, `${path}/duplicate`, texts.duplicate[language])}`
    : html`${runs}${simulate}`;
  return pageOf(call, {
    section: 'automations',
    parent: { label: layoutTexts.automations[language], path: '/automations' },
    title: automation.name,
    lead: stateOf(automation, language),
    actions,
    body: html`${cardOf(null, html`${factsOf(factsIn(automation, language))}<div class="row card-foot">${changeButtons(call, automation)}</div>`)}
${cardOf(texts.steps[language], html`<p class="soft">${runsOf(stats, language)}${otherVersions(call, automation, asked)}</p>${drawingOf(automation, { language, stats, links })}`)}`,
    files: { style: 'automation.css' },
  });
}

/** Each version has numbers of its own. */
function otherVersions(call: ConsoleCall, { id, version }: AutomationDetail, asked: number | undefined): Html {
  const { language } = call;
  const to = (label: string, query: Readonly<Record<string, string>>) =>
    html` <a href="${pathOf(call, automationPath(id), query)}">${label}</a>`;
  const earlier = String(version - 1);
  const previous = drawingTexts.earlier[language].replace('{version}', earlier);
  return html`${version > 1 ? to(previous, { version: earlier }) : null}${asked === undefined ? null : to(drawingTexts.newest[language], {})}`;
}

function factsIn(automation: AutomationDetail, language: Language): readonly (readonly [string, Html | string])[] {
  const { version, updated_at, tag: topic, quiet_hours: quiet, max_delay: delay, reentry } = automation;
  const re =
    typeof reentry === 'string'
      ? texts[reentry][language]
      : texts.afterDays[language].replace('{count}', String(reentry.after_days));
  const hours =
    quiet &&
    texts.quietHours[language].replace('{from}', quiet.from).replace('{to}', quiet.to).replace('{zone}', quiet.zone);
  return [
    [texts.version[language], String(version)],
    [texts.updated[language], momentOf(updated_at, language)],
    [texts.reentry[language], re],
    ...(topic === null ? [] : [[texts.topic[language], html`<code>${topic}</code>`] as const]),
    ...(hours === null ? [] : [[texts.quiet[language], hours] as const]),
    ...(delay === null ? [] : [[texts.maxDelay[language], durationWords(delay, language)] as const]),
  ];
}

/** `add` comes before `{id}`, because the first match is used. */
export const automationPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/automations', verb: showAutomations },
  { method: 'GET', path: '/automations/add', needs: 'change', verb: showAdd },
  { method: 'POST', path: '/automations/add', verb: addOne },
  { method: 'GET', path: '/automations/{id}', verb: showOne },
  { method: 'GET', path: '/automations/{id}/edit', needs: 'change', verb: showEdit },
  { method: 'POST', path: '/automations/{id}/edit', verb: editOne },
  { method: 'POST', path: '/automations/{id}/duplicate', verb: duplicateOne },
  ...settingsPages,
  ...runPages,
  ...stepPages,
  { method: 'GET', path: '/automations/{id}/simulate', verb: showSimulation },
  { method: 'POST', path: '/automations/{id}/simulate', verb: makeSimulation },
  { method: 'GET', path: '/automations/{id}/change/{change}', needs: 'change', verb: askChange },
  { method: 'POST', path: '/automations/{id}/change/{change}', verb: makeChange },
];
