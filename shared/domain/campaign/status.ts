export const campaignStatuses = ['draft', 'scheduled', 'sending', 'sent', 'archived'] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

export const campaignKinds = ['regular', 'ab_test'] as const;
export type CampaignKind = (typeof campaignKinds)[number];

/** Every way from one status to another; whatever is not here is a conflict. */
const ways: Readonly<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  draft: ['sending', 'scheduled', 'archived'],
  scheduled: ['sending', 'draft'],
  sending: ['sent'],
  sent: ['archived'],
  archived: [],
};

export const mayBecome = (from: CampaignStatus, to: CampaignStatus): boolean => ways[from].includes(to);
