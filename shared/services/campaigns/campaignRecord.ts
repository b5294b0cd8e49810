import type { Output } from '../../contract/route.ts';
import type { getCampaignRoute } from '../../contract/routes/campaigns.ts';
import type { AbTest, Campaign } from '../../domain/campaign/campaign.ts';
import type { CampaignContent, WrittenBody } from '../../domain/content/block.ts';
import { defaultLanguage } from '../../language/languages.ts';
import type { Context } from '../context.ts';
import { figuresOf, type VariantFigures } from './abTest.ts';
import { writtenContent } from './internal/content.ts';
import { targetOfCampaign } from './internal/target.ts';
import { findCampaign, shownWithProgress } from './readCampaigns.ts';

type CampaignAnswer = Output<typeof getCampaignRoute>;

/** A campaign as the API answers it. */
export async function showCampaign(context: Context, input: { readonly id: string }): Promise<CampaignAnswer> {
  const campaign = await findCampaign(context.workspaceId, input.id);
  const [shown, target, content, figures] = await Promise.all([
    shownWithProgress(context, campaign),
    targetOfCampaign(campaign),
    writtenContent(campaign),
    figuresOf(campaign),
  ]);
  const [first] = content.variants;
  const { from, replyTo = null, track, revision = 0 } = campaign;
  const failure = campaign.scheduleFailure;
  const message = failure?.text[context.language] ?? failure?.text[defaultLanguage] ?? '';
  return {
    ...{ ...shown, from, reply_to: replyTo, track, target, revision },
    ...shownBody(first ?? { blocks: [] }),
    ab_test: campaign.test && shownTest(campaign.test, content, figures),
    schedule_failure: failure ? { code: failure.code, message, at: failure.at } : null,
  };
}

/** The body in the form in which it was written. */
function shownBody({ blocks, text, html, plainText = null }: WrittenBody) {
  const none = { text: null, content: null, html: null, plain_text: null };
  if (html !== undefined) return { ...none, html, plain_text: plainText };
  return text === undefined ? { ...none, content: blocks } : { ...none, text };
}

function shownTest(test: AbTest, { variants }: CampaignContent, figures: readonly VariantFigures[] | null) {
  return {
    test_share: test.share,
    decide_by: test.decideBy,
    wait_hours: test.waitHours,
    winner: test.winner,
    decide_at: test.decideAt,
    variants: variants.map(({ name, subject }, index) => {
      const { people = 0, opened = 0, clicked = 0 } = figures?.[index] ?? {};
      return { name, subject, recipients: people, opened, clicked };
    }),
  };
}

/** A verb that changes a campaign, as the API answers it: with the campaign as it is stored after the change. */
export const answeringCampaign =
  <Given>(verb: (context: Context, input: Given) => Promise<Pick<Campaign, 'id'>>) =>
  async (context: Context, input: Given): Promise<CampaignAnswer> =>
    showCampaign(context, await verb(context, input));
