import { confirmQuestion, confirmTexts, linkTexts } from '../contract/pageTexts.ts';
import { brandOfPage } from '../services/brand/ofPage.ts';
import { signUpUrl } from '../services/links.ts';
import {
  type ConfirmOutcome,
  type ConfirmResult,
  confirmSubscriber,
  previewConfirmation,
} from '../services/subscribers/confirm.ts';
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

/** POST: what the button does. */
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
