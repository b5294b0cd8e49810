import type { Issue } from '../../../../contract/errors.ts';
import { checked } from '../../../../contract/fieldNames.ts';
import { updateAutomationRequest } from '../../../../contract/schemas/automation.ts';
import type { Goal } from '../../../../domain/automation/automation.ts';
import { automationLimits } from '../../../../domain/automation/definitionSchema.ts';
import { type Html, html } from '../../../../pages/html.ts';
import type { ConsoleCall, ConsolePage, ConsoleReply } from '../../../call.ts';
import { cardOf } from '../../../layout/elements.ts';
import { emptyForm, type FormState, formOf, problemsOf } from '../../../layout/form.ts';
import { pageOf } from '../../../layout/page.ts';
import { pathOf } from '../../../paths.ts';
import { type AutomationDetail, automationPath, readAutomation } from './automation.ts';
import { automationsTexts, settingsTexts as texts } from './automationTexts.ts';
import { type DefinitionChange, newestLink, saveChange, versionOf } from './saveChange.ts';
import {
  ask,
  compact,
  durationFields,
  durationIn,
  type FieldContext,
  listIn,
  numberIn,
  ofChoice,
  optionsOf,
  textIn,
  trackFields,
  trackIn,
  withStored,
} from './steps/fields.ts';
import { fieldTexts } from './steps/fieldTexts.ts';
import { knownEvents, knownForSettings } from './steps/known.ts';
import { ruleFields } from './steps/ruleFields.ts';
import { ruleIn } from './steps/ruleRows.ts';
import { fieldNamesIn } from './steps/stepForm.ts';
import { zoneField } from './steps/triggerFields.ts';

/** The settings of an automation, which hold for all of its steps. */
async function settingsForm(call: ConsoleCall, automation: AutomationDetail, filled: FormState): Promise<ConsoleReply> {
  const { language, context } = call;
  const { id, name, steps, connections } = automation;
  const [known, events] = await Promise.all([knownForSettings(context), knownEvents(context, automation)]);
  const shown: FieldContext = { language, filled, known: { ...known, events }, flow: { steps, connections } };
  const body = html`<button class="quiet" name="do" value="save" tabindex="-1" aria-hidden="true">${automationsTexts.save[language]}</button>
<input type="hidden" name="name_before" value="${filled.values.get('name_before') ?? name}">
${ask(shown, { name: 'name', label: automationsTexts.name, value: name, required: true })}
${reentryFields(shown, automation)}
${messageFields(shown, automation)}
${goalFields(shown, automation.goals)}
<datalist id="events">${events.map((event) => html`<option value="${event}">`)}</datalist>
<p class="soft">${automationsTexts.newVersion[language]}</p>
<button name="do" value="save">${automationsTexts.save[language]}</button>`;
  const action = pathOf(call, `${automationPath(id)}/settings`);
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    section: 'automations',
    parent: { label: name, path: automationPath(id) },
    title: automationsTexts.settings[language],
    body: cardOf(
      null,
      html`${problemsOf(filled, language, [...fieldNamesIn(filled), 'reentry', 'goals'])}${newestLink(call, automation, filled)}${formOf(call, { action, hidden: versionOf(automation) }, body)}`,
      'step-form',
    ),
    status: isWrong ? 422 : 200,
    isWrong,
    files: { style: 'automation.css' },
  });
}

function reentryFields(shown: FieldContext, { reentry, run_key: runKey }: AutomationDetail): Html {
  const options = optionsOf(shown, ['once', 'after_days', 'always'] as const, {
    ...{ once: automationsTexts.once, always: automationsTexts.always, after_days: texts.afterDays },
  });
  const value = typeof reentry === 'string' ? reentry : 'after_days';
  const days = typeof reentry === 'string' ? '' : String(reentry.after_days);
  return html`${ask(shown, { name: 'reentry', path: 'reentry.kind', label: texts.reentry, value, options })}
${ofChoice('of-after_days', ask(shown, { name: 'after_days', path: 'reentry.after_days', label: texts.days, value: days }))}
${ask(shown, { name: 'run_key', label: texts.runKey, hint: texts.runKeyHint, value: runKey ?? '' })}`;
}

function messageFields(shown: FieldContext, automation: AutomationDetail): Html {
  const { known, language } = shown;
  const { tag, from, reply_to: replyTo, track, quiet_hours: quiet, max_delay: delay } = automation;
  const topics = withStored(known.topics, tag ?? undefined, texts.noTopic[language]);
  const late = optionsOf(shown, ['own', 'never'] as const, { own: fieldTexts.lateOwn, never: fieldTexts.lateNever });
  const listHint = fieldTexts.listHint;
  return html`${ask(shown, { name: 'from', label: fieldTexts.sender, hint: texts.fromHint, value: from ?? '', suggestions: known.senders })}
${ask(shown, { name: 'reply_to', type: 'textarea', label: fieldTexts.replyTo, hint: listHint, value: (replyTo ?? []).join('\n') })}
${ask(shown, { name: 'tag', label: fieldTexts.topic, value: tag ?? '', options: topics })}
${trackFields(shown, track)}
<fieldset><legend>${automationsTexts.quiet[language]}</legend><p class="hint">${texts.quietHint[language]}</p>
<div class="beside">${ask(shown, { name: 'quiet_hours.from', label: texts.quietFrom, type: 'time', value: quiet?.from ?? '' })}
${ask(shown, { name: 'quiet_hours.to', label: texts.quietTo, type: 'time', value: quiet?.to ?? '' })}</div>
<div class="beside">${zoneField(shown, 'quiet_hours.zone', quiet?.zone)}
${ask(shown, { name: 'quiet_hours.zone_field', label: fieldTexts.zoneField, value: quiet?.zone_field ?? '' })}</div></fieldset>
${ask(shown, { name: 'late', label: fieldTexts.late, value: delay === null ? 'never' : 'own', options: late })}
${ofChoice('of-own', durationFields(shown, 'max_delay', fieldTexts.maxDelay, delay ?? '48 hours'))}`;
}

