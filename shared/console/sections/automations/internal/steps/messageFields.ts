import type { AutomationStep } from '../../../../../domain/automation/automation.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import {
  ask,
  bodyIn,
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
  valuesIn,
  withStored,
  writtenValues,
} from './fields.ts';
import { fieldTexts as texts } from './fieldTexts.ts';

type SendConfig = Extract<AutomationStep, { type: 'send_email' }>['config'];

/** The message, and behind it what is usually left as the automation and the workspace have it. */
export function messageFields(shown: FieldContext, config: SendConfig): Html {
  const { template, subject = '', html: body = '', text = '', from = '', reply_to: replyTo = [], track, tag } = config;
  const { known, language } = shown;
  const isTemplate = template !== undefined;
  const contents = optionsOf(shown, ['written', 'template'] as const, {
    written: texts.written,
    template: texts.template,
  });
  const late = optionsOf(shown, ['usual', 'own', 'never'] as const, {
    ...{ usual: texts.asSet, own: texts.lateOwn, never: texts.lateNever },
  });
  const failing = optionsOf(shown, ['end', 'continue'] as const, { end: texts.failEnd, continue: texts.failContinue });
  const lateNow = config.max_delay === undefined ? 'usual' : config.max_delay === null ? 'never' : 'own';
  return html`${ask(shown, { name: 'content', label: texts.content, value: isTemplate ? 'template' : 'written', options: contents })}
${ask(shown, { name: 'subject', label: texts.subject, hint: texts.subjectHint, value: subject })}
${ofChoice(
  'of-written',
  html`${ask(shown, { name: 'html', label: texts.html, hint: texts.mergeHint, type: 'textarea', value: body })}
${ask(shown, { name: 'text', label: texts.text, type: 'textarea', value: text })}`,
)}
${ofChoice(
  'of-template',
  html`${ask(shown, { name: 'template.id', label: texts.template, value: template?.id ?? '', options: withStored(known.templates, template?.id, '–') })}
${ask(shown, { name: 'template.version', label: texts.version, hint: texts.versionHint, value: template?.version === undefined ? '' : String(template.version) })}
${ask(shown, { name: 'template.variables', label: texts.variables, hint: texts.valuesHint, type: 'textarea', value: writtenValues(template?.variables) })}`,
)}
<details${hasOwnSettings(config) || shown.filled.issues.length > 0 ? html` open` : null}><summary>${texts.moreSettings[language]}</summary>
${ask(shown, { name: 'from', label: texts.sender, hint: texts.senderHint, value: from, suggestions: known.senders })}
${ask(shown, { name: 'reply_to', type: 'textarea', label: texts.replyTo, hint: texts.listHint, value: replyTo.join('\n') })}
${ask(shown, { name: 'tag', label: texts.topic, value: tag ?? '', options: withStored(known.topics, tag, texts.asSet[language]) })}
${trackFields(shown, track ?? null)}
${ask(shown, { name: 'late', label: texts.late, value: lateNow, options: late })}
${ofChoice('of-own', durationFields(shown, 'max_delay', texts.maxDelay, config.max_delay))}
${ask(shown, { name: 'on_failure', label: texts.onFailure, value: config.on_failure ?? 'end', options: failing })}
</details>`;
}

const hasOwnSettings = ({ from, reply_to, track, tag, max_delay, on_failure }: SendConfig): boolean =>
  [from, reply_to, track, tag, max_delay, on_failure].some((one) => one !== undefined);

export function messageIn(form: URLSearchParams): unknown {
  const text = (name: string) => textIn(form, name);
  const late = text('late');
  const isTemplate = text('content') === 'template';
  const template = compact({
    id: text('template.id') ?? '',
    version: numberIn(form, 'template.version'),
    variables: isTemplate ? valuesIn(form, 'template.variables') : undefined,
  });
  return compact({
    subject: text('subject'),
    ...(isTemplate ? { template } : { html: bodyIn(form, 'html'), text: bodyIn(form, 'text') }),
    ...{ from: text('from'), reply_to: listIn(form, 'reply_to'), tag: text('tag'), track: trackIn(form) },
    max_delay: late === 'never' ? null : late === 'own' ? (durationIn(form, 'max_delay') ?? '') : undefined,
    on_failure: text('on_failure') === 'continue' ? 'continue' : undefined,
  });
}
