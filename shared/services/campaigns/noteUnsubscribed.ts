import { chunkInfo, sizeOfSlice } from '../../domain/campaign/campaign.ts';
import { slicePositions } from '../../domain/campaign/slice.ts';
import { getCampaign } from '../../store/campaign/campaigns.ts';
import { addToSlice } from '../../store/campaign/slices.ts';
import { TallyBook } from './run/book.ts';
import { campaignExpiry } from './run/retention.ts';

/** Counts somebody who left through a campaign's message; doing it again changes nothing. */
export async function noteUnsubscribed(
  workspaceId: string,
  campaignId: string,
  { chunk, position }: { readonly chunk: number; readonly position: number },
): Promise<void> {
  const campaign = await getCampaign({ workspaceId, id: campaignId });
  const group = campaign?.freeze && chunkInfo(campaign.freeze, chunk);
  if (!campaign?.freeze || !group) return;
  const slice = Math.floor(position / slicePositions);
  const place = { workspaceId, campaignId, chunk, slice };
  const sets = { unsubscribed: new Set([position % slicePositions]) };
  const expiresAt = campaignExpiry(new Date(campaign.freeze.at));
  const before = await addToSlice(place, { sets, heard: new Set(), expiresAt });
  if (!before) return;
  const book = new TallyBook();
  book.add(place, before.sets, sets, sizeOfSlice(group.people, slice));
  await book.write();
}
