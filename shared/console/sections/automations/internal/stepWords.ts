import type {
  AutomationStep,
  DelayConfig,
  Trigger,
  UpdateConfig,
  WaitConfig,
} from '../../../../domain/automation/automation.ts';
import { type Language, languages } from '../../../../language/languages.ts';
import type { Text } from '../../../../language/text.ts';
import { type Html, html, type Insertable } from '../../../../pages/html.ts';
import { stepTexts as texts } from './automationTexts.ts';
import { writtenValue } from './steps/fields.ts';
import { ruleWords } from './steps/ruleRows.ts';

/** A text with values in the places of `{x}`; texts of people keep their own direction. */
function filled(text: Text, language: Language, values: Readonly<Record<string, Insertable>>): Html {
  const parts = text[language].split(/\{(\w+)\}/);
  return html`${parts.map((part, index) => html`${index % 2 === 0 ? part : (values[part] ?? '')}`)}`;
}

const named = (name: string): Html => html`<code>${name}</code>`;
const longest = 90;
/** A rule or a value as it is written, shortened. */
const shortened = (text: string): Html =>
  html`<code>${text.length > longest ? `${text.slice(0, longest)}…` : text}</code>`;
const json = (value: unknown): Html => shortened(JSON.stringify(value));

/** `3 days` in the words of the reader. */
export function durationWords(duration: string, language: Language): string {
  const [, count = '0', unit = ''] = /^(\d+) (minute|hour|day|week)s?$/.exec(duration) ?? [];
  if (unit === '') return duration;
  const format = new Intl.NumberFormat(languages[language].locale, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Number(count));
}

/** What starts a run. */
function triggerWords(trigger: Trigger, language: Language): Html {
  if ('event_name' in trigger) {
    const event = filled(texts.event, language, { x: named(trigger.event_name) });
    return trigger.filter_rule
      ? html`${event}${filled(texts.filtered, language, { x: ruleWords(trigger.filter_rule, language) ?? json(trigger.filter_rule) })}`
      : event;
  }
  switch (trigger.source) {
    case 'subscribed':
      return html`${texts.subscribed[language]}`;
    case 'tag_added':
      return filled(texts.tagAdded, language, { x: named(trigger.tag) });
    case 'field_changed':
      return filled(texts.fieldChanged, language, { x: named(trigger.field) });
    case 'segment_entered':
      return filled(texts.segmentEntered, language, { x: named(trigger.segment_id) });
    case 'date':
      return filled(texts.date, language, { x: named(trigger.field), at: trigger.at, zone: trigger.zone });
    case 'manual':
      return html`${texts.manual[language]}`;
  }
}

/** What a step does, in one sentence. */
export function stepWords(step: AutomationStep, language: Language): Html {
  switch (step.type) {
    case 'trigger':
      return filled(texts.starts, language, { x: triggerWords(step.config, language) });
    case 'send_email': {
      const { subject, template } = step.config;
      const message =
        subject !== undefined
          ? html`<b><bdi>${subject}</bdi></b>`
          : filled(texts.template, language, { x: named(template?.id ?? '') });
      return filled(texts.send, language, { x: message });
    }
    case 'delay':
      return filled(texts.delay, language, { x: delayWords(step.config, language) });
    case 'wait_for_event':
      return filled(texts.wait, language, {
        x: awaited(step.config, language),
        time: durationWords(step.config.timeout, language),
      });
    case 'condition':
      return filled(texts.condition, language, { x: ruleWords(step.config, language) ?? json(step.config) });
    case 'subscriber_update':
      return filled(texts.update, language, { x: changes(step.config) });
    case 'webhook':
      return filled(texts.webhook, language, { x: named(step.config.webhook_id) });
    case 'exit':
      return filled(texts.exit, language, {
        x: step.config.reason === undefined ? '' : html`(<bdi>${step.config.reason}</bdi>)`,
      });
  }
}

function delayWords({ duration, until, until_field }: DelayConfig, language: Language): Html {
  if (until_field) {
    const { field, at, zone } = until_field;
    return filled(texts.untilField, language, { x: named(field), at, zone });
  }
  const time = until ? filled(texts.until, language, { x: until.time, zone: until.zone }) : null;
  return html`${duration === undefined ? '' : `${durationWords(duration, language)} `}${time}`;
}

function awaited({ event_name, step = '', mail }: WaitConfig, language: Language): Html {
  if (event_name !== undefined) return filled(texts.waitEvent, language, { x: named(event_name) });
  return filled(mail === 'clicked' ? texts.waitClicked : texts.waitOpened, language, { x: named(step) });
}

function changes({ add_tags = [], remove_tags = [], ...values }: UpdateConfig): Html {
  const tags = [...add_tags.map((tag) => `+${tag}`), ...remove_tags.map((tag) => `−${tag}`)];
  const others = { ...values.fields, ...('firstName' in values && { firstName: values.firstName }) };
  const named = { ...others, ...('lastName' in values && { lastName: values.lastName }) };
  return html`${tags.map((tag) => html`<code>${tag}</code> `)}${Object.entries(named).map(
    ([name, value]) => html`${shortened(`${name} = ${writtenValue(value)}`)} `,
  )}`;
}
