import { ServiceError } from '../../contract/errors.ts';
import type { Campaign } from '../../domain/campaign/campaign.ts';
import type { CampaignContent } from '../../domain/campaign/content/content.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { getContent } from '../../store/campaign/campaigns.ts';
import type { CampaignMessage } from '../../store/campaign/messages.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import type { Target } from '../audience/select.ts';
import type { Context } from '../context.ts';
import { checkDomain } from '../emails/checks.ts';
import { findSegment } from '../segments/find.ts';
import { checkComplete } from './draft.ts';
import { renderVariants, senderOf } from './message.ts';
import { checkStatus, emptyTo, suspended, toWithTest } from './refusals.ts';

/** A campaign that may go out as far as can be told without counting anybody. */
export interface CheckedCampaign {
  readonly campaign: Campaign;
  readonly workspace: Workspace;
  readonly messages: readonly CampaignMessage[];
  readonly target: Target;
}

/** Sender, content, reputation, list: what a real send and a dry run check alike. Throws the first refusal. */
export async function checkCampaign(
  { workspaceId }: Pick<Context, 'workspaceId'>,
  campaign: Campaign,
  to: readonly string[] | undefined,
  from: 'draft' | 'scheduled' = 'draft',
): Promise<CheckedCampaign> {
  checkStatus(campaign, from);
  if (to !== undefined && campaign.test) throw toWithTest();
  if (to?.length === 0) throw emptyTo();
  const [workspace, content, segment] = await Promise.all([
    getWorkspace(workspaceId),
    getContent<CampaignContent>(campaign),
    campaign.segmentId === null ? null : findSegment(workspaceId, campaign.segmentId),
  ]);
  if (!workspace) throw new ServiceError('internal_error');
  checkComplete(campaign, content, workspace);
  for (const variant of content.variants) checkDomain(variant.from, senderOf(variant).address, workspace.domains);
  if (workspace.suspension) throw suspended(workspace.suspension);
  const messages = renderVariants(campaign.id, content, workspace);
  const tag = offeredTag(workspace, campaign.tag);
  return { campaign, workspace, messages, target: { workspaceId, rule: segment?.rule ?? null, to: to ?? null, tag } };
}

/** The kind that a campaign is, as long as the workspace offers to leave it. */
export const offeredTag = ({ kinds }: Pick<Workspace, 'kinds'>, tag: string | null | undefined): string | null =>
  kinds.find((kind) => kind.tag === tag)?.tag ?? null;
