import { brandOfPage } from '../services/brand.ts';
import { preferencesUrl, signUpUrl } from '../services/links.ts';
import {
  previewUnsubscription,
  type UnsubscribeOutcome,
  type UnsubscribeResult,
  unsubscribeByLink,
} from '../services/preferences/unsubscribe.ts';
import type { PageCall, PageReply } from './call.ts';
import { html } from './html.ts';
import { layout, linkButton, oneButton } from './layout.ts';
import { linkTexts, preferenceTexts, unsubscribeQuestion, unsubscribeTexts } from './pageTexts.ts';

const statuses: Readonly<Record<UnsubscribeOutcome, number>> = {
  unsubscribed: 200,
  tampered: 400,
  unknown: 404,
  erased: 200,
};

/** GET: the button. Mail scanners open links, so it changes nothing. */
export async function showUnsubscription(call: PageCall): Promise<PageReply> {
  const result = await previewUnsubscription(call, { token: call.parameter });
  const { outcome, workspace, email } = result;
  if (outcome !== 'unsubscribed' || !workspace) return outcomePage(call, result);
  const { language } = call;
  const brand = await brandOfPage(workspace);
  const document = layout({
    language,
    workspace: workspace.name,
    brand,
    notice: unsubscribeQuestion,
    values: { email: email ?? '' },
    actions: html`${oneButton(unsubscribeQuestion, language)}
${linkButton(preferenceTexts.open, preferencesUrl(call.parameter), language)}`,
  });
  return { status: 200, document, brand };
}

/**
 * POST: the page's button and a mail client's `List-Unsubscribe=One-Click` (RFC 8058, section 3.1). The body is ignored,
 * and there is no redirect, which section 3.2 forbids.
 */
export async function unsubscribe(call: PageCall): Promise<PageReply> {
  return outcomePage(call, await unsubscribeByLink(call, { token: call.parameter }));
}

async function outcomePage(
  { language }: PageCall,
  { outcome, workspace, email }: UnsubscribeResult,
): Promise<PageReply> {
  const brand = workspace && (await brandOfPage(workspace));
  const document = layout({
    language,
    workspace: workspace?.name ?? null,
    brand,
    notice: unsubscribeTexts[outcome],
    values: { email: email ?? '' },
    actions:
      workspace && outcome === 'unsubscribed'
        ? linkButton(linkTexts.signUpForm, signUpUrl(workspace.publicId), language)
        : null,
  });
  return { status: statuses[outcome], document, brand };
}
