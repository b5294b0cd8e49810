import { randomUUID } from 'node:crypto';
import { type Issue, ServiceError, ValidationError } from '../../../../../contract/errors.ts';
import { canonicalAddress } from '../../../../../domain/address.ts';
import { inEachLanguage } from '../../../../../language/languages.ts';
import type { Text } from '../../../../../language/text.ts';
import { html } from '../../../../../pages/html.ts';
import { type OpenDraft, readDraft } from '../../../../../services/campaigns/drafts.ts';
import { sendTestOfCampaign } from '../../../../../services/campaigns/previewCampaign.ts';
import { type ConsoleCall, type ConsoleReply, may, redirect } from '../../../../call.ts';
import { confirmationPage } from '../../../../layout/confirmationPage.ts';
import { emptyForm, type FormState, field, submitForm } from '../../../../layout/form.ts';
import { pathOf } from '../../../../paths.ts';
import { campaignPath, letterOf } from '../campaignElements.ts';
import { sendingTexts as texts } from './sendingTexts.ts';

const maxAddresses = 5;

export async function askTest(call: ConsoleCall): Promise<ConsoleReply> {
  const open = await readDraft(call.context, { id: call.parameters.id ?? '' });
  return may(call, 'change') ? testPage(call, open, emptyForm) : redirect(pathOf(call, campaignPath(open.id)));
}

function testPage(call: ConsoleCall, { id, draft }: OpenDraft, filled: FormState): ConsoleReply {
  const { language } = call;
  const variants = draft.variants.map((_, index): [string, string] => [String(index), letterOf(index)]);
  const which = field(filled, language, { name: 'variant', label: texts.testVariant[language], options: variants });
  return confirmationPage(call, {
    section: 'campaigns',
    parent: { label: draft.name, path: `${campaignPath(id)}/check` },
    title: texts.testTitle[language].replace('{name}', () => draft.name),
    what: [texts.testWhat[language]],
    button: texts.test,
    isDangerous: false,
    action: `${campaignPath(id)}/test`,
    // Makes a repeated submission of the same form idempotent: each address has a key derived from this value.
    hidden: { once: filled.values.get('once') ?? randomUUID() },
    fields: html`${field(filled, language, { name: 'to', label: texts.testTo[language], hint: texts.testHint[language], type: 'textarea' })}
${variants.length > 1 ? which : null}`,
    filled,
    names: ['to', 'variant'],
  });
}

export async function sendTest(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, parameters } = call;
  const open = await readDraft(context, { id: parameters.id ?? '' });
  const act = async () => {
    const addresses = addressesOf(form.get('to') ?? '');
    const variant = Number(/^[0-3]$/.exec(form.get('variant') ?? '')?.[0] ?? 0);
    const once = (form.get('once') ?? '').slice(0, 64);
    const send = (to: string) =>
      sendTestOfCampaign(context, {
        id: open.id,
        to,
        variant,
        idempotencyKey: `campaign-test ${open.id} ${once} ${to}`,
      });
    const ends = await Promise.allSettled(addresses.map(send));
    const issues = ends.flatMap((end, index) => issueOf(end, addresses[index] ?? ''));
    const out = addresses.filter((_, index) => ends[index]?.status === 'fulfilled').join(', ');
    if (issues.length > 0) throw new ValidationError([...issues, ...(out === '' ? [] : [sentTo(out)])]);
    return redirect(pathOf(call, `${campaignPath(open.id)}/check`, { done: 'tested' }));
  };
  return submitForm(call, act, (filled) => testPage(call, open, filled));
}

/** The distinct addresses. Throws for none, for too many, and with all invalid ones. */
function addressesOf(text: string): string[] {
  const lines = text.split(/[\n,;]/).map((line) => line.trim());
  const written = [...new Set(lines.filter((line) => line !== ''))];
  if (written.length === 0) throw new ValidationError([{ path: 'to', text: texts.testNone }]);
  if (written.length > maxAddresses) throw new ValidationError([{ path: 'to', text: texts.testMany }]);
  const wrong = written.filter((line) => canonicalAddress(line) === null);
  if (wrong.length > 0) {
    throw new ValidationError(wrong.map((line) => ({ path: 'to', text: filledText(texts.testWrong, line) })));
  }
  return [...new Set(written.flatMap((line) => canonicalAddress(line) ?? []))];
}

function issueOf(end: PromiseSettledResult<unknown>, address: string): Issue[] {
  if (end.status === 'fulfilled') return [];
  const { reason } = end;
  if (!(reason instanceof ServiceError) || reason.code === 'internal_error') throw reason;
  // Another request is sending the same form and reports its result.
  if (reason.code === 'conflict' && reason.details.status === 'in_progress') return [];
  return [{ path: 'to', text: inEachLanguage((language) => `${address}: ${reason.text[language]}`) }];
}

const filledText = (text: Text, what: string): Text =>
  inEachLanguage((language) => text[language].replace('{what}', () => what));

const sentTo = (list: string): Issue => ({ path: '', text: filledText(texts.testOut, list) });
