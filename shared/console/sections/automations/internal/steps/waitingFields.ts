import type { DelayConfig, WaitConfig } from '../../../../../domain/automation/automation.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import {
  ask,
  type Choice,
  compact,
  durationFields,
  durationIn,
  type FieldContext,
  ofChoice,
  optionsOf,
  textIn,
  weekdayTicks,
  withStored,
} from './fields.ts';
import { fieldTexts as texts } from './fieldTexts.ts';
import { ruleFields } from './ruleFields.ts';
import { ruleIn } from './ruleRows.ts';
import { dateFields, dateIn, zoneField } from './triggerFields.ts';

export function delayFields(shown: FieldContext, { duration, until, until_field: date }: DelayConfig): Html {
  const ways = optionsOf(shown, ['duration', 'until', 'until_field'] as const, {
    ...{ duration: texts.wayDuration, until: texts.wayUntil, until_field: texts.wayField },
  });
  const missing = optionsOf(shown, ['continue', 'exit'] as const, {
    ...{ continue: texts.missingContinue, exit: texts.missingExit },
  });
  const way = date ? 'until_field' : until ? 'until' : 'duration';
  return html`${ask(shown, { name: 'way', label: texts.way, value: way, options: ways })}
${ofChoice('of-duration of-until', durationFields(shown, 'duration', texts.duration, duration, texts.durationHint))}
${ofChoice(
  'of-until',
  html`<div class="beside">${ask(shown, { name: 'until.time', label: texts.untilTime, type: 'time', value: until?.time ?? '09:00' })}
${zoneField(shown, 'until.zone', until?.zone)}</div>
${ask(shown, { name: 'until.zone_field', label: texts.zoneField, hint: texts.zoneFieldHint, value: until?.zone_field ?? '' })}
${weekdayTicks(shown, 'until.weekdays', until?.weekdays ?? [])}`,
)}
${ofChoice(
  'of-until_field',
  html`${dateFields(shown, 'until_field.', date ?? { at: '09:00' })}
${ask(shown, { name: 'until_field.if_missing', label: texts.missing, value: date?.if_missing ?? 'continue', options: missing })}`,
)}`;
}

export function delayIn(form: URLSearchParams): unknown {
  const text = (name: string) => textIn(form, name);
  if (text('way') === 'until_field') {
    return { until_field: { ...dateIn(form, 'until_field.'), if_missing: text('until_field.if_missing') } };
  }
  const duration = durationIn(form, 'duration');
  if (text('way') !== 'until') return { duration: duration ?? '' };
  const weekdays = form.getAll('until.weekdays');
  const until = compact({
    ...{ time: text('until.time') ?? '', zone: text('until.zone') ?? '', zone_field: text('until.zone_field') },
    weekdays: weekdays.length > 0 ? weekdays : undefined,
  });
  return compact({ duration, until });
}

export function waitFields(shown: FieldContext, config: WaitConfig): Html {
  const { event_name: event, step, mail, filter_rule: rule, timeout, since = 'step' } = config;
  const awaited = mail ?? 'event';
  const kinds = optionsOf(shown, ['event', 'opened', 'clicked'] as const, {
    ...{ event: texts.awaitEvent, opened: texts.awaitOpened, clicked: texts.awaitClicked },
  });
  const messages = shown.flow.steps.flatMap(({ key, type }): Choice[] => (type === 'send_email' ? [[key, key]] : []));
  const sinces = optionsOf(shown, ['step', 'run'] as const, { step: texts.sinceStep, run: texts.sinceRun });
  return html`${ask(shown, { name: 'mail', label: texts.awaits, value: awaited, options: kinds })}
${ofChoice(
  'of-event',
  html`${ask(shown, { name: 'event_name', label: texts.event, value: event ?? '', suggestions: shown.known.events })}
${ruleFields(shown, { name: 'filter_rule', legend: texts.filter, hint: texts.filterHint, place: 'filter', rule })}`,
)}
${ofChoice('of-opened of-clicked', ask(shown, { name: 'step', label: texts.message, value: step ?? '', options: withStored(messages, step, '–') }))}
${durationFields(shown, 'timeout', texts.timeout, timeout)}
${ask(shown, { name: 'since', label: texts.since, value: since, options: sinces })}`;
}

export function waitIn(form: URLSearchParams): unknown {
  const text = (name: string) => textIn(form, name);
  const mail = text('mail');
  const awaited =
    mail === 'event'
      ? compact({ event_name: text('event_name') ?? '', filter_rule: ruleIn(form, 'filter_rule') })
      : { step: text('step') ?? '', mail };
  const since = text('since') === 'run' ? 'run' : undefined;
  return compact({ ...awaited, timeout: durationIn(form, 'timeout'), since });
}
