import { type Issue, ServiceError } from '../../contract/errors.ts';
import { domainOf } from '../../domain/address.ts';
import type { ExclusionReason } from '../../domain/audience.ts';
import type { Campaign } from '../../domain/campaign/campaign.ts';
import type { Advice } from '../../domain/content/advice.ts';
import type { RecordCheck } from '../../domain/dnsRecords.ts';
import type { SubscriberStatus } from '../../domain/person/person.ts';
import { pageOfSubscribers } from '../../store/person/subscriberLists.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { breakDown, countAudience, type Target } from '../audience.ts';
import type { Context } from '../context.ts';
import { readDmarc } from '../domains.ts';
import { existingWorkspace } from '../existingWorkspace.ts';
import { requireOperator } from '../operatorVerb.ts';
import { checkCampaign, problemsOfCampaign } from './internal/checks.ts';
import { writtenContent } from './internal/content.ts';
import { adviceOn, senderOf } from './internal/message.ts';
import { offeredTag, segmentOf } from './internal/target.ts';
import { findCampaign } from './readCampaigns.ts';
import { sendCampaign } from './sendCampaign.ts';

/** What can be checked of a campaign without counting its recipients. */
export interface Preflight {
  readonly campaign: Campaign;
  /** Problems of the draft by field; a send refuses them. */
  readonly issues: readonly Issue[];
  /** Why a send would be refused now, whatever its audience; null when it would not. */
  readonly blocked: string | null;
  /** By variant. */
  readonly advice: readonly (readonly Advice[])[];
}

/** The checks of a dry run that need no audience, and advice about the message. */
export async function preflightCampaign(context: Context, { id }: { readonly id: string }): Promise<Preflight> {
  requireOperator(context, 'read');
  const campaign = await findCampaign(context.workspaceId, id);
  const [workspace, content, blocked] = await Promise.all([
    getWorkspace(context.workspaceId),
    writtenContent(campaign),
    blockedReasonNow(context, campaign),
  ]);
  if (!workspace) throw new ServiceError('internal_error');
  const advice = adviceOn(campaign, content, workspace);
  return { campaign, issues: problemsOfCampaign(campaign, content, workspace), blocked, advice };
}

/** Why a send would be refused before its audience is read; null when it would not. */
export async function blockedReasonOf(context: Context, { id }: { readonly id: string }): Promise<string | null> {
  requireOperator(context, 'read');
  return blockedReasonNow(context, await findCampaign(context.workspaceId, id));
}

async function blockedReasonNow(context: Context, campaign: Campaign): Promise<string | null> {
  try {
    await checkCampaign(context, campaign, undefined);
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'internal_error') throw error;
    return error.text[context.language];
  }
}

/** The DMARC policy in DNS of the domain that a campaign is sent from. */
export async function dmarcOf(context: Context, { from }: Pick<Campaign, 'from'>): Promise<RecordCheck> {
  return readDmarc(context, { domain: domainOf(senderOf({ from }).address) });
}

/** What a send would answer. Counts the whole audience. */
export async function dryRunOf(
  context: Context,
  id: string,
): Promise<{ readonly blocked: string | null; readonly recipients: number | null }> {
  const { output } = await sendCampaign(context, { id, dry_run: true });
  if (output.object !== 'send_preview') throw new ServiceError('internal_error');
  return { blocked: output.blocked_reason, recipients: output.recipients };
}

/** A subscriber, and why the campaign would not reach them; null when it would. */
export interface AudienceRow {
  readonly email: string;
  readonly reason: ExclusionReason | null;
  /** Whether they left the topic of the campaign alone. */
  readonly hasLeftTopic: boolean;
}

interface AudiencePageRequest {
  readonly id: string;
  readonly status?: SubscriberStatus | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * The subscribers of the workspace, newest first, each with why a send now would leave them out, decided by `select` as
 * for the send itself. A page costs the same whatever the length of the list.
 */
export async function pageOfAudience(
  context: Context,
  { id, ...page }: AudiencePageRequest,
): Promise<{ readonly rows: readonly AudienceRow[]; readonly next: string | null }> {
  requireOperator(context, 'read');
  const { workspaceId, now } = context;
  const [target, { entries, next }] = await Promise.all([targetOf(context, id), pageOfSubscribers(workspaceId, page)]);
  const emails = entries.map(({ person }) => person.email);
  const { excluded } = await breakDown({ ...target, to: emails }, now);
  const exclusions = new Map(excluded.map((exclusion) => [exclusion.email, exclusion]));
  const rows = emails.map((email): AudienceRow => {
    const { reason = null, tag } = exclusions.get(email) ?? {};
    return { email, reason, hasLeftTopic: tag !== undefined };
  });
  return { rows, next };
}

/** How many recipients a campaign would reach now, even if a send would be refused. */
export async function countOfCampaign(context: Context, { id }: { readonly id: string }): Promise<number> {
  requireOperator(context, 'read');
  return countAudience(await targetOf(context, id), context.now);
}

async function targetOf({ workspaceId }: Context, id: string): Promise<Target> {
  const [campaign, workspace] = await Promise.all([findCampaign(workspaceId, id), existingWorkspace(workspaceId)]);
  const segment = await segmentOf(campaign);
  return { workspaceId, rule: segment?.rule ?? null, to: null, tag: offeredTag(workspace, campaign.tag) };
}
