import { brandOfPage } from '../services/brand.ts';
import {
  askToReturn,
  type DeclineOutcome,
  type DeclineResult,
  declineConfirmations,
  previewDecline,
} from '../services/confirmations/decline.ts';
import { signUpUrl } from '../services/links.ts';
import type { PageCall, PageReply } from './call.ts';
import { type Html, html } from './html.ts';
import { layout, linkButton, oneButton } from './layout.ts';
import { declineQuestion, declineTexts, linkTexts, returnQuestion } from './pageTexts.ts';

const statuses: Readonly<Record<DeclineOutcome, number>> = {
  open: 200,
  declined: 200,
  asked: 200,
  returning: 200,
  returned: 200,
  expired: 410,
  tampered: 400,
  unknown: 404,
};

/** GET: the button. Mail scanners open links, so it changes nothing. */
export async function showDecline(call: PageCall): Promise<PageReply> {
  return replyFor(call, await previewDecline(call, { token: call.parameter }));
}

/** POST of the page's forms. */
export async function decline(call: PageCall): Promise<PageReply> {
  const verb = call.form.has('return') ? askToReturn : declineConfirmations;
  return replyFor(call, await verb(call, { token: call.parameter }));
}

async function replyFor({ language }: PageCall, { outcome, workspace, email }: DeclineResult): Promise<PageReply> {
  const brand = workspace && (await brandOfPage(workspace));
  const document = layout({
    language,
    workspace: workspace?.name ?? null,
    brand,
    notice: outcome === 'open' ? declineQuestion : outcome === 'returning' ? returnQuestion : declineTexts[outcome],
    values: { email: email ?? '' },
    actions: actionsOf(outcome, workspace?.publicId, language),
  });
  return { status: statuses[outcome], document, brand };
}

function actionsOf(outcome: DeclineOutcome, publicId: string | undefined, language: PageCall['language']): Html | null {
  if (outcome === 'open') return oneButton(declineQuestion, language);
  if (outcome === 'returning') return oneButton(returnQuestion, language);
  if (outcome === 'declined') {
    return html`<form method="post" class="actions"><button type="submit" class="button" name="return" value="send">${linkTexts.sendReturn[language]}</button></form>`;
  }
  if (outcome !== 'returned' || publicId === undefined) return null;
  return linkButton(linkTexts.signUpForm, signUpUrl(publicId), language);
}
