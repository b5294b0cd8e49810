import { problemsOfDraft, type WrittenDraft } from '../../../../../contract/schemas/campaignDraft.ts';
import type { WrittenBody } from '../../../../../domain/content/block.ts';
import type { Language } from '../../../../../language/languages.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import { type OpenDraft, readDraft } from '../../../../../services/campaigns/drafts.ts';
import { listSegments, type SegmentRecord } from '../../../../../services/segments.ts';
import { listSenders } from '../../../../../services/senders.ts';
import { type KnownField, knownFields } from '../../../../../services/subscribers/knownFields.ts';
import { listTopics } from '../../../../../services/topics.ts';
import { type ConsoleCall, type ConsoleReply, may, redirect } from '../../../../call.ts';
import { cardOf, linkButton, momentOf } from '../../../../layout/elements.ts';
import { emptyForm, type FormState, field, formOf, problemsOf } from '../../../../layout/form.ts';
import { layoutTexts } from '../../../../layout/layoutTexts.ts';
import { pageOf } from '../../../../layout/page.ts';
import { pathOf } from '../../../../paths.ts';
import { campaignPath, letterOf, sealedIfAddress } from '../campaignElements.ts';
import { blockList, blockTemplates } from './blockForm.ts';
import { scriptTexts, editorTexts as texts } from './editorTexts.ts';
import { envelopeForm, testForm, variantSwitch } from './envelopeForm.ts';
import { isShared, issuesOfFields, shownVariant } from './readForm.ts';

/** GET: the saved draft; with the parameter `check` it also lists what is missing. */
export async function showEditor(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, parameters, places, query } = call;
  const open = await readDraft(context, { id: parameters.id ?? '' });
  if (open.status !== 'draft' || !may(call, 'change')) return redirect(pathOf(call, campaignPath(open.id)));
  const issues = query.has('check') ? problemsOfDraft(open.draft) : [];
  const asked = new URLSearchParams(query);
  asked.set('as', (await places.open(query.get('as') ?? '')) ?? '');
  return editorPage(call, open, { draft: open.draft, filled: { ...emptyForm, issues }, asked });
}

interface Shown {
  /** The content of the form: the saved draft, or the one that could not be saved. */
  readonly draft: WrittenDraft;
  readonly filled: FormState;
  /** Parameters that choose the variant and how the preview is shown. */
  readonly asked: URLSearchParams;
  /** True when the draft was changed elsewhere after the form was opened. */
  readonly isOvertaken?: boolean;
}

export async function editorPage(call: ConsoleCall, open: OpenDraft, shown: Shown): Promise<ConsoleReply> {
  const { context, language } = call;
  const { draft, asked, isOvertaken = false } = shown;
  const reading = listSegments(context).then(({ entries }) => entries);
  const [senders, segments, kinds, fields] = await Promise.all([
    listSenders(context),
    reading,
    listTopics(context).then(({ entries }) => entries),
    reading.then((found) => knownFields(context, rulesOf(found))),
  ]);
  const variant = Math.min(shownVariant(asked), draft.variants.length - 1);
  const shared = isShared(draft) && !asked.has('variant');
  const filled = { ...shown.filled, issues: issuesOfFields(shown.filled.issues, variant, shared) };
  const path = campaignPath(open.id);
  const wasSent = call.request.method === 'POST';
  const form = formOf(
    call,
    {
      action: pathOf(call, `${path}/edit`),
      className: 'editor',
      hidden: { revision: String(open.revision), view: asked.get('view') ?? '' },
    },
    html`${toolbar(call, open, wasSent && (isOvertaken || filled.issues.length > 0))}
<div class="halves"><div>${cardOf(texts.envelope[language], envelopeForm(language, filled, draft, { senders, segments, kinds }))}
${cardOf(
  texts.message[language],
  html`${variantSwitch(language, draft, variant, shared)}${messageOf({ language, filled }, draft.variants[variant])}`,
)}
${cardOf(texts.test[language], testForm(language, filled, draft))}</div>
${previewPane(call, open, variant, asked)}</div>`,
  );
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    section: 'campaigns',
    parent: { label: draft.name, path },
    title: texts.title[language].replace('{name}', () => draft.name),
    body: html`${isOvertaken ? overtaken(call, open) : null}${wasSent ? problemsOf(filled, language, namesOf(draft, variant)) : stillMissing(call, filled)}
${form}${dialogs(language, fields)}${blockTemplates(language)}`,
    files: { style: 'editor.css', script: 'editor/editor.js' },
    status: isOvertaken ? 409 : isWrong && wasSent ? 422 : 200,
    isWrong: isWrong && wasSent,
  });
}

