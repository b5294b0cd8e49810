import { brandOfPage } from '../services/brand.ts';
import {
  type ConfirmOutcome,
  type ConfirmResult,
  confirmSubscriber,
  previewConfirmation,
} from '../services/confirmations/confirmByLink.ts';
import { signUpUrl } from '../services/links.ts';
import type { PageCall, PageReply } from './call.ts';
import { layout, linkButton, oneButton } from './layout.ts';
import { confirmQuestion, confirmTexts, linkTexts } from './pageTexts.ts';

const statuses: Readonly<Record<ConfirmOutcome, number>> = {
  confirmed: 200,
  already_confirmed: 200,
  expired: 410,
  tampered: 400,
  unknown: 404,
  refused: 409,
};

/** After these a person may sign up again. */
const mayTryAgain: ReadonlySet<ConfirmOutcome> = new Set(['expired', 'unknown', 'refused']);

/** GET: the button, or why there is none. Mail scanners open links, so it changes nothing. */
export async function showConfirmation(call: PageCall): Promise<PageReply> {
  const result = await previewConfirmation(call, { token: call.parameter });
  const { outcome, workspace, email } = result;
  if (outcome !== 'confirmed' || !workspace) return outcomePage(call, result);
  const { language } = call;
  const brand = await brandOfPage(workspace);
  const document = layout({
    language,
    workspace: workspace.name,
    brand,
    notice: confirmQuestion,
    values: { email: email ?? '' },
    actions: oneButton(confirmQuestion, language),
  });
  return { status: 200, document, brand };
}

/** POST: confirms the subscription. */
export async function confirm(call: PageCall): Promise<PageReply> {
  return outcomePage(call, await confirmSubscriber(call, { token: call.parameter, source: call.source }));
}

async function outcomePage({ language }: PageCall, { outcome, workspace, email }: ConfirmResult): Promise<PageReply> {
  const brand = workspace && (await brandOfPage(workspace));
  const document = layout({
    language,
    workspace: workspace?.name ?? null,
    brand,
    notice: confirmTexts[outcome],
    values: { email: email ?? '' },
    actions:
      workspace && mayTryAgain.has(outcome)
        ? linkButton(linkTexts.signUpAgain, signUpUrl(workspace.publicId), language)
        : null,
  });
  return { status: statuses[outcome], document, brand };
}
