import { ServiceError } from '../../../contract/errors.ts';
import type { CampaignContent } from '../../../domain/campaign/content/content.ts';
import { getContent } from '../../../store/campaign/campaigns.ts';
import { getWorkspace } from '../../../store/workspace/workspaces.ts';
import type { Context } from '../../context.ts';
import { sendEmail } from '../../emails/send.ts';
import { operatorVerb } from '../../operators/verb.ts';
import { findCampaign } from '../find.ts';
import { personOf, previewOf } from './preview.ts';

/** Really sends a campaign's message to one address, marked as a test: a single email, and no part of the report. */
export const sendTestOfCampaign = operatorVerb(
  { action: 'campaign.test', needs: 'change', subject: ({ id }) => id },
  async (
    context: Context,
    input: {
      readonly id: string;
      readonly to: string;
      readonly variant?: number | undefined;
      /** The same once more is the same test. */
      readonly idempotencyKey?: string;
    },
  ): Promise<{ readonly emailId: string; readonly subject: string }> => {
    const campaign = await findCampaign(context.workspaceId, input.id);
    const [workspace, content, person] = await Promise.all([
      getWorkspace(context.workspaceId),
      getContent<CampaignContent>(campaign),
      personOf(context.workspaceId, input.to),
    ]);
    if (!workspace) throw new ServiceError('internal_error');
    const message = previewOf(campaign.id, workspace, content, input.variant ?? 0, person);
    const subject = `[Test] ${message.subject}`.slice(0, 998);
    const sent = await sendEmail(context, {
      ...(input.idempotencyKey !== undefined && { idempotencyKey: input.idempotencyKey }),
      from: content.variants[input.variant ?? 0]?.from ?? campaign.from,
      to: input.to,
      subject,
      html: message.html,
      text: message.text,
      track: campaign.track,
      tags: [{ name: 'campaign_test', value: campaign.id }],
    });
    return { emailId: sent.output.id, subject };
  },
);
