import { slicePositions } from '../../domain/campaign/slice.ts';
import type { Renaming } from '../../domain/person/erased.ts';
import { getCampaign } from '../../store/campaign/campaigns.ts';
import { chunkOf } from '../../store/campaign/chunks.ts';
import { readSlices } from '../../store/campaign/slices.ts';
import { outcomeOfPerson } from '../campaigns/operator/recipients.ts';

/** What became of a person in a campaign; null when the list was never sent to, since another send was first. */
export async function campaignRecordOf(
  workspaceId: string,
  item: Record<string, unknown>,
  names: Renaming,
): Promise<object | null> {
  const { campaignId, freezeId, number, emails } = await chunkOf(item);
  const campaign = await getCampaign({ workspaceId, id: campaignId });
  if (campaign?.freeze?.id !== freezeId) return null;
  const position = emails.findIndex((email) => names.isAddress(email));
  const slices = await readSlices({ workspaceId, campaignId, chunk: number });
  const sets = slices[Math.floor(position / slicePositions)]?.sets ?? {};
  const { email, ...outcome } = outcomeOfPerson(emails[position] ?? '', sets, position % slicePositions);
  const { id, name, subject, freeze } = campaign;
  return { object: 'campaign_recipient', campaign_id: id, name, subject, frozen_at: freeze.at, email, ...outcome };
}
