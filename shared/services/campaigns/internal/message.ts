import { ServiceError } from '../../../contract/errors.ts';
import { readMailbox } from '../../../domain/address.ts';
import type { Campaign } from '../../../domain/campaign/campaign.ts';
import { peopleOfCall } from '../../../domain/campaign/pace.ts';
import { type Advice, adviceOf } from '../../../domain/content/advice.ts';
import type { CampaignContent, WrittenVariant } from '../../../domain/content/block.ts';
import type { MessageTemplate } from '../../../domain/content/messageTemplate.ts';
import { readContent } from '../../../domain/content/readContent.ts';
import { renderHtml, renderTemplate } from '../../../domain/content/render.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import { addressHeader } from '../../../email/composeMime.ts';
import type { Text } from '../../../language/text.ts';
import type { CampaignMessage } from '../../../store/campaign/frozenContent.ts';

/** What the messages of a campaign need of its record. */
type RenderedCampaign = Pick<Campaign, 'id' | 'replyTo'>;

/** Renders every variant. All share one list of links, so that each address has one counter. */
export function renderVariants(
  { id, replyTo }: RenderedCampaign,
  content: CampaignContent,
  workspace: Workspace,
): CampaignMessage[] {
  const rendered = content.variants.map((variant) => renderVariant(variant, workspace));
  const links = [...new Set(rendered.flatMap((template) => template.links))];
  return content.variants.map((variant, index) => {
    const sender = senderOf(variant);
    const template = rendered[index] ?? renderVariant(variant, workspace);
    // RFC 2919: a List-Id has the form of a host name in the sender's domain.
    const listId = `<${id.replaceAll('_', '-')}.${sender.address.split('@')[1] ?? 'localhost'}>`;
    // With a longer workspace name than when the draft was saved, not even one recipient may fit: try one all the same.
    const addressed = { ...template, ...replyHeaders(replyTo) };
    return {
      ...addressed,
      links,
      from: addressHeader([sender]),
      listId,
      peopleOfCall: Math.max(1, peopleOfCall(addressed)),
    };
  });
}

/** Whether a message fits into one call of SES with at least one recipient. */
export const isSendable = (
  variant: WrittenVariant,
  workspace: Workspace,
  replyTo: Campaign['replyTo'] | undefined,
): boolean => peopleOfCall({ ...renderVariant(variant, workspace), ...replyHeaders(replyTo) }) > 0;

/** The addresses for answers as SES takes them. */
const replyHeaders = (replyTo: Campaign['replyTo'] | undefined): Pick<CampaignMessage, 'replyTo'> =>
  replyTo ? { replyTo: replyTo.map((from) => addressHeader([senderOf({ from })])) } : {};

function renderVariant(
  { subject, preheader, blocks, html, plainText = null }: WrittenVariant,
  { name: workspaceName, language, mailBrand: brand }: Workspace,
): MessageTemplate {
  const frame = { workspaceName, language, brand };
  if (html !== undefined) return renderHtml({ subject, preheader, html, plainText }, frame);
  return renderTemplate({ subject, preheader, blocks: readContent(blocks).blocks }, frame);
}

export function senderOf({ from }: Pick<WrittenVariant, 'from'>): { name: string | null; address: string } {
  const parsed = readMailbox(from);
  if (!parsed.ok) throw noSender();
  return { name: parsed.mailbox.name ?? null, address: parsed.mailbox.address };
}

/** Advice about the message of each variant. Nothing is fetched. */
export function adviceOn(campaign: RenderedCampaign, content: CampaignContent, workspace: Workspace): Advice[][] {
  const rendered = renderVariants(campaign, content, workspace);
  return content.variants.map((written, index) => {
    const message = rendered[index];
    const own = { written, sender: senderOf(written).address, brand: workspace.mailBrand };
    return message ? adviceOf({ ...own, rendered: message }) : [];
  });
}

const noSender = () =>
  new ServiceError('validation_error', {
    text: {
      en: 'The campaign has no usable sender.',
      fr: 'La campagne n’a pas d’expéditeur utilisable.',
    },
    details: { reason: 'no_sender' },
  });

export const tooLarge: Text = {
  en: 'is too large once rendered: HTML, text and the merge fields of one person must stay below 1 MB',
  fr: 'est trop volumineux une fois rendu : HTML, texte et champs de fusion d’une personne doivent rester sous 1 Mo',
};
