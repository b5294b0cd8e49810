import type { AbTest } from '../../../domain/campaign/campaign.ts';
import { getPace } from '../../../store/campaign/pace.ts';
import { readTallies } from '../../../store/campaign/tallies.ts';
import type { Context } from '../../context.ts';
import { requireOperator } from '../../requireOperator.ts';
import { findCampaign } from '../find.ts';
import { shownCampaign } from '../show.ts';

interface Followed {
  readonly campaign: ReturnType<typeof shownCampaign>;
  readonly test: AbTest | null;
}

/** What `getCampaign` says, for whoever asks again and again: for half its read units, and perhaps a moment old. */
export async function followCampaign(context: Context, { id }: { readonly id: string }): Promise<Followed> {
  requireOperator(context, 'read');
  const { workspaceId, now } = context;
  const campaign = await findCampaign(workspaceId, id);
  const { freeze, status, test } = campaign;
  const [tallies, pace] = await Promise.all([
    freeze ? readTallies(workspaceId, id) : null,
    status === 'sending' ? getPace() : null,
  ]);
  return { campaign: shownCampaign(campaign, tallies?.total ?? {}, pace, now), test };
}
