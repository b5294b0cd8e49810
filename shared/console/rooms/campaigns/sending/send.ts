import { ServiceError, ValidationError } from '../../../../contract/errors.ts';
import { parseMailbox } from '../../../../domain/address/address.ts';
import { testSizes } from '../../../../domain/campaign/abTest.ts';
import { inEachLanguage } from '../../../../language/languages.ts';
import { type OpenDraft, readDraft } from '../../../../services/campaigns/operator/draft.ts';
import { dryRunOf } from '../../../../services/campaigns/operator/preflight.ts';
import { sendCampaign } from '../../../../services/campaigns/send.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf, redirect } from '../../../call.ts';
import { askPage } from '../../../frame/ask.ts';
import { type Filled, field, untouched } from '../../../frame/form.ts';
import { numberOf } from '../../../frame/parts.ts';
import { campaignPath } from '../list.ts';
import { sendingTexts as texts } from './texts.ts';

export async function askSend(call: ConsoleCall, filled: Filled = untouched): Promise<ConsoleReply> {
  const { context, parameters } = call;
  const open = await readDraft(context, { id: parameters.id ?? '' });
  const path = campaignPath(open.id);
  if (open.status !== 'draft' || !may(call, 'change')) return redirect(placeOf(call, path));
  const { blocked, recipients } = await dryRunOf(context, open.id);
  if (blocked !== null || recipients === null) return redirect(placeOf(call, `${path}/check`));
  return sendPage(call, open, recipients, filled);
}

/** What will happen and whom it meets; it takes a word to be typed, so that no click and no Enter alone sends. */
function sendPage(call: ConsoleCall, { id, revision, draft }: OpenDraft, count: number, filled: Filled): ConsoleReply {
  const { language } = call;
  const people = numberOf(count, language);
  const { subject = '', from = '' } = draft.variants[0] ?? {};
  const what = texts.sendWhat[language].replace(
    /\{(count|subject|from)\}/g,
    (_, name: 'count' | 'subject' | 'from') => ({ count: people, subject, from: shownMailbox(from) })[name],
  );
  const word = texts.sendWord[language];
  return askPage(call, {
    room: 'campaigns',
    parent: { label: draft.name, path: `${campaignPath(id)}/check` },
    title: texts.sendTitle[language].replace('{name}', () => draft.name),
    what: [what, ...testOf(call, draft, count)],
    button: { ...texts.sendButton, [language]: texts.sendButton[language].replace('{count}', people) },
    action: `${campaignPath(id)}/send`,
    hidden: { revision: String(revision), count: String(count) },
    fields: field(filled, language, { name: 'typed', label: texts.sendTyped[language].replace('{word}', word) }),
    filled,
    names: ['typed'],
  });
}

function shownMailbox(from: string): string {
  const parsed = parseMailbox(from);
  if (!parsed.ok) return from;
  const { name, address } = parsed.mailbox;
  return name ? `${name} <${address}>` : address;
}

function testOf({ language }: ConsoleCall, { test, variants }: OpenDraft['draft'], count: number): string[] {
  const sizes = test && variants.length > 1 ? testSizes({ variants: variants.length, share: test.share }, count) : null;
  if (!test || !sizes) return [];
  const tested = sizes.reduce((sum, size) => sum + size, 0);
  return [
    texts.sendTest[language]
      .replace('{tested}', numberOf(tested, language))
      .replace('{variants}', String(variants.length))
      .replace('{hours}', numberOf(test.waitHours, language)),
  ];
}

/** A list breathes while one reads; more than this is another list than the one that was agreed to. */
const breath = (seen: number): number => Math.max(5, Math.ceil(seen / 100));

/** Sends once, however often the button is pressed: whoever comes second finds it on its way and is led there. */
export async function sendOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, parameters } = call;
  const open = await readDraft(context, { id: parameters.id ?? '' });
  const there = redirect(placeOf(call, campaignPath(open.id), { done: 'sending' }));
  if (open.status !== 'draft') return there;
  try {
    if (!isWord(form.get('typed'))) throw new ValidationError([{ path: 'typed', text: texts.sendWrong }]);
    await checkCount(call, open.id);
    await sendCampaign(context, { id: open.id, revision: numberIn(form, 'revision') });
    return there;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'conflict' && error.details.status !== 'draft') return there;
    const issues = error.issues.length > 0 ? error.issues : [{ path: '', text: error.text }];
    if (error.code !== 'conflict' && error.code !== 'validation_error') throw error;
    // The word is typed anew: what it agrees to is another number, or another message.
    return askSend(call, { values: new URLSearchParams(), issues });
  }
}

const isWord = (typed: string | null): boolean =>
  Object.values(texts.sendWord).some((word) => word === typed?.trim().toLowerCase());

const numberIn = (form: URLSearchParams, name: string): number =>
  Number(/^\d{1,9}$/.exec(form.get(name) ?? '')?.[0] ?? -1);

async function checkCount({ context, form }: ConsoleCall, id: string): Promise<void> {
  const seen = numberIn(form, 'count');
  const { recipients } = await dryRunOf(context, id);
  if (recipients === null || Math.abs(recipients - seen) <= breath(seen)) return;
  const text = inEachLanguage((language) =>
    texts.sendChanged[language]
      .replace('{count}', numberOf(recipients, language))
      .replace('{seen}', numberOf(seen, language)),
  );
  throw new ValidationError([{ path: 'typed', text }]);
}
