import { parseMailbox } from '../../domain/address/address.ts';
import type { CampaignContent, WrittenVariant } from '../../domain/campaign/content/content.ts';
import { readContent } from '../../domain/campaign/content/readContent.ts';
import { renderTemplate } from '../../domain/campaign/render/render.ts';
import { peopleOfCall } from '../../domain/campaign/render/size.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { addressHeader } from '../../email/mime/addressHeader.ts';
import type { CampaignMessage } from '../../store/campaign/messages.ts';
import { noSender } from './refusals.ts';

/** Every variant rendered. The links of all of them are numbered together, so that one counter serves one address. */
export function renderVariants(campaignId: string, content: CampaignContent, workspace: Workspace): CampaignMessage[] {
  const rendered = content.variants.map((variant) => renderVariant(variant, workspace));
  const links = [...new Set(rendered.flatMap((template) => template.links))];
  return content.variants.map((variant, index) => {
    const sender = senderOf(variant);
    const template = rendered[index] ?? renderVariant(variant, workspace);
    // RFC 2919: a list's identifier looks like a host name, and belongs to whoever sends.
    const listId = `<${campaignId.replaceAll('_', '-')}.${sender.address.split('@')[1] ?? 'localhost'}>`;
    // A name or a language that changed since the draft was written may have taken the last bytes.
    return {
      ...template,
      links,
      from: addressHeader([sender]),
      listId,
      peopleOfCall: Math.max(1, peopleOfCall(template)),
    };
  });
}

export function renderVariant({ subject, preheader, blocks }: WrittenVariant, workspace: Workspace) {
  return renderTemplate(
    { subject, preheader, blocks: readContent(blocks).blocks },
    { workspaceName: workspace.name, language: workspace.language },
  );
}

export function senderOf({ from }: Pick<WrittenVariant, 'from'>): { name: string | null; address: string } {
  const parsed = parseMailbox(from);
  if (!parsed.ok) throw noSender();
  return { name: parsed.mailbox.name ?? null, address: parsed.mailbox.address };
}
