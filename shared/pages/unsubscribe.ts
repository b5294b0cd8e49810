import { linkTexts, unsubscribeQuestion, unsubscribeTexts } from '../contract/pageTexts.ts';
import { readLink } from '../services/links.ts';
import {
  type UnsubscribeOutcome,
  type UnsubscribeResult,
  unsubscribeByLink,
} from '../services/subscribers/unsubscribe.ts';
import { formUrl, workspaceOfLink } from '../services/workspaces/signUpForm.ts';
import type { PageCall, PageReply } from './call.ts';
import { layout, linkButton, oneButton } from './layout.ts';

const statuses: Readonly<Record<UnsubscribeOutcome, number>> = { unsubscribed: 200, tampered: 400, unknown: 404 };

/** GET: the button. Mail scanners open it, so it changes nothing. */
export async function showUnsubscription(call: PageCall): Promise<PageReply> {
  const read = await readLink('unsubscribe', call.parameter, call.now);
  if (!read.ok) return outcomePage(call, { outcome: 'tampered', workspaceId: null, email: null });
  const { workspaceId, email } = read.link;
  const workspace = await workspaceOfLink(workspaceId);
  if (!workspace) return outcomePage(call, { outcome: 'unknown', workspaceId, email });
  const { language } = call;
  const document = layout({
    language,
    workspace: workspace.name,
    notice: unsubscribeQuestion,
    values: { email },
    actions: oneButton(unsubscribeQuestion, language),
  });
  return { status: 200, document };
}

/**
 * POST: the page's button, and a mail client's `List-Unsubscribe=One-Click` (RFC 8058 section 3.1): at once, whatever
 * the body says and however it is encoded, and without a redirect, which section 3.2 forbids.
 */
export async function unsubscribe(call: PageCall): Promise<PageReply> {
  return outcomePage(call, await unsubscribeByLink(call.parameter, call.now));
}

async function outcomePage(call: PageCall, { outcome, workspaceId, email }: UnsubscribeResult): Promise<PageReply> {
  const { baseUrl, language } = call;
  const workspace = await workspaceOfLink(workspaceId);
  const document = layout({
    language,
    workspace: workspace?.name ?? null,
    notice: unsubscribeTexts[outcome],
    values: { email: email ?? '' },
    actions:
      workspace && outcome === 'unsubscribed'
        ? linkButton(linkTexts.signUpForm, formUrl(baseUrl, workspace), language)
        : null,
  });
  return { status: statuses[outcome], document };
}
