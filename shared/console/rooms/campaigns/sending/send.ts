import { ServiceError, ValidationError } from '../../../../contract/errors.ts';
import { parseMailbox } from '../../../../domain/address/address.ts';
import { testSizes } from '../../../../domain/campaign/abTest.ts';
import { inEachLanguage } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { type OpenDraft, readDraft } from '../../../../services/campaigns/operator/draft.ts';
import { dryRunOf, obstacleOf } from '../../../../services/campaigns/operator/preflight.ts';
import { sendCampaign } from '../../../../services/campaigns/send.ts';
import { campaignFiles } from '../../../assets/campaigns/campaign.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf, redirect } from '../../../call.ts';
import { type Filled, field, formOf, problemsOf, untouched } from '../../../frame/form.ts';
import { laterPart, partOf } from '../../../frame/later.ts';
import { pageOf } from '../../../frame/layout.ts';
import { cardOf, linkButton, numberOf } from '../../../frame/parts.ts';
import { frameTexts } from '../../../frame/texts.ts';
import { audienceName } from '../audienceName.ts';
import { campaignPath } from '../list.ts';
import { countLater, countOf } from './counted.ts';
import { sendingTexts as texts } from './texts.ts';

export async function askSend(call: ConsoleCall, filled: Filled | null = null): Promise<ConsoleReply> {
  const { context, language, parameters, query } = call;
  const open = await readDraft(context, { id: parameters.id ?? '' });
  const path = campaignPath(open.id);
  if (open.status !== 'draft' || !may(call, 'change')) return redirect(placeOf(call, path));
  if (filled || query.has('count')) return countAndAsk(call, open, filled ?? untouched);
  if ((await obstacleOf(context, open)) !== null) return redirect(placeOf(call, `${path}/check`));
  const href = placeOf(call, `${path}/send`, { count: 'yes' });
  return sendPage(call, open, html`${countLater(language, href)}${laterPart(agreePart, href, null)}`, untouched);
}

async function countAndAsk(call: ConsoleCall, open: OpenDraft, filled: Filled): Promise<ConsoleReply> {
  const { context, language } = call;
  const { blocked, recipients } = await dryRunOf(context, open.id);
  if (blocked !== null || recipients === null) {
    return redirect(placeOf(call, `${campaignPath(open.id)}/check`));
  }
  const counted = countOf(language, recipients, testOf(call, open.draft, recipients));
  return sendPage(call, open, html`${counted}${partOf(agreePart, agreeForm(call, open, recipients, filled))}`, filled);
}

const agreePart = { name: 'agree', className: 'agree' };
const fieldNames = ['typed'];

/** What will happen, and then whom it meets: nobody agrees before the number is there. */
async function sendPage(
  call: ConsoleCall,
  { id, draft }: OpenDraft,
  agree: Html,
  filled: Filled,
): Promise<ConsoleReply> {
  const { language } = call;
  const to = await audienceName(call, draft.segmentId);
  const { subject = '', from = '' } = draft.variants[0] ?? {};
  const what = texts.sendWhat[language].replace(
    /\{(subject|from)\}/g,
    (_, name: 'subject' | 'from') => ({ subject, from: shownMailbox(from) })[name],
  );
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    room: 'campaigns',
    parent: { label: draft.name, path: `${campaignPath(id)}/check` },
    title: texts.sendTitle[language].replace('{name}', () => draft.name),
    body: cardOf(
      null,
      html`${problemsOf(filled, language, fieldNames)}<p>${what}</p><p>${texts.sendTo[language]} <b><bdi>${to}</bdi></b></p>${agree}`,
    ),
    files: campaignFiles(),
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

/** It takes a word to be typed, so that no click and no Enter alone sends. */
function agreeForm(call: ConsoleCall, { id, revision }: OpenDraft, count: number, filled: Filled): Html {
  const { language } = call;
  const typed = { name: 'typed', label: texts.sendTyped[language].replace('{word}', texts.sendWord[language]) };
  const button = texts.sendButton[language].replace('{count}', numberOf(count, language));
  return formOf(
    call,
    {
      action: placeOf(call, `${campaignPath(id)}/send`),
      hidden: { revision: String(revision), count: String(count) },
    },
    html`${field(filled, language, typed)}<div class="row"><button class="danger">${button}</button>
${linkButton(frameTexts.cancel[language], placeOf(call, `${campaignPath(id)}/check`))}</div>`,
  );
}

function shownMailbox(from: string): string {
  const parsed = parseMailbox(from);
  if (!parsed.ok) return from;
  const { name, address } = parsed.mailbox;
  return name ? `${name} <${address}>` : address;
}

function testOf({ language }: ConsoleCall, { test, variants }: OpenDraft['draft'], count: number): Html | null {
  const sizes = test && variants.length > 1 ? testSizes({ variants: variants.length, share: test.share }, count) : null;
  if (!test || !sizes) return null;
  const tested = sizes.reduce((sum, size) => sum + size, 0);
  const said = texts.sendTest[language]
    .replace('{tested}', numberOf(tested, language))
    .replace('{variants}', String(variants.length))
    .replace('{hours}', numberOf(test.waitHours, language));
  return html`<p>${said}</p>`;
}

/** A list breathes while one reads; more than this is another list than the one that was agreed to. */
const breath = (seen: number): number => Math.max(5, Math.ceil(seen / 100));

/** Sends once, however often the button is pressed: whoever comes second finds it on its way and is led there. */
export async function sendOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, parameters } = call;
  const open = await readDraft(context, { id: parameters.id ?? '' });
  const there = (status: unknown) =>
    redirect(placeOf(call, campaignPath(open.id), isOut(status) ? { done: 'sending' } : {}));
  if (open.status !== 'draft') return there(open.status);
  try {
    if (!isWord(form.get('typed'))) throw new ValidationError([{ path: 'typed', text: texts.sendWrong }]);
    await checkCount(call, open.id);
    await sendCampaign(context, { id: open.id, revision: numberIn(form, 'revision') });
    return there('sending');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'conflict' && error.details.status !== 'draft') return there(error.details.status);
    const issues = error.issues.length > 0 ? error.issues : [{ path: '', text: error.text }];
    if (error.code !== 'conflict' && error.code !== 'validation_error') throw error;
    // The word is typed anew: what it agrees to is another number, or another message.
    return askSend(call, { values: new URLSearchParams(), issues });
  }
}

/** What was scheduled or put away by somebody else meanwhile is not on its way, and nothing says so. */
const isOut = (status: unknown): boolean => status === 'sending' || status === 'sent';

const isWord = (typed: string | null): boolean =>
  Object.values(texts.sendWord).some((word) => word === typed?.trim().toLowerCase());

const numberIn = (form: URLSearchParams, name: string): number =>
  Number(/^\d{1,9}$/.exec(form.get(name) ?? '')?.[0] ?? -1);

async function checkCount({ context, form }: ConsoleCall, id: string): Promise<void> {
  const seen = numberIn(form, 'count');
  const { recipients } = await dryRunOf(context, id);
  if (recipients === null || (seen >= 0 && Math.abs(recipients - seen) <= breath(seen))) return;
  const text = inEachLanguage((language) =>
    texts.sendChanged[language]
      .replace('{count}', numberOf(recipients, language))
      .replace('{seen}', numberOf(Math.max(0, seen), language)),
  );
  throw new ValidationError([{ path: 'typed', text }]);
}
