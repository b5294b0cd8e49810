import { missingScope, ServiceError, ValidationError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { previewCampaignRoute } from '../../contract/routes/campaignMessages.ts';
import { canonicalAddress } from '../../domain/address.ts';
import type { Campaign } from '../../domain/campaign/campaign.ts';
import { adviceSentences } from '../../domain/content/adviceTexts.ts';
import type { CampaignContent } from '../../domain/content/block.ts';
import {
  defaultData,
  type MergePerson,
  mergeValue,
  personalData,
  readMergeFields,
  substitute,
} from '../../domain/content/messageTemplate.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { readRecipients } from '../../store/person/recipients.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import type { Context, KeyActor } from '../context.ts';
import { sendEmail } from '../emails/sendEmail.ts';
import { operatorVerb, requireOperator } from '../operatorVerb.ts';
import { writtenContent } from './internal/content.ts';
import { adviceOn, renderVariants, senderOf } from './internal/message.ts';
import { findCampaign } from './readCampaigns.ts';

/** A message as one recipient would see it. */
export interface CampaignPreview {
  readonly from: string;
  /** Null: answers go to the sender. */
  readonly replyTo: readonly string[] | null;
  readonly subject: string;
  readonly preheader: string | null;
  readonly html: string;
  readonly text: string;
  /** Gmail clips messages above 102 kB of HTML. */
  readonly htmlBytes: number;
  /** Addresses that it links to. */
  readonly links: readonly string[];
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
  const written = await writtenMessage(context, input);
  const person = input.to === undefined ? null : await personOf(context.workspaceId, input.to);
  return previewOf(written, input.variant ?? 0, person);
}

/** The same as the API answers it, with what deserves a look. The fields of a person need the scope to read people. */
export async function showMessage(
  context: Context<KeyActor>,
  { id, email, variant = 1 }: Input<typeof previewCampaignRoute>,
): Promise<Output<typeof previewCampaignRoute>> {
  const { scopes } = context.actor;
  if (email !== undefined && !scopes.includes('subscribers:read')) throw missingScope('subscribers:read', scopes);
  const written = await writtenMessage(context, { id });
  requireVariant(written, variant);
  const person = email === undefined ? null : await personOf(context.workspaceId, email);
  const { htmlBytes, replyTo, ...message } = previewOf(written, variant - 1, person);
  const advice = adviceOn(written.campaign, written.content, written.workspace).slice(variant - 1, variant);
  const warnings = adviceSentences(advice, context.language)
    .filter(({ isFine }) => !isFine)
    .map(({ check, text }) => ({ code: check, message: text }));
  return { object: 'campaign_preview', ...message, reply_to: replyTo, html_bytes: htmlBytes, warnings };
}

interface WrittenMessage {
  readonly campaign: Campaign;
  readonly workspace: Workspace;
  readonly content: CampaignContent;
}

/** A campaign with its content. */
export async function writtenMessage(
  { workspaceId }: Context,
  { id }: { readonly id: string },
): Promise<WrittenMessage> {
  const campaign = await findCampaign(workspaceId, id);
  const [workspace, content] = await Promise.all([getWorkspace(workspaceId), writtenContent(campaign)]);
  if (!workspace) throw new ServiceError('internal_error');
  return { campaign, workspace, content };
}

/** Throws `validation_error` for a variant (from 1 on) that the campaign does not have. */
export function requireVariant({ content: { variants } }: WrittenMessage, variant: number): void {
  if (variant <= variants.length) return;
  const text = {
    en: `is not a variant of this campaign, which has ${variants.length}`,
    fr: `n’est pas une variante de cette campagne, qui en a ${variants.length}`,
  };
  throw new ValidationError([{ path: 'variant', text }]);
}

function previewOf(
  { campaign, workspace, content }: WrittenMessage,
  variant: number,
  person: MergePerson | null,
): CampaignPreview {
  const message = renderVariants(campaign, content, workspace)[variant];
  const written = content.variants[variant];
  if (!message || !written) throw new ServiceError('not_found');
  const data = { ...defaultData(message), ...personalData(message, person ?? unknownPerson, noLink) };
  const html = substitute(message.html, data);
  const { name, address } = senderOf(written);
  return {
    from: name ? `${name} <${address}>` : address,
    replyTo: campaign.replyTo ?? null,
    subject: substitute(message.subject, data),
    preheader: written.preheader === null ? null : lineFor(person ?? unknownPerson, written.preheader),
    html,
    text: substitute(message.text, data),
    htmlBytes: Buffer.byteLength(html),
    links: message.links,
  };
}

/** A line with the merge fields of a person. */
const lineFor = (person: MergePerson, line: string): string =>
  readMergeFields(line)
    .parts.map((part) => (typeof part === 'string' ? part : mergeValue(part, person)))
    .join('');

/** The merge fields of a subscriber; of any other person, the address alone. Throws `not_found` for no address. */
export async function personOf(workspaceId: string, text: string): Promise<MergePerson> {
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
    const [written, person] = await Promise.all([
      writtenMessage(context, input),
      personOf(context.workspaceId, input.to),
    ]);
    const email = { ...testEmailOf(written, input.variant ?? 0, person), to: input.to };
    const key = input.idempotencyKey;
    const sent = await sendEmail(context, { ...(key !== undefined && { idempotencyKey: key }), ...email });
    return { emailId: sent.output.id, subject: email.subject };
  },
);

/** The message of a variant (from 0 on) as a single email marked as a test. */
export function testEmailOf(written: WrittenMessage, variant: number, person: MergePerson) {
  const { campaign, content } = written;
  const { subject, html, text, replyTo } = previewOf(written, variant, person);
  return {
    from: content.variants[variant]?.from ?? campaign.from,
    ...(replyTo && { reply_to: [...replyTo] }),
    subject: `[Test] ${subject}`.slice(0, 998),
    html,
    text,
    track: campaign.track,
    tags: [{ name: 'campaign_test', value: campaign.id }],
  };
}
