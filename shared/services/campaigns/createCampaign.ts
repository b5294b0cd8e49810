import { type Issue, ServiceError, ValidationError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { createCampaignRoute } from '../../contract/routes/campaigns.ts';
import { bodyFieldOf, bodyOf } from '../../contract/schemas/campaignBody.ts';
import type { CampaignVariantRequest, CreateCampaignRequest } from '../../contract/schemas/campaignRequest.ts';
import { formatMailbox, readMailbox } from '../../domain/address.ts';
import type { Campaign } from '../../domain/campaign/campaign.ts';
import { type Block, bodyIn, type CampaignContent, type WrittenVariant } from '../../domain/content/block.ts';
import { readMergeFields } from '../../domain/content/messageTemplate.ts';
import { readContent } from '../../domain/content/readContent.ts';
import { type TemplateVersion, unknownTemplate, withFallbacks } from '../../domain/template/template.ts';
import { defaultSender, type Workspace } from '../../domain/workspace/workspace.ts';
import type { Text } from '../../language/text.ts';
import { addCampaign } from '../../store/campaign/campaigns.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { type Context, newId } from '../context.ts';
import { checkDomain } from '../emails/checks.ts';
import { operatorVerb } from '../operatorVerb.ts';
import { segmentWithId } from '../segments.ts';
import { findTemplate } from '../templates.ts';
import { draftMadeBefore } from './drafts.ts';
import { storedContent } from './internal/content.ts';
import { isSendable, tooLarge } from './internal/message.ts';
import { readTopic, shownTarget, targetOfCampaign } from './internal/target.ts';

/** Creates a draft. Refuses at once what no send could accept. */
export const createCampaign = /* @__PURE__ */ operatorVerb(
  { action: 'campaign.create', needs: 'change', subject: ({ name }) => name ?? null, byKeys: 'unaudited' },
  async (
    context: Context,
    request: Omit<Input<typeof createCampaignRoute>, 'idempotencyKey'>,
  ): Promise<Output<typeof createCampaignRoute>> => {
    const { workspaceId } = context;
    const made = await draftMadeBefore(context);
    if (made) return createdCampaign(made, await targetOfCampaign(made));
    const [written, workspace, segment] = await Promise.all([
      writtenCampaign(workspaceId, request).catch(issuesOnly),
      getWorkspace(workspaceId),
      request.segment_id === undefined ? null : segmentWithId(workspaceId, request.segment_id).catch(refusalOnly),
    ]);
    if (!workspace) throw new ServiceError('internal_error');
    const sender = request.from ?? senderOf(workspace);
    const topic = readTopic(workspace, request);
    const issues = [...topic.issues, ...(sender === null ? [noSender] : [])];
    if ('issues' in written) throw new ValidationError([...written.issues, ...issues]);
    const input = { ...written, tag: topic.tag ?? undefined };
    const content = contentOf(input, sender ?? '');
    issues.push(...sizeIssues(workspace, input, content));
    if (issues.length > 0) throw new ValidationError(issues);
    if (segment instanceof ServiceError) throw segment;
    if (topic.missing) throw topic.missing;
    for (const { from } of content.variants) checkDomain(from, addressOf(from), workspace.domains);
    const campaign = campaignOf(context, input, content);
    await addCampaign(campaign, storedContent(content));
    return createdCampaign(campaign, shownTarget(workspace, segment, campaign.tag));
  },
);

type Created = Output<typeof createCampaignRoute>;

const createdCampaign = ({ id, name }: Campaign, target: Created['target']): Created => ({
  id,
  object: 'campaign',
  name,
  status: 'draft',
  target,
});

/** The issues of a refused request, to be reported together with others. */
export function issuesOnly(error: unknown): { readonly issues: readonly Issue[] } {
  if (error instanceof ValidationError) return error;
  throw error;
}

/** A refusal as a value: what is wrong with the request itself is reported before what it names is missing. */
export const refusalOnly = (error: unknown): ServiceError => {
  if (error instanceof ServiceError && error.code === 'not_found') return error;
  throw error;
};

/** Fills what a variant leaves out from the campaign. */
function contentOf(input: WrittenCampaign, from: string): CampaignContent {
  const whole = { subject: input.subject, preheader: input.preheader ?? null, from, ...bodyOf(input) };
  const variants = input.ab_test?.variants ?? [{}];
  return { variants: variants.map((variant) => variantOf(whole, variant)) };
}

/** A variant, with what it leaves out taken from the whole campaign. */
export function variantOf(whole: Omit<WrittenVariant, 'name'>, own: Partial<CampaignVariantRequest>): WrittenVariant {
  return {
    name: own.name ?? null,
    subject: own.subject ?? whole.subject,
    preheader: own.preheader ?? whole.preheader,
    from: own.from ?? whole.from,
    ...(bodyFieldOf(own) ? bodyOf(own) : bodyIn(whole)),
  };
}

/** A message must fit into one call of SES with at least one recipient. */
function sizeIssues(workspace: Workspace, input: WrittenCampaign, { variants }: CampaignContent): Issue[] {
  return variants.flatMap((variant, index) => {
    if (isSendable(variant, workspace, replyAddresses(input.reply_to))) return [];
    const own = input.ab_test?.variants[index];
    const ofVariant = own && bodyFieldOf(own);
    const path = ofVariant ? `ab_test.variants[${index}].${ofVariant}` : (bodyFieldOf(input) ?? 'text');
    return [{ path, text: tooLarge }];
  });
}

/** The default sender; null when the workspace has none. */
export function senderOf(workspace: Workspace): string | null {
  const sender = defaultSender(workspace);
  if (!sender) return null;
  return formatMailbox({ name: sender.name, address: sender.email });
}

export const noSender: Issue = {
  path: 'from',
  text: {
    en: 'is required, since the workspace has no default sender',
    fr: 'est obligatoire, car l’espace n’a pas d’expéditeur par défaut',
  },
};

function campaignOf(context: Context, input: WrittenCampaign, { variants: [first] }: CampaignContent): Campaign {
  const at = context.now.toISOString();
  const test = input.ab_test;
  return {
    workspaceId: context.workspaceId,
    id: newId(context, 'camp'),
    name: input.name,
    subject: input.subject,
    preheader: input.preheader ?? null,
    from: input.from ?? first?.from ?? '',
    replyTo: replyAddresses(input.reply_to),
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

/** One address or several as a list. */
export const replyAddresses = (given: string | readonly string[] | null | undefined): readonly string[] | null =>
  typeof given === 'string' ? [given] : (given ?? null);

export function addressOf(from: string): string {
  const parsed = readMailbox(from);
  if (!parsed.ok) throw new Error(`A validated sender did not parse: ${parsed.problem}`);
  return parsed.mailbox.address;
}

/** A request with the template's subject and content filled in. */
export type WrittenCampaign = Omit<CreateCampaignRequest, 'subject' | 'template' | 'content'> & {
  readonly subject: string;
  readonly content?: readonly Block[] | undefined;
  readonly template: TemplateVersion | null;
};

/**
 * Copies subject, preheader and content from the template where the request leaves them out. Throws `validation_error`
 * for a variable of the template that is no merge field of a campaign.
 */
export async function writtenCampaign(workspaceId: string, input: CreateCampaignRequest): Promise<WrittenCampaign> {
  const { template, ...own } = input;
  if (!template) return { ...own, subject: own.subject ?? '', template: null };
  const found = await findTemplate(workspaceId, template.id).catch(unknownAsIssue);
  const { blocks, variables } = found.source;
  if (blocks === null) throw refused('template.id', noBlocks);
  const copy = {
    ...own,
    subject: own.subject ?? withFallbacks(found.source.subject ?? '', variables),
    preheader: own.preheader ?? withFallbacks(found.source.preheader, variables) ?? undefined,
    content: withFallbacks(blocks, variables),
  };
  if (copy.subject === '') throw refused('subject', noSubject);
  const lines = [copy.subject, copy.preheader ?? ''].flatMap((line) => readMergeFields(line).problems);
  const problems = [...lines, ...readContent(copy.content).problems];
  if (problems.length > 0) {
    throw new ValidationError(problems.map(({ text }): Issue => ({ path: 'template.id', text })));
  }
  return { ...copy, template: { id: found.template.id, version: found.template.version } };
}

function unknownAsIssue(error: unknown): never {
  throw error instanceof ServiceError && error.code === 'not_found' ? refused('template.id', unknownTemplate) : error;
}

const refused = (path: string, text: Text) => new ValidationError([{ path, text }]);

const noBlocks: Text = {
  en: 'is written as HTML or text: a campaign needs a template with "content"',
  fr: 'est écrit en HTML ou en texte : une campagne demande un modèle avec « content »',
};
const noSubject: Text = {
  en: 'is required: the template has none',
  fr: 'est obligatoire : le modèle n’en a pas',
};
