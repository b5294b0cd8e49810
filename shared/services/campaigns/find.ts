import { ServiceError } from '../../contract/errors.ts';
import type { Campaign } from '../../domain/campaign/campaign.ts';
import { isId } from '../../domain/token/identifier.ts';
import { getCampaign } from '../../store/campaign/campaigns.ts';

/** A campaign of the caller's workspace; `not_found` for any other id. */
export async function findCampaign(workspaceId: string, id: string): Promise<Campaign> {
  const campaign = isId('camp', id) ? await getCampaign({ workspaceId, id }) : null;
  if (!campaign) throw new ServiceError('not_found');
  return campaign;
}
