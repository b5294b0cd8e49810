import type { AutomationStep, UpdateConfig } from '../../../../../domain/automation/automation.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import {
  ask,
  compact,
  type FieldContext,
  listIn,
  readValue,
  textIn,
  valuesIn,
  withStored,
  writtenValue,
  writtenValues,
} from './fields.ts';
import { fieldTexts as texts } from './fieldTexts.ts';
import { messageFields, messageIn } from './messageFields.ts';
import { ruleFields } from './ruleFields.ts';
import { ruleIn } from './ruleRows.ts';
import { triggerFields, triggerIn } from './triggerFields.ts';
import { delayFields, delayIn, waitFields, waitIn } from './waitingFields.ts';

export type StepType = AutomationStep['type'];
type ConfigOf<Type extends StepType> = Extract<AutomationStep, { type: Type }>['config'];

/** The name of the field of a condition's rule, which is the whole of its config. */
export const conditionField = 'rule';

interface StepForm<Type extends StepType> {
  /** What a new step begins with. */
  readonly initial: ConfigOf<Type>;
  /** What a new step is called, until it is named. */
  readonly key: string;
  fields(shown: FieldContext, config: ConfigOf<Type>): Html;
  /** The config that was posted, for the contract to check. */
  read(form: URLSearchParams): unknown;
}

/** The fields of each type of step. */
export const stepForms: { readonly [Type in StepType]: StepForm<Type> } = {
  trigger: { key: 'start', initial: { source: 'subscribed' }, fields: triggerFields, read: triggerIn },
  send_email: { key: 'message', initial: {}, fields: messageFields, read: messageIn },
  delay: { key: 'pause', initial: { duration: '1 day' }, fields: delayFields, read: delayIn },
  wait_for_event: { key: 'wait', initial: { timeout: '3 days' }, fields: waitFields, read: waitIn },
  condition: {
    ...{ key: 'choice', initial: { all: [] } },
    fields: (shown, rule) => ruleFields(shown, { name: conditionField, legend: texts.condition, place: 'rule', rule }),
    read: (form) => ruleIn(form, conditionField) ?? {},
  },
  subscriber_update: { key: 'update', initial: {}, fields: updateFields, read: updateIn },
  webhook: {
    ...{ key: 'report', initial: { webhook_id: '' } },
    fields: (shown, { webhook_id: id, data }) =>
      html`${ask(shown, {
        ...{ name: 'webhook_id', label: texts.webhook, hint: texts.webhookHint, value: id },
        options: withStored(shown.known.webhooks, id || undefined, '–'),
      })}${ask(shown, { name: 'data', label: texts.data, hint: texts.valuesHint, type: 'textarea', value: writtenValues(data) })}`,
    read: (form) => compact({ webhook_id: textIn(form, 'webhook_id') ?? '', data: valuesIn(form, 'data') }),
  },
  exit: {
    ...{ key: 'end', initial: {} },
    fields: (shown, { reason = '' }) =>
      ask(shown, { name: 'reason', label: texts.reason, hint: texts.reasonHint, value: reason }),
    read: (form) => compact({ reason: textIn(form, 'reason') }),
  },
};

function updateFields(
  shown: FieldContext,
  { add_tags = [], remove_tags = [], fields, firstName, lastName }: UpdateConfig,
): Html {
  return html`${ask(shown, { name: 'add_tags', type: 'textarea', label: texts.addTags, hint: texts.listHint, value: add_tags.join('\n') })}
${ask(shown, { name: 'remove_tags', type: 'textarea', label: texts.removeTags, hint: texts.listHint, value: remove_tags.join('\n') })}
${ask(shown, { name: 'fields', label: texts.fields, hint: texts.valuesHint, type: 'textarea', value: writtenValues(fields) })}
${ask(shown, { name: 'firstName', label: texts.firstName, hint: texts.nameHint, value: nameWritten(firstName) })}
${ask(shown, { name: 'lastName', label: texts.lastName, hint: texts.nameHint, value: nameWritten(lastName) })}`;
}

const nameWritten = (name: unknown): string => (typeof name === 'string' ? name : writtenValue(name));

/** A name is a text, a variable, or null, which removes it. */
function nameIn(form: URLSearchParams, field: string): unknown {
  const text = textIn(form, field);
  const value = text === undefined ? undefined : readValue(text);
  return value === null || (typeof value === 'object' && 'var' in value) ? value : text;
}

function updateIn(form: URLSearchParams): unknown {
  return compact({
    ...{
      add_tags: listIn(form, 'add_tags'),
      remove_tags: listIn(form, 'remove_tags'),
      fields: valuesIn(form, 'fields'),
    },
    ...{ firstName: nameIn(form, 'firstName'), lastName: nameIn(form, 'lastName') },
  });
}
