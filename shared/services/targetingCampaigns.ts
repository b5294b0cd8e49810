import { ServiceError } from '../contract/errors.ts';
import type { Campaign } from '../domain/campaign/campaign.ts';
import { textsOf } from '../language/text.ts';
import { pageOfCampaigns } from '../store/campaign/campaigns.ts';

type TargetingCampaign = Pick<Campaign, 'id' | 'name' | 'status'>;

/** At most this many are named. */
const maxNamed = 100;

/** The drafts and scheduled campaigns that target something. Reads all of them: one read unit each. */
export async function campaignsTargeting(
  workspaceId: string,
  isTargeting: (campaign: Campaign) => boolean,
): Promise<readonly TargetingCampaign[]> {
  const found: TargetingCampaign[] = [];
  for (const status of ['scheduled', 'draft'] as const) {
    let after: string | undefined;
    do {
      const { entries, next } = await pageOfCampaigns(workspaceId, { status, limit: maxNamed, after });
      found.push(...entries.filter(isTargeting).map(({ id, name }) => ({ id, name, status })));
      after = next ?? undefined;
    } while (after !== undefined && found.length < maxNamed);
  }
  return found.slice(0, maxNamed);
}

const targets = textsOf({
  segment: { en: 'this segment', fr: 'ce segment' },
  topic: { en: 'this topic', fr: 'ce type d’e-mail' },
});

/** The refusal to delete what these campaigns target. */
export function stillTargeted(campaigns: readonly TargetingCampaign[], target: keyof typeof targets): ServiceError {
  const names = campaigns.slice(0, 3).map(({ name }) => name);
  const more = campaigns.length - names.length;
  const [inQuotes, inGuillemets] = [
    names.map((name) => `"${name}"`).join(', '),
    names.map((name) => `« ${name} »`).join(', '),
  ];
  return new ServiceError('conflict', {
    text: {
      en: `Drafts or scheduled campaigns target ${targets[target].en}: ${inQuotes}${more > 0 ? ` and ${more} more` : ''}. Choose another target for them, or delete them first.`,
      fr: `Des brouillons ou des campagnes programmées ciblent ${targets[target].fr} : ${inGuillemets}${more > 0 ? ` et ${more} de plus` : ''}. Choisissez-leur une autre cible, ou supprimez-les d’abord.`,
    },
    details: { campaigns },
  });
}
