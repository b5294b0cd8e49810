import { problemsOfDraft, type WrittenDraft } from '../../../../contract/schemas/campaign/draft.ts';
import { type Html, html } from '../../../../pages/html.ts';
import type { OpenDraft } from '../../../../services/campaigns/operator/draft.ts';
import { readDraft } from '../../../../services/campaigns/operator/draft.ts';
import { listKinds } from '../../../../services/kinds/list.ts';
import { listSegments } from '../../../../services/segments/list.ts';
import { listSenders } from '../../../../services/senders/list.ts';
import { knownFields } from '../../../../services/subscribers/knownFields.ts';
import { editorFiles } from '../../../assets/campaigns/editor.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf, redirect } from '../../../call.ts';
import { type Filled, formOf, problemsOf, untouched } from '../../../frame/form.ts';
import { pageOf } from '../../../frame/layout.ts';
import { cardOf, linkButton, momentOf } from '../../../frame/parts.ts';
import { campaignPath } from '../list.ts';
import { blockList, blockTemplates } from './blockForm.ts';
import { dialogs } from './dialogs.ts';
import { envelopeForm } from './envelopeForm.ts';
import { isShared, issuesOfFields } from './issues.ts';
import { previewPane } from './previewPane.ts';
import { shownVariant } from './readForm.ts';
import { testForm, variantSwitch } from './testForm.ts';
import { scriptTexts, editorTexts as texts } from './texts.ts';

/** GET: the draft as it is saved; with `check` it says what is still missing. */
export async function showEditor(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, parameters, places, query } = call;
  const open = await readDraft(context, { id: parameters.id ?? '' });
  if (open.status !== 'draft' || !may(call, 'change')) return redirect(placeOf(call, campaignPath(open.id)));
  const issues = query.has('check') ? problemsOfDraft(open.draft) : [];
  const asked = new URLSearchParams(query);
  asked.set('as', (await places.open(query.get('as') ?? '')) ?? '');
  return editorPage(call, open, { draft: open.draft, filled: { ...untouched, issues }, asked });
}

interface Shown {
  /** What stands in the form: what is saved, or what could not be. */
  readonly draft: WrittenDraft;
  readonly filled: Filled;
  /** What says which variant is written, and how and as whom the preview is seen. */
  readonly asked: URLSearchParams;
  /** True for a form whose draft was changed elsewhere meanwhile. */
  readonly isOvertaken?: boolean;
}

export async function editorPage(call: ConsoleCall, open: OpenDraft, shown: Shown): Promise<ConsoleReply> {
  const { context, language } = call;
  const { draft, asked, isOvertaken = false } = shown;
  const reading = listSegments(context);
  const [senders, segments, kinds, fields] = await Promise.all([
    listSenders(context),
    reading,
    listKinds(context),
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
      action: placeOf(call, `${path}/edit`),
      className: 'editor',
      hidden: { revision: String(open.revision), view: asked.get('view') ?? '' },
    },
    html`${toolbar(call, open, wasSent && (isOvertaken || filled.issues.length > 0))}
<div class="halves"><div>${cardOf(texts.envelope[language], envelopeForm(language, filled, draft, { senders, segments, kinds }))}
${cardOf(
  texts.message[language],
  html`${variantSwitch(language, draft, variant, shared)}${blockList({ language, filled }, 'content', draft.variants[variant]?.blocks ?? [])}`,
)}
${cardOf(texts.test[language], testForm(language, filled, draft))}</div>
${previewPane(call, open, variant, asked)}</div>`,
  );
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    room: 'campaigns',
    parent: { label: draft.name, path },
    title: texts.title[language].replace('{name}', () => draft.name),
    body: html`${isOvertaken ? overtaken(call, open) : null}${wasSent ? problemsOf(filled, language, namesOf(draft, variant)) : stillMissing(call, filled)}
${form}${dialogs(language, fields)}${blockTemplates(language)}`,
    files: editorFiles(),
    status: isOvertaken ? 409 : isWrong && wasSent ? 422 : 200,
    isWrong: isWrong && wasSent,
  });
}

const rulesOf = (segments: Awaited<ReturnType<typeof listSegments>>) => segments.map(({ rule }) => rule);

/** Save is the first button of the form, so that Enter saves and does nothing else. */
function toolbar(call: ConsoleCall, { updatedAt }: OpenDraft, isRefused: boolean): Html {
  const { language } = call;
  const says = Object.entries(scriptTexts).map(([name, text]) => html` data-${name}="${text[language]}"`);
  const state = isRefused
    ? html`<span class="soft small bad" role="status" data-status data-pending${says}>${scriptTexts.unsaved[language]}</span>`
    : html`<span class="soft small" role="status" data-status${says}>${scriptTexts.saved[language]} · ${momentOf(updatedAt, language)}</span>`;
  return html`<div class="bar"><button name="do" value="save">${texts.save[language]}</button>
<button type="button" class="plain" data-undo disabled hidden>${texts.undo[language]}</button>
<button type="button" class="plain" data-redo disabled hidden>${texts.redo[language]}</button>
<button class="plain" name="do" value="check" data-leaves>${texts.check[language]}</button>
<a class="button plain toPreview" href="#preview">${texts.preview[language]}</a>
${state}</div>
<div class="say warn" data-offered hidden></div>`;
}

function stillMissing({ language }: ConsoleCall, { issues }: Filled): Html | null {
  return issues.length === 0 ? null : html`<div class="say warn" role="status"><p>${texts.missing[language]}</p></div>`;
}

function overtaken(call: ConsoleCall, { id }: OpenDraft): Html {
  const { language } = call;
  return html`<div class="say bad" role="alert"><p>${texts.overtakenWhat[language]}</p>
<p>${linkButton(texts.reload[language], placeOf(call, `${campaignPath(id)}/edit`))}</p></div>`;
}

/** Every field that tells its own problems; what belongs to none of them is told above. */
function namesOf({ variants }: WrittenDraft, shown: number): string[] {
  const others = variants.flatMap((_, number) => [
    `ab_test.variants[${number}].subject`,
    `ab_test.variants[${number}].preheader`,
  ]);
  const rules = ['ab_test.test_share', 'ab_test.wait_hours', 'ab_test.decide_by'];
  const blocks = (variants[shown]?.blocks ?? []).map((_, index) => `content[${index}]`);
  return ['name', 'subject', 'preheader', 'from', 'segment_id', 'tag', ...rules, ...others, ...blocks];
}
