import { ServiceError, ValidationError } from '../../../../../contract/errors.ts';
import { readMailbox } from '../../../../../domain/address.ts';
import { testSizes } from '../../../../../domain/campaign/campaign.ts';
import { inEachLanguage } from '../../../../../language/languages.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import { type OpenDraft, readDraft } from '../../../../../services/campaigns/drafts.ts';
import { blockedReasonOf, dryRunOf } from '../../../../../services/campaigns/preflight.ts';
import { sendCampaign } from '../../../../../services/campaigns/sendCampaign.ts';
import { type ConsoleCall, type ConsoleReply, may, redirect } from '../../../../call.ts';
import { deferredPart, partOf } from '../../../../layout/deferred.ts';
import { cardOf, linkButton, numberOf } from '../../../../layout/elements.ts';
import { emptyForm, type FormState, field, formOf, problemsOf } from '../../../../layout/form.ts';
import { layoutTexts } from '../../../../layout/layoutTexts.ts';
import { pageOf } from '../../../../layout/page.ts';
import { pathOf } from '../../../../paths.ts';
import { audienceName, campaignPath, topicNoteOf } from '../campaignElements.ts';
import { countLater, countOf } from './audience.ts';
import { sendingTexts as texts } from './sendingTexts.ts';

export async function askSend(call: ConsoleCall, filled: FormState | null = null): Promise<ConsoleReply> {
  const { context, language, parameters, query } = call;
  const open = await readDraft(context, { id: parameters.id ?? '' });
  const path = campaignPath(open.id);
  if (open.status !== 'draft' || !may(call, 'change')) return redirect(pathOf(call, path));
  if (filled || query.has('count')) return countAndAsk(call, open, filled ?? emptyForm);
  if ((await blockedReasonOf(context, open)) !== null) return redirect(pathOf(call, `${path}/check`));
  const href = pathOf(call, `${path}/send`, { count: 'yes' });
  return sendPage(call, open, html`${countLater(language, href)}${deferredPart(agreePart, href, null)}`, emptyForm);
}

async function countAndAsk(call: ConsoleCall, open: OpenDraft, filled: FormState): Promise<ConsoleReply> {
  const { context, language } = call;
  const { blocked, recipients } = await dryRunOf(context, open.id);
  if (blocked !== null || recipients === null) {
    return redirect(pathOf(call, `${campaignPath(open.id)}/check`));
  }
  const counted = countOf(language, recipients, testOf(call, open.draft, recipients));
  return sendPage(call, open, html`${counted}${partOf(agreePart, agreeForm(call, open, recipients, filled))}`, filled);
}

const agreePart = { name: 'agree', className: 'agree' };
const fieldNames = ['typed'];

/** What will be sent, then to how many people. The confirmation appears only once the number is known. */
async function sendPage(
  call: ConsoleCall,
  { id, draft }: OpenDraft,
  agree: Html,
  filled: FormState,
): Promise<ConsoleReply> {
  const { language } = call;
  const [to, topic] = await Promise.all([audienceName(call, draft.segmentId), topicNoteOf(call, draft.tag)]);
  const { subject = '', from = '' } = draft.variants[0] ?? {};
  const what = texts.sendWhat[language].replace(
    /\{(subject|from)\}/g,
    (_, name: 'subject' | 'from') => ({ subject, from: shownMailbox(from) })[name],
  );
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    section: 'campaigns',
    parent: { label: draft.name, path: `${campaignPath(id)}/check` },
    title: texts.sendTitle[language].replace('{name}', () => draft.name),
    body: cardOf(
      null,
      html`${problemsOf(filled, language, fieldNames)}<p>${what}</p><p>${texts.sendTo[language]} <b><bdi>${to}</bdi></b>${topic}</p>${agree}`,
    ),
    files: { style: 'campaign.css', script: 'campaign.js' },
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

/** The operator must type a word: neither a click nor the Enter key alone sends. */
function agreeForm(call: ConsoleCall, { id, revision }: OpenDraft, count: number, filled: FormState): Html {
  const { language } = call;
  const typed = { name: 'typed', label: texts.sendTyped[language].replace('{word}', texts.sendWord[language]) };
  const button = texts.sendButton[language].replace('{count}', numberOf(count, language));
  return formOf(
    call,
    {
      action: pathOf(call, `${campaignPath(id)}/send`),
      hidden: { revision: String(revision), count: String(count) },
    },
    html`${field(filled, language, typed)}<div class="row"><button class="danger">${button}</button>
${linkButton(layoutTexts.cancel[language], pathOf(call, `${campaignPath(id)}/check`))}</div>`,
  );
}

function shownMailbox(from: string): string {
  const parsed = readMailbox(from);
  if (!parsed.ok) return from;
  const { name, address } = parsed.mailbox;
  return name ? `${name} <${address}>` : address;
}

function testOf({ language }: ConsoleCall, { test, variants }: OpenDraft['draft'], count: number): Html | null {
  const sizes = test && variants.length > 1 ? testSizes({ variants: variants.length, share: test.share }, count) : null;
  if (!test || !sizes) return null;
  const tested = sizes.reduce((sum, size) => sum + size, 0);
  const sentence = texts.sendTest[language]
    .replace('{tested}', numberOf(tested, language))
    .replace('{variants}', String(variants.length))
    .replace('{hours}', numberOf(test.waitHours, language));
  return html`<p>${sentence}</p>`;
}

/** The audience may change slightly while the operator reads. A larger change needs a new confirmation. */
const tolerance = (seen: number): number => Math.max(5, Math.ceil(seen / 100));

/** Sends once, however often the button is pressed: a repeated request is redirected to the campaign. */
export async function sendOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, parameters } = call;
  const open = await readDraft(context, { id: parameters.id ?? '' });
  const toCampaign = (status: unknown) =>
    redirect(pathOf(call, campaignPath(open.id), isOut(status) ? { done: 'sending' } : {}));
  if (open.status !== 'draft') return toCampaign(open.status);
  try {
    if (!isWord(form.get('typed'))) throw new ValidationError([{ path: 'typed', text: texts.sendWrong }]);
    await checkCount(call, open.id);
    await sendCampaign(context, { id: open.id, revision: numberIn(form, 'revision') });
    return toCampaign('sending');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'conflict' && error.details.status !== 'draft') return toCampaign(error.details.status);
    const issues = error.issues.length > 0 ? error.issues : [{ path: '', text: error.text }];
    if (error.code !== 'conflict' && error.code !== 'validation_error') throw error;
    // The word must be typed again: the number or the message has changed.
    return askSend(call, { values: new URLSearchParams(), issues });
  }
}

/** Whether the next page says that the campaign is being sent: not if another operator has just scheduled or archived it. */
const isOut = (status: unknown): boolean => status === 'sending' || status === 'sent';

const isWord = (typed: string | null): boolean =>
  Object.values(texts.sendWord).some((word) => word === typed?.trim().toLowerCase());

const numberIn = (form: URLSearchParams, name: string): number =>
  Number(/^\d{1,9}$/.exec(form.get(name) ?? '')?.[0] ?? -1);

async function checkCount({ context, form }: ConsoleCall, id: string): Promise<void> {
  const seen = numberIn(form, 'count');
  const { recipients } = await dryRunOf(context, id);
  if (recipients === null || (seen >= 0 && Math.abs(recipients - seen) <= tolerance(seen))) return;
  const text = inEachLanguage((language) =>
    texts.sendChanged[language]
      .replace('{count}', numberOf(recipients, language))
      .replace('{seen}', numberOf(Math.max(0, seen), language)),
  );
  throw new ValidationError([{ path: 'typed', text }]);
}
