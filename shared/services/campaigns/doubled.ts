import { doubledPositions } from '../../domain/campaign/messageMark.ts';
import { notify } from '../../platform/notice.ts';
import type { SlicePosition } from '../../store/campaign/slices.ts';

/**
 * Calls an operator when the provider has named two messages for one person of a campaign. It must not happen, so nothing
 * else is done about it; the one who sees the second message says so, whether from a call's answer or from an event.
 */
export function reportDoubled(
  { workspaceId, campaignId, chunk, slice }: SlicePosition,
  known: ReadonlySet<number>,
  added: ReadonlySet<number>,
): void {
  const positions = doubledPositions(known, added);
  if (positions.length === 0) return;
  notify('CampaignDoubled', 'The provider took two messages of a campaign for the same person.', {
    workspace_id: workspaceId,
    campaign_id: campaignId,
    chunk,
    slice,
    positions,
  });
}