/** The blocks of a message, or its HTML, which is only shown. */
function messageOf(frame: Parameters<typeof blockList>[0], body: WrittenBody | undefined): Html {
  if (body?.html === undefined) return blockList(frame, 'content', body?.blocks ?? []);
  const { language } = frame;
  const problems = frame.filled.issues.filter(({ path }) => path === 'html' || path === 'plain_text');
  const part = (name: 'htmlSource' | 'htmlText', text: string | null | undefined) =>
    text ? html`<details><summary>${texts[name][language]}</summary><pre tabindex="0">${text}</pre></details>` : null;
  return html`<p class="soft" id="html">${texts.htmlWhat[language]}</p>
${problems.map(({ text }) => html`<p class="problem">${text[language]}</p>`)}
${part('htmlSource', body.html)}${part('htmlText', body.plainText)}<ol data-list data-base="content" hidden></ol>`;
}

const rulesOf = (segments: readonly SegmentRecord[]) => segments.map(({ rule }) => rule);

/** Save is the first button of the form, so that the Enter key saves and does nothing else. */
function toolbar(call: ConsoleCall, { updatedAt }: OpenDraft, isRefused: boolean): Html {
  const { language } = call;
  const says = Object.entries(scriptTexts).map(([name, text]) => html` data-${name}="${text[language]}"`);
  const state = isRefused
    ? html`<span class="soft small bad" role="status" data-status data-pending${says}>${scriptTexts.unsaved[language]}</span>`
    : html`<span class="soft small" role="status" data-status${says}>${scriptTexts.saved[language]} · ${momentOf(updatedAt, language)}</span>`;
  return html`<div class="bar"><button name="do" value="save">${texts.save[language]}</button>
<button type="button" class="plain" data-undo disabled hidden>${texts.undo[language]}</button>
<button type="button" class="plain" data-redo disabled hidden>${texts.redo[language]}</button>
<button class="plain" name="do" value="check" data-navigates>${texts.check[language]}</button>
<a class="button plain toPreview" href="#preview">${texts.preview[language]}</a>
${state}</div>
<div class="say warn" data-backup hidden></div>`;
}

function stillMissing({ language }: ConsoleCall, { issues }: FormState): Html | null {
  return issues.length === 0 ? null : html`<div class="say warn" role="status"><p>${texts.missing[language]}</p></div>`;
}

function overtaken(call: ConsoleCall, { id }: OpenDraft): Html {
  const { language } = call;
  return html`<div class="say bad" role="alert"><p>${texts.overtakenWhat[language]}</p>
<p>${linkButton(texts.reload[language], pathOf(call, `${campaignPath(id)}/edit`))}</p></div>`;
}

/** The fields that show their own problems. The summary at the top shows all other problems. */
function namesOf({ variants }: WrittenDraft, shown: number): string[] {
  const others = variants.flatMap((_, number) => [
    `ab_test.variants[${number}].subject`,
    `ab_test.variants[${number}].preheader`,
  ]);
  const rules = ['ab_test.test_share', 'ab_test.wait_hours', 'ab_test.decide_by'];
  const blocks = (variants[shown]?.blocks ?? []).map((_, index) => `content[${index}]`);
  return [
    'name',
    'subject',
    'preheader',
    'from',
    'segment_id',
    'tag',
    'reply_to',
    ...rules,
    ...others,
    ...blocks,
    'html',
    'plain_text',
  ];
}

const views = ['desktop', 'phone', 'dark', 'plain'] as const;

