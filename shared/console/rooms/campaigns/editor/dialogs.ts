import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import type { KnownField } from '../../../../services/subscribers/knownFields.ts';
import { field, untouched } from '../../../frame/form.ts';
import { frameTexts } from '../../../frame/texts.ts';
import { editorTexts as texts } from './texts.ts';

/** What the script opens beside a text: a merge field with its fallback, a link. And, without it, how both are written. */
export function dialogs(language: Language, known: readonly KnownField[]): Html {
  const text = (name: keyof typeof texts) => texts[name][language];
  const which = [
    ['firstName', text('firstName')] as const,
    ['lastName', text('lastName')] as const,
    ['email', text('email')] as const,
    ...known.map(({ name, label }) => [`fields.${name}`, label === null ? name : `${label} (${name})`] as const),
    ['fields', text(known.length > 0 ? 'otherField' : 'ownField')] as const,
  ];
  const end = html`<div class="row"><button value="insert">${text('insert')}</button><button class="plain" value="">${frameTexts.cancel[language]}</button></div>`;
  return html`<dialog data-dialog="merge" aria-labelledby="merge-title"><form method="dialog"><h2 id="merge-title">${text('merge')}</h2>
${field(untouched, language, { name: 'merge-which', label: text('mergeWhich'), options: which })}
<div data-own-field>${field(untouched, language, { name: 'merge-name', label: text('ownFieldName') })}</div>
${field(untouched, language, { name: 'merge-fallback', label: text('fallback'), hint: text('fallbackHint') })}${end}</form></dialog>
<dialog data-dialog="link" aria-labelledby="link-title"><form method="dialog"><h2 id="link-title">${text('link')}</h2>
${field(untouched, language, { name: 'link-label', label: text('linkLabel') })}
${field(untouched, language, { name: 'link-address', label: text('linkAddress'), type: 'url' })}${end}</form></dialog>
<template data-tools><div class="row marks" role="group"><button type="button" class="tool" data-mark="bold" title="${text('bold')} (Ctrl+B)"><b aria-hidden="true">B</b><span class="quiet">${text('bold')}</span></button>
<button type="button" class="tool" data-mark="italic" title="${text('italic')} (Ctrl+I)"><i aria-hidden="true">I</i><span class="quiet">${text('italic')}</span></button>
<button type="button" class="tool" data-mark="link" title="${text('link')} (Ctrl+K)">${text('link')}</button>
<button type="button" class="tool" data-mark="merge" title="${text('merge')} (Ctrl+M)">${text('merge')}</button></div></template>
<noscript><details class="card"><summary>${text('markup')}</summary><p><code>**${text('bold')}**</code> · <code>*${text('italic')}*</code> · <code>[${text('linkLabel')}](https://example.com)</code></p>
<p>${which.map(([name, label]) => html`<code>{{${name === 'fields' ? 'fields.city' : name}|${text('fallback')}}}</code> ${label}<br>`)}</p></details></noscript>`;
}
