import { type Issue, ServiceError, ValidationError } from '../../contract/errors.ts';
import type { Input } from '../../contract/route.ts';
import type { updateCampaignRoute } from '../../contract/routes/campaignDrafts.ts';
import { bodyFieldOf, bodyOf, onlyWithHtml } from '../../contract/schemas/campaignBody.ts';
import { problemsOfDraft, type WrittenDraft } from '../../contract/schemas/campaignDraft.ts';
import type { Campaign } from '../../domain/campaign/campaign.ts';
import { bodyIn, type WrittenVariant } from '../../domain/content/block.ts';
import { canonicalJson } from '../../domain/encoding.ts';
import type { TemplateVersion } from '../../domain/template/template.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import type { Text } from '../../language/text.ts';
import type { Context } from '../context.ts';
import { checkDomain } from '../emails/checks.ts';
import { existingWorkspace } from '../existingWorkspace.ts';
import { operatorVerb } from '../operatorVerb.ts';
import { segmentWithId } from '../segments.ts';
import {
  addressOf,
  issuesOnly,
  noSender,
  refusalOnly,
  replyAddresses,
  senderOf,
  variantOf,
  writtenCampaign,
} from './createCampaign.ts';
import { changed, notADraft, overtaken, writeDraft } from './drafts.ts';
import { draftOf } from './internal/checks.ts';
import { isStoredAlike, writtenContent } from './internal/content.ts';
import { isSendable, tooLarge } from './internal/message.ts';
import { readTopic } from './internal/target.ts';
import { findCampaign } from './readCampaigns.ts';

type CampaignChange = Input<typeof updateCampaignRoute>;

/**
 * Changes the given fields of a draft. What `createCampaign` would refuse is refused, as far as this change brings it:
 * a draft of the editor may lack other things. A repeated change succeeds and changes nothing, at any revision.
 */
