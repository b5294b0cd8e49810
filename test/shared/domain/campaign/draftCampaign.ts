import type { Campaign } from '../../../../shared/domain/campaign/campaign.ts';
import { createId } from '../../../../shared/domain/identifier.ts';

/** A draft created at this moment. */
export function draftCampaign(workspaceId: string, now: Date, test: Campaign['test'] = null): Campaign {
  const at = now.toISOString();
  return {
    workspaceId,
    id: createId('camp', now),
    name: 'News',
    subject: 'News',
    preheader: null,
    from: 'a@example.com',
    kind: 'regular',
    status: 'draft',
    segmentId: null,
    test,
    track: {},
    freeze: null,
    hold: null,
    createdAt: at,
    updatedAt: at,
    scheduledAt: null,
    sentAt: null,
  };
}