/** The saved message in a sandboxed frame. The buttons of the preview save first, so that no change is lost. */
function previewPane(call: ConsoleCall, open: OpenDraft, variant: number, asked: URLSearchParams): Html {
  const { language } = call;
  const view = views.find((one) => one === asked.get('view')) ?? 'desktop';
  const source = pathOf(call, `${campaignPath(open.id)}/message`);
  const buttons = views.map(
    (one) =>
      html`<button class="plain small" name="do" value="view:${one}" data-view="${one}" aria-pressed="${one === view ? 'true' : 'false'}">${texts[one][language]}</button>\n`,
  );
  const written = asked.get('as') ?? '';
  const as = sealedIfAddress(call, written);
  const query = { view, variant: variant === 0 ? undefined : String(variant), as };
  const title =
    open.draft.variants.length > 1
      ? `${texts.preview[language]} – ${texts.wholeVariant[language].replace('{letter}', letterOf(variant))}`
      : texts.preview[language];
  const person = { values: new URLSearchParams({ as: written }), issues: [] };
  return html`<section class="card shown" id="preview" aria-label="${title}"><h2>${title}</h2><div class="row views">${buttons}</div>
<div class="as">${field(person, language, { name: 'as', label: texts.as[language], hint: texts.asHint[language], type: 'search' })}
<button class="plain" name="do" value="view:${view}" data-as>${texts.show[language]}</button></div>
<iframe sandbox="" class="${view}" src="${pathOf(call, `${campaignPath(open.id)}/message`, query)}" data-frame="${source}" data-variant="${variant}" data-as="${as ?? ''}" title="${title}"></iframe></section>`;
}

/** Dialogs that the script opens for a merge field or a link. Without the script they explain how to write both. */
function dialogs(language: Language, known: readonly KnownField[]): Html {
  const text = (name: keyof typeof texts) => texts[name][language];
  const which = [
    ['firstName', text('firstName')] as const,
    ['lastName', text('lastName')] as const,
    ['email', text('email')] as const,
    ...known.map(({ name, label }) => [`fields.${name}`, label === null ? name : `${label} (${name})`] as const),
    ['fields', text(known.length > 0 ? 'otherField' : 'ownField')] as const,
  ];
  const end = html`<div class="row"><button value="insert">${text('insert')}</button><button class="plain" value="">${layoutTexts.cancel[language]}</button></div>`;
  return html`<dialog data-dialog="merge" aria-labelledby="merge-title"><form method="dialog"><h2 id="merge-title">${text('merge')}</h2>
${field(emptyForm, language, { name: 'merge-which', label: text('mergeWhich'), options: which })}
<div data-own-field>${field(emptyForm, language, { name: 'merge-name', label: text('ownFieldName') })}</div>
${field(emptyForm, language, { name: 'merge-fallback', label: text('fallback'), hint: text('fallbackHint') })}${end}</form></dialog>
<dialog data-dialog="link" aria-labelledby="link-title"><form method="dialog"><h2 id="link-title">${text('link')}</h2>
${field(emptyForm, language, { name: 'link-label', label: text('linkLabel') })}
${field(emptyForm, language, { name: 'link-address', label: text('linkAddress'), type: 'url' })}${end}</form></dialog>
<template data-tools><div class="row marks" role="group"><button type="button" class="tool" data-mark="bold" title="${text('bold')} (Ctrl+B)"><b aria-hidden="true">B</b><span class="quiet">${text('bold')}</span></button>
<button type="button" class="tool" data-mark="italic" title="${text('italic')} (Ctrl+I)"><i aria-hidden="true">I</i><span class="quiet">${text('italic')}</span></button>
<button type="button" class="tool" data-mark="link" title="${text('link')} (Ctrl+K)">${text('link')}</button>
<button type="button" class="tool" data-mark="merge" title="${text('merge')} (Ctrl+M)">${text('merge')}</button></div></template>
<noscript><details class="card"><summary>${text('markup')}</summary><p><code>**${text('bold')}**</code> · <code>*${text('italic')}*</code> · <code>[${text('linkLabel')}](https://example.com)</code></p>
<p>${which.map(([name, label]) => html`<code>{{${name === 'fields' ? 'fields.city' : name}|${text('fallback')}}}</code> ${label}<br>`)}</p></details></noscript>`;
}
