import { ServiceError } from '../../contract/errors.ts';
import { canonicalAddress } from '../../domain/address.ts';
import type { CampaignContent } from '../../domain/content/block.ts';
import { defaultData, type MergePerson, personalData, substitute } from '../../domain/content/messageTemplate.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { getContent } from '../../store/campaign/campaigns.ts';
import { readRecipients } from '../../store/person/recipients.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { sendEmail } from '../emails/sendEmail.ts';
import { operatorVerb, requireOperator } from '../operatorVerb.ts';
import { renderVariants, senderOf } from './internal/message.ts';
import { findCampaign } from './readCampaigns.ts';

/** A message as one recipient would see it. */
export interface CampaignPreview {
  readonly from: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Gmail clips messages above 102 kB of HTML. */
  readonly htmlBytes: number;
}

/** Stands in for the unsubscribe link, which only a real recipient has. */
const noLink = 'https://example.com/unsubscribe';

/** Shows every merge field by its fallback. */
const unknownPerson: MergePerson = { email: '', firstName: null, lastName: null, fields: {} };

/** Renders a campaign for a subscriber, or with every fallback. Nothing is sent. */
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

function previewOf(
  campaignId: string,
  workspace: Workspace,
  content: CampaignContent,
  variant: number,
  person: MergePerson | null,
): CampaignPreview {
  const message = renderVariants(campaignId, content, workspace)[variant];
  const written = content.variants[variant];
  if (!message || !written) throw new ServiceError('not_found');
  const data = { ...defaultData(message), ...personalData(message, person ?? unknownPerson, noLink) };
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

/** The merge fields of a subscriber; of any other person, the address alone. Throws `not_found` for no address. */
async function personOf(workspaceId: string, text: string): Promise<MergePerson> {
  const email = canonicalAddress(text);
  if (!email) throw new ServiceError('not_found');
  const found = (await readRecipients(workspaceId, [email])).get(email);
  return found?.person ?? { email, firstName: null, lastName: null, fields: {} };
}

/** Sends a campaign's message to one address as a single email marked as a test. It counts in no report. */
export const sendTestOfCampaign = /* @__PURE__ */ operatorVerb(
  { action: 'campaign.test', needs: 'change', subject: ({ id }) => id },
  async (
    context: Context,
    input: {
      readonly id: string;
      readonly to: string;
      readonly variant?: number | undefined;
      /** Makes a retry send nothing. */
      readonly idempotencyKey?: string;
    },
  ): Promise<{ readonly emailId: string; readonly subject: string }> => {
    const campaign = await findCampaign(context.workspaceId, input.id);
    const [workspace, content, person] = await Promise.all([
      getWorkspace(context.workspaceId),
      getContent<CampaignContent>(campaign),
      personOf(context.workspaceId, input.to),
    ]);
    if (!workspace) throw new ServiceError('internal_error');
    const message = previewOf(campaign.id, workspace, content, input.variant ?? 0, person);
    const subject = `[Test] ${message.subject}`.slice(0, 998);
    const sent = await sendEmail(context, {
      ...(input.idempotencyKey !== undefined && { idempotencyKey: input.idempotencyKey }),
      from: content.variants[input.variant ?? 0]?.from ?? campaign.from,
      to: input.to,
      subject,
      html: message.html,
      text: message.text,
      track: campaign.track,
      tags: [{ name: 'campaign_test', value: campaign.id }],
    });
    return { emailId: sent.output.id, subject };
  },
);
