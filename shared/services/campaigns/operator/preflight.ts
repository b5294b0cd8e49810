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
import { problemsOfCampaign } from '../draft.ts';
import { findCampaign } from '../find.ts';
import { renderVariants, senderOf } from '../message.ts';
import { sendCampaign } from '../send.ts';

/** Everything that can be said of a campaign before it goes out. */
export interface Preflight {
  readonly campaign: Campaign;
  /** What is still missing, by field; the send refuses it. */
  readonly issues: readonly Issue[];
  /** Why a send now would be refused, in its own words; null when it would go out. */
  readonly blocked: string | null;
  /** How many people it would reach now; null when it is refused before they are counted. */
  readonly recipients: number | null;
  /** By variant. */
  readonly advice: readonly (readonly Advice[])[];
  readonly dmarc: RecordCheck;
}

/** Every check of a dry run, and what no send would refuse but a careful colleague would ask. */
export async function preflightCampaign(context: Context, { id }: { readonly id: string }): Promise<Preflight> {
  requireOperator(context, 'read');
  const campaign = await findCampaign(context.workspaceId, id);
  const [workspace, content, dryRun] = await Promise.all([
    getWorkspace(context.workspaceId),
    getContent<CampaignContent>(campaign),
    dryRunOf(context, id),
  ]);
  const [first] = content.variants;
  if (!workspace || !first) throw new ServiceError('internal_error');
  const rendered = renderVariants(campaign.id, content, workspace);
  const advice = content.variants.map((written, index) => {
    const message = rendered[index];
    return message ? adviceOf({ written, rendered: message, sender: senderOf(written).address }) : [];
  });
  const dmarc = await readDmarc(context, { domain: domainOf(senderOf(first).address) });
  return { campaign, issues: problemsOfCampaign(campaign, content, workspace), ...dryRun, advice, dmarc };
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
