import { ServiceError } from '../../../contract/errors.ts';
import { canonicalAddress } from '../../../domain/address/canonicalAddress.ts';
import type { CampaignContent } from '../../../domain/campaign/content/content.ts';
import type { MergePerson } from '../../../domain/campaign/content/mergeField.ts';
import { defaultData, personalData, substitute } from '../../../domain/campaign/render/templateData.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import { getContent } from '../../../store/campaign/campaigns.ts';
import { readRecipients } from '../../../store/person/recipients.ts';
import { getWorkspace } from '../../../store/workspace/workspaces.ts';
import type { Context } from '../../context.ts';
import { requireOperator } from '../../requireOperator.ts';
import { findCampaign } from '../find.ts';
import { renderVariants, senderOf } from '../message.ts';

/** A message as somebody would see it. */
export interface CampaignPreview {
  readonly from: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Gmail cuts a message off beyond 102 kB of HTML. */
  readonly htmlBytes: number;
}

/** Where the unsubscribe link of a preview leads: nowhere, since it belongs to nobody. */
const noLink = 'https://example.com/unsubscribe';

/** Of whom nothing is known: each field is its fallback. */
const nobody: MergePerson = { email: '', firstName: null, lastName: null, fields: {} };

/** Renders a campaign with the fields of a subscriber, or with the fallbacks; nothing is sent. */
export async function previewCampaign(
  context: Context,
  input: { readonly id: string; readonly to?: string | undefined; readonly variant?: number | undefined },
): Promise<CampaignPreview> {
  requireOperator(context, 'read');
  const campaign = await findCampaign(context.workspaceId, input.id);
  const [workspace, content, person] = await Promise.all([
    getWorkspace(context.workspaceId),
    getContent<CampaignContent>(campaign),
    input.to === undefined ? null : personOf(context.workspaceId, input.to),
  ]);
  if (!workspace) throw new ServiceError('internal_error');
  return previewOf(campaign.id, workspace, content, input.variant ?? 0, person);
}

export function previewOf(
  campaignId: string,
  workspace: Workspace,
  content: CampaignContent,
  variant: number,
  person: MergePerson | null,
): CampaignPreview {
  const message = renderVariants(campaignId, content, workspace)[variant];
  const written = content.variants[variant];
  if (!message || !written) throw new ServiceError('not_found');
  const data = { ...defaultData(message), ...personalData(message, person ?? nobody, noLink) };
  const html = substitute(message.html, data);
  const { name, address } = senderOf(written);
  return {
    from: name ? `${name} <${address}>` : address,
    subject: substitute(message.subject, data),
    html,
    text: substitute(message.text, data),
    htmlBytes: Buffer.byteLength(html),
  };
}

/** The fields of a subscriber; somebody else has only their address. */
export async function personOf(workspaceId: string, text: string): Promise<MergePerson> {
  const email = canonicalAddress(text);
  if (!email) throw new ServiceError('not_found');
  const found = (await readRecipients(workspaceId, [email])).get(email);
  return found?.person ?? { email, firstName: null, lastName: null, fields: {} };
}
