import type { AbTest } from '../../../domain/campaign/campaign.ts';
import type { CampaignContent } from '../../../domain/campaign/content/content.ts';
import { getContent } from '../../../store/campaign/campaigns.ts';
import type { Context } from '../../context.ts';
import { requireOperator } from '../../requireOperator.ts';
import { findCampaign } from '../find.ts';

/** A variant of a test, with what its people had done when the winner was chosen; null until then. */
interface TestedVariant {
  readonly name: string | null;
  readonly subject: string;
  readonly result: { readonly delivered: number; readonly votes: number } | null;
}

export interface TestResults {
  readonly test: AbTest;
  readonly variants: readonly TestedVariant[];
}

/** The A/B test of a campaign; null when it has none. What each variant came to was kept at the decision. */
export async function readTestResults(context: Context, { id }: { readonly id: string }): Promise<TestResults | null> {
  requireOperator(context, 'read');
  const campaign = await findCampaign(context.workspaceId, id);
  const { test } = campaign;
  if (!test) return null;
  const { variants } = await getContent<CampaignContent>(campaign);
  return {
    test,
    variants: variants.map(({ name, subject }, index) => ({ name, subject, result: test.results?.[index] ?? null })),
  };
}