/** The stored goals, and one more that is empty. */
function goalFields(shown: FieldContext, goals: readonly Goal[]): Html {
  const { language, filled } = shown;
  const { values } = filled;
  const posted = [...values.keys()].filter((name) => /^goals\.\d\.kind$/.test(name)).length;
  const count = Math.min(Math.max(posted, goals.length + 1), automationLimits.goals);
  const drawn = Array.from({ length: count }, (_, index) => {
    const goal: { event_name?: string; filter_rule?: unknown; rule?: unknown } = goals[index] ?? {};
    const kind = goal.rule !== undefined ? 'rule' : goal.event_name !== undefined ? 'event' : 'none';
    const at = `goals.${index}`;
    return html`<fieldset class="goal"><legend>${texts.goal[language]} ${index + 1}</legend>
${ask(shown, { name: `${at}.kind`, label: texts.goalEnds, value: kind, options: optionsOf(shown, ['none', 'event', 'rule'] as const, { none: texts.goalNone, event: texts.goalEvent, rule: texts.goalRule }) })}
<div class="of-choice of-event">${ask(shown, { name: `${at}.event_name`, label: fieldTexts.event, value: goal.event_name ?? '', suggestions: shown.known.events })}
${ruleFields(shown, { name: `${at}.filter_rule`, legend: fieldTexts.filter, place: 'filter', rule: goal.filter_rule })}</div>
<div class="of-choice of-rule">${ruleFields(shown, { name: `${at}.rule`, legend: texts.goalIf, place: 'rule', rule: goal.rule })}</div></fieldset>`;
  });
  return html`<h2>${texts.goals[language]}</h2><p class="hint">${texts.goalsHint[language]}</p>${drawn}`;
}

/** The goals that were posted, and the number that each has in the form. */
function goalsIn(form: URLSearchParams): readonly { readonly index: number; readonly goal: object }[] {
  return Array.from({ length: automationLimits.goals }, (_, index) => index).flatMap((index) => {
    const at = `goals.${index}`;
    const kind = form.get(`${at}.kind`);
    if (kind === 'rule') return [{ index, goal: { rule: ruleIn(form, `${at}.rule`) ?? {} } }];
    if (kind !== 'event') return [];
    const filter_rule = ruleIn(form, `${at}.filter_rule`);
    return [{ index, goal: compact({ event_name: textIn(form, `${at}.event_name`) ?? '', filter_rule }) }];
  });
}

/** What was posted as a change; null stands for what was left empty. */
function settingsIn(form: URLSearchParams): DefinitionChange {
  const text = (name: string) => textIn(form, name) ?? null;
  const quiet = compact({
    from: textIn(form, 'quiet_hours.from'),
    to: textIn(form, 'quiet_hours.to'),
    zone: textIn(form, 'quiet_hours.zone'),
    zone_field: textIn(form, 'quiet_hours.zone_field'),
  });
  const hasQuiet = 'from' in quiet || 'to' in quiet;
  const reentry = text('reentry');
  // The verb reads them as they were written, and reports every problem.
  const settings: object = {
    // A name that was not edited stays, whatever another operator called it meanwhile: it has no version.
    ...(text('name') !== form.get('name_before') && checked(updateAutomationRequest, { name: text('name') ?? '' })),
    ...{ run_key: text('run_key'), from: text('from'), reply_to: listIn(form, 'reply_to') ?? null, tag: text('tag') },
    reentry: reentry === 'after_days' ? { after_days: numberIn(form, 'after_days') ?? '' } : reentry,
    track: trackIn(form) ?? null,
    quiet_hours: hasQuiet ? quiet : null,
    max_delay: text('late') === 'never' ? null : (durationIn(form, 'max_delay') ?? ''),
    goals: goalsIn(form).map(({ goal }) => goal),
  };
  return settings;
}

/** `goals[1].rule` by the number that this goal has in the form: those that were left empty are not sent. */
const placed =
  (form: URLSearchParams) =>
  (issues: readonly Issue[]): readonly Issue[] =>
    issues.map((issue) => {
      if (issue.path.startsWith('reentry')) return { path: 'reentry.after_days', text: texts.daysWrong };
      const [, number, rest = ''] = /^goals\[(\d+)\]\.?(.*)$/.exec(issue.path) ?? [];
      if (number === undefined) return issue;
      const index = goalsIn(form)[Number(number)]?.index ?? number;
      return { ...issue, path: `goals.${index}.${rest}` };
    });

async function editSettings(call: ConsoleCall): Promise<ConsoleReply> {
  return saveChange(call, {
    change: () => settingsIn(call.form),
    show: (automation, filled) => settingsForm(call, automation, filled),
    placed: placed(call.form),
  });
}

export const settingsPages: readonly ConsolePage[] = [
  {
    ...{ method: 'GET', path: '/automations/{id}/settings', needs: 'change' },
    verb: async (call) => settingsForm(call, await readAutomation(call), emptyForm),
  },
  { method: 'POST', path: '/automations/{id}/settings', needs: 'change', verb: editSettings },
];
