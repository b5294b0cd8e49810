import * as z from 'zod';

/** The time of a scheduled campaign has come: freeze and send it. */
const message = z.object({
  kind: z.literal('fire'),
  workspace_id: z.string(),
  campaign_id: z.string(),
  scheduled_at: z.string(),
});

export type CampaignStartMessage = z.output<typeof message>;

export const parseCampaignStartMessage = (body: string): CampaignStartMessage => message.parse(JSON.parse(body));
