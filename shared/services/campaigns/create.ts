import { ServiceError, ValidationError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { createCampaignRoute } from '../../contract/routes/campaigns.ts';
import { blocksOf, type CampaignVariantRequest } from '../../contract/schemas/campaign/create.ts';
import { parseMailbox } from '../../domain/address/address.ts';
import type { Campaign } from '../../domain/campaign/campaign.ts';
import type { CampaignContent, WrittenVariant } from '../../domain/campaign/content/content.ts';
import { peopleOfCall } from '../../domain/campaign/render/size.ts';
import { createId } from '../../domain/token/identifier.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import type { Text } from '../../language/text.ts';
import { addCampaign } from '../../store/campaign/campaigns.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { defaultSender } from '../confirmations/sender.ts';
import type { Context } from '../context.ts';
import { checkDomain } from '../emails/checks.ts';
import { operatorVerb } from '../operators/verb.ts';
import { findSegment } from '../segments/find.ts';
import { type WrittenCampaign, writtenCampaign } from './fromTemplate.ts';
import { renderVariant } from './message.ts';

/** Writes a draft. What no send could ever let pass is refused while its author is still there. */
export const createCampaign = operatorVerb(
  { action: 'campaign.create', needs: 'change', subject: ({ name }) => name ?? null, byKeys: true },
  async (
    { workspaceId, now }: Context,
    request: Input<typeof createCampaignRoute>,
  ): Promise<Output<typeof createCampaignRoute>> => {
    const [input, workspace] = await Promise.all([
      writtenCampaign(workspaceId, request),
      getWorkspace(workspaceId),
      request.segment_id === undefined ? null : findSegment(workspaceId, request.segment_id),
    ]);
    if (!workspace) throw new ServiceError('internal_error');
    const content = contentOf(workspace, input);
    for (const { from } of content.variants) checkDomain(from, addressOf(from), workspace.domains);
    checkKind(workspace, input);
    checkSizes(workspace, input, content);
    const campaign = campaignOf(workspaceId, input, content, now);
    await addCampaign(campaign, content);
    return { id: campaign.id, object: 'campaign', name: campaign.name, status: 'draft' };
  },
);

/** Every variant complete: what it leaves out comes from the campaign. */
function contentOf(workspace: Workspace, input: WrittenCampaign): CampaignContent {
  const whole = { ...input, name: undefined, from: input.from ?? senderOf(workspace) };
  const variants = input.ab_test?.variants ?? [{}];
  return { variants: variants.map((variant) => variantOf(whole, variant)) };
}

type Whole = Pick<WrittenCampaign, 'subject' | 'preheader' | 'text' | 'content'> & { readonly from: string };

function variantOf(whole: Whole, own: Partial<CampaignVariantRequest>): WrittenVariant {
  const hasBody = own.text !== undefined || own.content !== undefined;
  return {
    name: own.name ?? null,
    subject: own.subject ?? whole.subject,
    preheader: own.preheader ?? whole.preheader ?? null,
    from: own.from ?? whole.from,
    blocks: blocksOf(hasBody ? own : whole),
  };
}

/** A tag that nobody can leave would promise what it does not keep. */
function checkKind({ kinds }: Workspace, { tag }: WrittenCampaign): void {
  if (tag === undefined || kinds.some((kind) => kind.tag === tag)) return;
  const offered = kinds.map((kind) => `"${kind.tag}"`).join(', ');
  const text: Text = {
    en: `is no kind of mail that this workspace offers to leave (${offered || 'there are none'})`,
    fr: `n’est pas un type d’e-mail que cet espace propose de quitter (${offered || 'il n’y en a pas'})`,
  };
  throw new ValidationError([{ path: 'tag', text }]);
}

/** A message that does not fit into a call with even one person could never be sent. */
function checkSizes(workspace: Workspace, input: WrittenCampaign, { variants }: CampaignContent): void {
  const issues = variants.flatMap((variant, index) => {
    if (peopleOfCall(renderVariant(variant, workspace)) > 0) return [];
    const own = input.ab_test?.variants[index];
    const isOwn = own !== undefined && (own.text !== undefined || own.content !== undefined);
    const field = (isOwn ? own.content : input.content) === undefined ? 'text' : 'content';
    return [{ path: isOwn ? `ab_test.variants[${index}].${field}` : field, text: tooLarge }];
  });
  if (issues.length > 0) throw new ValidationError(issues);
}

export const tooLarge: Text = {
  en: 'is too large once rendered: HTML, text and the merge fields of one person must stay below 1 MB',
  fr: 'est trop volumineux une fois rendu : HTML, texte et champs de fusion d’une personne doivent rester sous 1 Mo',
};

function senderOf(workspace: Workspace): string {
  const sender = defaultSender(workspace);
  if (!sender) throw noSender();
  return sender.name ? `"${sender.name.replace(/["\\]/g, '\\$&')}" <${sender.email}>` : sender.email;
}

const noSender = () =>
  new ValidationError([
    {
      path: 'from',
      text: {
        en: 'is required, since the workspace has no default sender',
        fr: 'est obligatoire, car l’espace n’a pas d’expéditeur par défaut',
      },
    },
  ]);

function campaignOf(
  workspaceId: string,
  input: WrittenCampaign,
  { variants: [first] }: CampaignContent,
  now: Date,
): Campaign {
  const at = now.toISOString();
  const test = input.ab_test;
  return {
    workspaceId,
    id: createId('camp', now),
    name: input.name,
    subject: input.subject,
    preheader: input.preheader ?? null,
    from: input.from ?? first?.from ?? '',
    kind: test ? 'ab_test' : 'regular',
    status: 'draft',
    segmentId: input.segment_id ?? null,
    tag: input.tag ?? null,
    test: test
      ? {
          variants: test.variants.length,
          share: test.test_share,
          decideBy: test.decide_by,
          waitHours: test.wait_hours,
          decideAt: null,
          winner: null,
        }
      : null,
    track: input.track ?? {},
    template: input.template,
    freeze: null,
    hold: null,
    createdAt: at,
    updatedAt: at,
    scheduledAt: null,
    sentAt: null,
  };
}

function addressOf(from: string): string {
  const parsed = parseMailbox(from);
  if (!parsed.ok) throw new Error(`A validated sender did not parse: ${parsed.problem}`);
  return parsed.mailbox.address;
}