export const editCampaign = /* @__PURE__ */ operatorVerb(
  { action: 'campaign.edit', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (context: Context, change: CampaignChange): Promise<Campaign> => {
    const { workspaceId, now } = context;
    const campaign = await findCampaign(workspaceId, change.id);
    if (campaign.status !== 'draft') throw notADraft(campaign);
    const [content, workspace, segment] = await Promise.all([
      writtenContent(campaign),
      existingWorkspace(workspaceId),
      typeof change.segment_id === 'string' ? segmentWithId(workspaceId, change.segment_id).catch(refusalOnly) : null,
    ]);
    const before = draftOf(campaign, content);
    const given = await givenContent(workspace, change, before).catch(issuesOnly);
    const topic = readTopic(workspace, change);
    if ('issues' in given) throw new ValidationError([...given.issues, ...topic.issues]);
    const { draft, issues } = changedDraft(campaign, before, { ...change, tag: topic.tag }, given);
    issues.push(...topic.issues);
    if (issues.length === 0) issues.push(...newProblems(before, draft), ...sizeIssues(workspace, before, draft, given));
    if (issues.length > 0) throw new ValidationError(issues);
    if (segment instanceof ServiceError) throw segment;
    if (topic.missing) throw topic.missing;
    const known = new Set(before.variants.map(({ from }) => from));
    for (const { from } of draft.variants.filter((variant) => !known.has(variant.from))) {
      checkDomain(from, addressOf(from), workspace.domains);
    }
    const template = given.template === undefined ? campaign.template : given.template;
    const isSame = isStoredAlike(before, draft);
    if (isSame && canonicalJson(campaign.template ?? null) === canonicalJson(template ?? null)) return campaign;
    if (change.revision !== undefined && change.revision !== (campaign.revision ?? 0)) throw overtaken();
    const { subject = campaign.subject, preheader = campaign.preheader, from = campaign.from } = given.message;
    const after = { ...changed(campaign, draft, now), subject, preheader, from, template: template ?? null };
    await writeDraft(campaign, after, draft);
    return after;
  },
);

/** What a change says of the message as a whole. */
interface GivenContent {
  readonly message: Partial<Omit<WrittenVariant, 'name'>>;
  /** The field that the body comes from. */
  readonly body: ReturnType<typeof bodyFieldOf> | 'plain_text' | 'template';
  /** Null when the body is no copy of a template any more; absent when it is not changed. */
  readonly template?: TemplateVersion | null;
}

async function givenContent(
  workspace: Workspace,
  change: CampaignChange,
  { variants: [first] }: WrittenDraft,
): Promise<GivenContent> {
  const { subject, preheader, from, plain_text, template } = change;
  const sender = from === null ? senderOf(workspace) : from;
  if (sender === null) throw new ValidationError([noSender]);
  const lines = {
    ...(subject !== undefined && { subject }),
    ...(preheader !== undefined && { preheader }),
    ...(sender !== undefined && { from: sender }),
  };
  if (template) {
    const own = { name: '', subject, preheader: preheader ?? undefined, template };
    const copy = await writtenCampaign(workspace.id, own);
    const copied = { subject: copy.subject, preheader: copy.preheader ?? null, ...bodyOf(copy) };
    return { message: { ...copied, ...lines }, body: 'template', template: copy.template };
  }
  const body = bodyFieldOf(change);
  if (body !== null && body !== 'html' && plain_text) throw loneText();
  if (body !== null) return { message: { ...lines, ...bodyOf(change) }, body, template: null };
  if (plain_text === undefined) return { message: lines, body };
  if (first?.html === undefined) throw loneText();
  return { message: { ...lines, ...bodyIn(first), plainText: plain_text }, body: 'plain_text' };
}

const loneText = () => new ValidationError([{ path: 'plain_text', text: onlyWithHtml }]);

/** The draft after the change, and what cannot be decided without a guess. */
function changedDraft(
  campaign: Campaign,
  before: WrittenDraft,
  change: CampaignChange,
  { message, body }: GivenContent,
): { readonly draft: WrittenDraft; readonly issues: Issue[] } {
  const { name = before.name, segment_id, tag, reply_to, track, ab_test } = change;
  const draft = {
    ...before,
    name,
    ...(segment_id !== undefined && { segmentId: segment_id }),
    ...(tag !== undefined && { tag }),
    ...(reply_to !== undefined && { replyTo: replyAddresses(reply_to) }),
    ...(track !== undefined && { track: track ?? {} }),
  };
  const issues: Issue[] = [];
  const differing = differingFields(before);
  if (ab_test === undefined) {
    // A value for all variants would overwrite those that were written to differ.
    const overwritten = differing.filter((field) => message[field] !== undefined);
    issues.push(...overwritten.map((field) => ({ path: pathOf(field, change, body), text: ownValues })));
    return { draft: { ...draft, variants: before.variants.map((variant) => ({ ...variant, ...message })) }, issues };
  }
  const { subject, preheader, from } = campaign;
  const [first] = before.variants;
  const whole = { subject, preheader, from, ...bodyIn(first ?? { blocks: [] }), ...message };
  const variants = ab_test?.variants ?? [{}];
  const lacksBody = variants.some((variant) => bodyFieldOf(variant) === null);
  if (lacksBody && body === null && differing.includes('blocks')) issues.push({ path: 'text', text: whichBody });
  const test = ab_test && {
    share: ab_test.test_share,
    decideBy: ab_test.decide_by,
    waitHours: ab_test.wait_hours,
  };
  return { draft: { ...draft, variants: variants.map((variant) => variantOf(whole, variant)), test }, issues };
}

const messageFields = ['subject', 'preheader', 'from', 'blocks'] as const;
type MessageField = (typeof messageFields)[number];

/** The fields in which the variants of a test differ; `blocks` stands for the whole body. */
const differingFields = ({ variants }: WrittenDraft): MessageField[] =>
  messageFields.filter((field) => {
    const values = variants.map((variant) => (field === 'blocks' ? bodyIn(variant) : variant[field]));
    return new Set(values.map(canonicalJson)).size > 1;
  });

/** The field of the request that gives a field of the message. */
const pathOf = (field: MessageField, change: CampaignChange, body: GivenContent['body']): string =>
  field === 'blocks' || change[field] === undefined ? (body ?? 'text') : field;

const ownValues: Text = {
  en: 'is not the same in all variants of the A/B test: give the variants in "ab_test", or end the test with null',
  fr: 'n’est pas identique dans toutes les variantes du test A/B : donnez les variantes dans « ab_test », ou mettez fin au test avec null',
};
const whichBody: Text = {
  en: 'is required: the variants of the A/B test have different bodies',
  fr: 'est obligatoire : les variantes du test A/B ont des corps différents',
};

/** The problems that a change brings. */
function newProblems(before: WrittenDraft, after: WrittenDraft): Issue[] {
  const nameOf = ({ path, text }: Issue) => `${path} ${text.en}`;
  const known = new Set(problemsOfDraft(before).map(nameOf));
  return problemsOfDraft(after).filter((issue) => !known.has(nameOf(issue)));
}

/** A message must fit into one call of SES with at least one recipient. */
function sizeIssues(workspace: Workspace, before: WrittenDraft, after: WrittenDraft, { body }: GivenContent): Issue[] {
  return after.variants.flatMap((variant) => {
    const isKnown = before.variants.some((known) => isStoredAlike(known, variant));
    if (isKnown || isSendable(variant, workspace, after.replyTo)) return [];
    return [{ path: body ?? 'ab_test', text: tooLarge }];
  });
}
