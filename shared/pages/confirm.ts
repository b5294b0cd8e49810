import { confirmQuestion, confirmTexts, linkTexts } from '../contract/pageTexts.ts';
import {
  type ConfirmOutcome,
  type ConfirmResult,
  confirmSubscriber,
  previewConfirmation,
} from '../services/subscribers/confirm.ts';
import { formUrl, type Workspace, workspaceOfLink } from '../services/workspaces/signUpForm.ts';
import type { PageCall, PageReply } from './call.ts';
import { layout, linkButton, oneButton } from './layout.ts';

const statuses: Readonly<Record<ConfirmOutcome, number>> = {
  confirmed: 200,
  already_confirmed: 200,
  expired: 410,
  tampered: 400,
  unknown: 404,
  refused: 409,
};

/** From these a person goes on by signing up once more. */
const mayTryAgain: ReadonlySet<ConfirmOutcome> = new Set(['expired', 'unknown', 'refused']);

/** GET: the button, or why there is none. Mail scanners open it, so it changes nothing. */
export async function showConfirmation(call: PageCall): Promise<PageReply> {
  const result = await previewConfirmation(call.parameter, call.now);
  if (result.outcome !== 'confirmed') return outcomePage(call, result);
  const workspace = await workspaceOfLink(result.workspaceId);
  if (!workspace) return outcomePage(call, { ...result, outcome: 'unknown' });
  const { language } = call;
  const document = layout({
    language,
    workspace: workspace.name,
    notice: confirmQuestion,
    values: { email: result.email ?? '' },
    actions: oneButton(confirmQuestion, language),
  });
  return { status: 200, document };
}

/** POST: what the button does. */
export async function confirm(call: PageCall): Promise<PageReply> {
  return outcomePage(call, await confirmSubscriber(call.parameter, call.now));
}

async function outcomePage(call: PageCall, { outcome, workspaceId, email }: ConfirmResult): Promise<PageReply> {
  const workspace = await workspaceOfLink(workspaceId);
  const document = layout({
    language: call.language,
    workspace: workspace?.name ?? null,
    notice: confirmTexts[outcome],
    values: { email: email ?? '' },
    actions: workspace && mayTryAgain.has(outcome) ? signUpAgain(call, workspace) : null,
  });
  return { status: statuses[outcome], document };
}

function signUpAgain({ baseUrl, language }: PageCall, workspace: Workspace) {
  return linkButton(linkTexts.signUpAgain, formUrl(baseUrl, workspace), language);
}
