import { ValidationError } from '../../../../contract/errors.ts';
import { simulateAutomationRequest, simulatedPopulations } from '../../../../contract/schemas/automationSimulation.ts';
import { momentAt, parseWallTime } from '../../../../domain/zonedTime.ts';
import type { Language } from '../../../../language/languages.ts';
import type { Text } from '../../../../language/text.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { simulateAutomation } from '../../../../services/automations/simulateAutomation.ts';
import type { ConsoleCall, ConsoleReply } from '../../../call.ts';
import { cardOf, factsOf, momentOf, numberOf, tableOf } from '../../../layout/elements.ts';
import {
  emptyForm,
  type FormState,
  field,
  formOf,
  parseForm,
  problemsOf,
  submitForm,
  ticks,
} from '../../../layout/form.ts';
import { pageOf } from '../../../layout/page.ts';
import { pathOf } from '../../../paths.ts';
import { type AutomationDetail, automationPath, readAutomation } from './automation.ts';
import { exclusionTexts, simulationTexts as texts } from './simulationTexts.ts';

type Simulation = Awaited<ReturnType<typeof simulateAutomation>>;

const fieldNames = ['population', 'emails', 'days', 'replay_days', 'zone', 'at', 'assume'];

/** A form that asks, and what would happen below it: a page without scripts. */
export async function showSimulation(call: ConsoleCall): Promise<ConsoleReply> {
  return simulationPage(call, await readAutomation(call), emptyForm, null);
}

export async function makeSimulation(call: ConsoleCall): Promise<ConsoleReply> {
  const automation = await readAutomation(call);
  return submitForm(
    call,
    async () => {
      const asked = parseForm(simulateAutomationRequest, questionIn(call.form));
      const result = await simulateAutomation(call.context, { id: automation.id, ...asked });
      return simulationPage(call, automation, { values: call.form, issues: [] }, resultOf(result, call.language));
    },
    (filled) => simulationPage(call, automation, filled, null),
  );
}

/** The fields as the contract names them; what is empty is left out. */
function questionIn(form: URLSearchParams): object {
  const text = (name: string) => form.get(name)?.trim() || undefined;
  const number = (name: string) => (/^\d+$/.test(text(name) ?? '') ? Number(text(name)) : text(name));
  const population = text('population') ?? 'audience';
  const zone = text('zone');
  const names = text('events')
    ?.split(/[\s,]+/)
    .filter((name) => name !== '');
  const others = form.getAll('others');
  const assume = { events: names, opened: others.includes('opened'), clicked: others.includes('clicked') };
  return {
    ...{ population, zone, days: number('days') },
    ...(text('date') !== undefined && { at: noonOf(text('date') ?? '', zone ?? 'UTC') }),
    ...(population === 'emails' && { emails: [text('email') ?? ''] }),
    ...(population === 'replay' && { replay_days: number('replay_days') }),
    ...((names || others.length > 0) && { assume }),
  };
}

/** An unknown zone is reported where it was written. */
function noonOf(date: string, zone: string): string {
  const wall = parseWallTime(`${date} 12:00`);
  if (!wall) throw new ValidationError([{ path: 'at', text: texts.badDate }]);
  try {
    return momentAt(wall, zone).toISOString();
  } catch {
    return `${date}T12:00:00Z`;
  }
}

function simulationPage(
  call: ConsoleCall,
  { id, name, steps, quiet_hours: quiet }: AutomationDetail,
  filled: FormState,
  result: Html | null,
): ConsoleReply {
  const { language } = call;
  const path = `${automationPath(id)}/simulate`;
  const isByEvent = (steps[0]?.config as { event_name?: unknown } | undefined)?.event_name !== undefined;
  const populations = simulatedPopulations.filter((one) => one !== 'replay' || isByEvent);
  // The first choice is what is asked before an automation is enabled.
  const choices = ['audience', ...populations.filter((one) => one !== 'audience')] as typeof populations;
  const options = choices.map((one) => [one, texts[one][language]] as const);
  const ask = (definition: Parameters<typeof field>[2]) => field(filled, language, definition);
  const body = html`${ask({ name: 'population', label: texts.population[language], options })}
${ask({ name: 'email', path: 'emails', label: texts.email[language], type: 'email' })}
${ask({ name: 'days', label: texts.days[language], hint: texts.daysHint[language], value: '14', required: true })}
${isByEvent ? ask({ name: 'replay_days', label: texts.replayDays[language], value: '7' }) : null}
${ask({ name: 'date', path: 'at', type: 'date', label: texts.date[language], hint: texts.dateHint[language] })}
${ask({ name: 'zone', label: texts.zone[language], value: quiet?.zone ?? 'UTC' })}
${ask({ name: 'events', path: 'assume', label: texts.events[language], hint: texts.eventsHint[language] })}
${ticks(filled, language, {
  ...{ name: 'others', legend: texts.assumed[language] },
  choices: (['opened', 'clicked'] as const).map((value) => ({ value, label: texts[value][language] })),
})}
<button>${texts.run[language]}</button>`;
  const form = html`${problemsOf(filled, language, fieldNames)}${formOf(call, { action: pathOf(call, path), role: 'search' }, body)}`;
  return pageOf(call, {
    ...(filled.issues.length > 0 && { status: 422, isWrong: true }),
    section: 'automations',
    parent: { label: name, path: automationPath(id) },
    title: texts.simulate[language],
    lead: texts.lead[language],
    body: html`${result}${cardOf(null, form)}`,
  });
}

function resultOf(simulation: Simulation, language: Language): Html {
  const { people, messages, sampled, at, timeline, excluded, paths } = simulation;
  const shown = (value: number) => numberOf(value, language);
  const reason = (name: string) =>
    Object.hasOwn(exclusionTexts, name) ? exclusionTexts[name as keyof typeof exclusionTexts][language] : name;
  const facts = factsOf([
    [texts.people[language], shown(people)],
    [texts.messages[language], shown(messages)],
    ...(sampled ? [[texts.sampled[language], '✓'] as const] : []),
    ...Object.entries(excluded).map(
      ([name, count]) => [`${texts.excluded[language]}: ${reason(name)}`, shown(count)] as const,
    ),
  ]);
  const where = Object.entries(at).map(([step, count]) => [html`<code>${step}</code>`, shown(count)]);
  const number = (label: Text) => ({ label: label[language], isNumber: true });
  const whereTable = tableOf(texts.where[language], [{ label: texts.step[language] }, number(texts.people)], where);
  const days = timeline.map((day) => [
    html`${day.date} <code>${day.step}</code>`,
    shown(day.people),
    shown(day.messages),
  ]);
  const dayTable = tableOf(
    texts.timeline[language],
    [{ label: texts.day[language] }, number(texts.people), number(texts.messages)],
    days,
  );
  const none = (text: string) => html`<p class="soft">${text}</p>`;
  return html`${cardOf(null, facts)}${cardOf(texts.where[language], where.length > 0 ? whereTable : none(texts.nobody[language]))}${cardOf(texts.timeline[language], days.length > 0 ? dayTable : none(texts.nothing[language]))}${(paths ?? []).filter(({ steps }) => steps.length > 0).map((path) => pathCard(path, language))}`;
}

function pathCard({ steps }: NonNullable<Simulation['paths']>[number], language: Language): Html {
  const rows = steps.map(({ step, at }) => [html`<code>${step}</code>`, momentOf(at, language)]);
  return cardOf(
    texts.path[language],
    tableOf(texts.path[language], [{ label: texts.step[language] }, { label: texts.reached[language] }], rows),
  );
}
