import type { Trigger } from '../../../../../domain/automation/automation.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import {
  ask,
  type Choice,
  compact,
  type FieldContext,
  isTicked,
  numberIn,
  ofChoice,
  optionsOf,
  readValue,
  textIn,
  tick,
  withStored,
  writtenValue,
} from './fields.ts';
import { fieldTexts as texts, triggerTexts } from './fieldTexts.ts';
import { ruleFields } from './ruleFields.ts';
import { ruleIn } from './ruleRows.ts';

const sources = ['event', 'subscribed', 'tag_added', 'field_changed', 'segment_entered', 'date', 'manual'] as const;

/** Every field that a trigger of any source has. */
interface AnyTrigger {
  readonly event_name?: string;
  readonly filter_rule?: object | undefined;
  readonly source?: (typeof sources)[number];
  readonly tag?: string;
  readonly field?: string;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly segment_id?: string;
  readonly include_imports?: boolean | undefined;
  readonly include_present?: boolean | undefined;
  readonly every?: string | undefined;
  readonly offset_days?: number | undefined;
  readonly at?: string;
  readonly zone?: string;
}

export function triggerFields(shown: FieldContext, trigger: Trigger): Html {
  const config: AnyTrigger = trigger;
  const source = config.source ?? 'event';
  const every: readonly Choice[] = optionsOf(shown, ['', 'year'] as const, {
    '': texts.everyOnce,
    year: texts.everyYear,
  });
  return html`${ask(shown, { name: 'source', label: texts.source, value: source, options: optionsOf(shown, sources, triggerTexts) })}
${ofChoice(
  'of-event',
  html`${ask(shown, { name: 'event_name', label: texts.event, value: config.event_name ?? '', suggestions: shown.known.events })}
${ruleFields(shown, { name: 'filter_rule', legend: texts.filter, hint: texts.filterHint, place: 'start', rule: config.filter_rule })}`,
)}
${ofChoice('of-subscribed', tick(shown, 'include_imports', texts.imports, config.include_imports === true))}
${ofChoice('of-tag_added', ask(shown, { name: 'tag', label: texts.tag, value: config.tag ?? '' }))}
${ofChoice(
  'of-field_changed',
  html`${ask(shown, { name: 'changed.field', path: 'field', label: texts.field, value: config.field ?? '' })}
<div class="beside">${ask(shown, { name: 'from', label: texts.from, hint: texts.anyValue, value: writtenValue(config.from) })}
${ask(shown, { name: 'to', label: texts.to, hint: texts.anyValue, value: writtenValue(config.to) })}</div>`,
)}
${ofChoice(
  'of-segment_entered',
  html`${ask(shown, { name: 'segment_id', label: texts.segment, value: config.segment_id ?? '', options: withStored(shown.known.segments, config.segment_id, '–') })}
${tick(shown, 'include_present', texts.present, config.include_present === true)}`,
)}
${ofChoice(
  'of-date',
  html`${dateFields(shown, '', config)}${ask(shown, { name: 'every', label: texts.every, value: config.every ?? '', options: every })}`,
)}
${ofChoice('of-manual', html`<p class="hint">${texts.manual[shown.language]}</p>`)}`;
}

interface GivenDate {
  readonly field?: string;
  readonly offset_days?: number | undefined;
  readonly at?: string;
  readonly zone?: string;
}

/** The date in a field of a person. `path` ends with a dot, or is empty. */
export const dateFields = (
  shown: FieldContext,
  path: string,
  { field = '', offset_days, at = '', zone }: GivenDate,
): Html =>
  html`${ask(shown, { name: `${path}date.field`, path: `${path}field`, label: texts.dateField, hint: texts.dateHint, value: field })}
${ask(shown, { name: `${path}offset_days`, label: texts.offset, hint: texts.offsetHint, value: offset_days === undefined ? '' : String(offset_days) })}
<div class="beside">${ask(shown, { name: `${path}at`, label: texts.at, type: 'time', value: at })}
${zoneField(shown, `${path}zone`, zone)}</div>`;

export function dateIn(form: URLSearchParams, path: string) {
  const text = (name: string) => textIn(form, `${path}${name}`);
  return compact({
    field: text('date.field'),
    offset_days: numberIn(form, `${path}offset_days`),
    at: text('at'),
    zone: text('zone'),
  });
}

const commonZones = ['UTC', 'Europe/Paris', 'Europe/London', 'America/New_York', 'America/Los_Angeles', 'Asia/Tokyo'];

export const zoneField = (shown: FieldContext, name: string, value = 'UTC'): Html =>
  ask(shown, { name, label: texts.zone, value, suggestions: commonZones });

/** The trigger that was posted. */
export function triggerIn(form: URLSearchParams): unknown {
  const text = (name: string) => textIn(form, name) ?? '';
  const value = (name: string) => (text(name) === '' ? undefined : readValue(text(name)));
  const source = form.get('source') ?? '';
  switch (source) {
    case 'event':
      return compact({ event_name: text('event_name'), filter_rule: ruleIn(form, 'filter_rule') });
    case 'subscribed':
      return compact({ source, include_imports: isTicked(form, 'include_imports') || undefined });
    case 'tag_added':
      return { source, tag: text('tag') };
    case 'field_changed':
      return compact({ source, field: text('changed.field'), from: value('from'), to: value('to') });
    case 'segment_entered':
      return compact({
        ...{ source, segment_id: text('segment_id') },
        include_present: isTicked(form, 'include_present') || undefined,
      });
    case 'date':
      return compact({ source, every: text('every') || undefined, ...dateIn(form, '') });
    default:
      return { source };
  }
}
