import { type Issue, ServiceError } from '../../../contract/errors.ts';
import { domainOf } from '../../../domain/address/address.ts';
import { type Advice, adviceOf } from '../../../domain/campaign/advice.ts';
import type { Campaign } from '../../../domain/campaign/campaign.ts';
import type { CampaignContent } from '../../../domain/campaign/content/content.ts';
import type { RecordCheck } from '../../../domain/dns/recordCheck.ts';
import { getContent } from '../../../store/campaign/campaigns.ts';
import { getWorkspace } from '../../../store/workspace/workspaces.ts';
import type { Context } from '../../context.ts';
import { readDmarc } from '../../domains/dmarc.ts';
import { requireOperator } from '../../requireOperator.ts';
import { checkCampaign } from '../checkCampaign.ts';
import { problemsOfCampaign } from '../draft.ts';
import { findCampaign } from '../find.ts';
import { renderVariants, senderOf } from '../message.ts';
import { sendCampaign } from '../send.ts';

/** What can be said of a campaign before it goes out without counting or asking anybody. */
export interface Preflight {
  readonly campaign: Campaign;
  /** What is still missing, by field; the send refuses it. */
  readonly issues: readonly Issue[];
  /** Why a send now would be refused whoever its people are, in its own words; null when only they are left to count. */
  readonly blocked: string | null;
  /** By variant. */
  readonly advice: readonly (readonly Advice[])[];
}

/** The checks of a dry run that count nobody, and what no send would refuse but a careful colleague would ask. */
export async function preflightCampaign(context: Context, { id }: { readonly id: string }): Promise<Preflight> {
  requireOperator(context, 'read');
  const campaign = await findCampaign(context.workspaceId, id);
  const [workspace, content, blocked] = await Promise.all([
    getWorkspace(context.workspaceId),
    getContent<CampaignContent>(campaign),
    obstacleTo(context, campaign),
  ]);
  if (!workspace) throw new ServiceError('internal_error');
  const rendered = renderVariants(campaign.id, content, workspace);
  const advice = content.variants.map((written, index) => {
    const message = rendered[index];
    return message ? adviceOf({ written, rendered: message, sender: senderOf(written).address }) : [];
  });
  return { campaign, issues: problemsOfCampaign(campaign, content, workspace), blocked, advice };
}

/** What a send would refuse before it has looked at anybody; null when it would go on to its people. */
export async function obstacleOf(context: Context, { id }: { readonly id: string }): Promise<string | null> {
  requireOperator(context, 'read');
  return obstacleTo(context, await findCampaign(context.workspaceId, id));
}

async function obstacleTo(context: Context, campaign: Campaign): Promise<string | null> {
  try {
    await checkCampaign(context, campaign, undefined);
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'internal_error') throw error;
    return error.text[context.language];
  }
}

/** What DNS has of the policy of the domain that a campaign is written from. */
export async function dmarcOf(context: Context, { from }: Pick<Campaign, 'from'>): Promise<RecordCheck> {
  return readDmarc(context, { domain: domainOf(senderOf({ from }).address) });
}

/** What a send would say; it counts everybody whom it would reach. */
export async function dryRunOf(
  context: Context,
  id: string,
): Promise<{ readonly blocked: string | null; readonly recipients: number | null }> {
  const { output } = await sendCampaign(context, { id, dry_run: true });
  if (output.object !== 'send_preview') throw new ServiceError('internal_error');
  return { blocked: output.blocked_reason, recipients: output.recipients };
}
