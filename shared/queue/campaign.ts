import * as z from 'zod';
import { longestDelaySeconds, sendMessage } from './sqs.ts';

/** A campaign runner's next run: send some chunks from the stored position, if `turn` is still current. */
const message = z.object({
  kind: z.literal('run'),
  workspace_id: z.string(),
  campaign_id: z.string(),
  runner: z.int().nonnegative(),
  turn: z.int().nonnegative(),
});

export type RunMessage = z.output<typeof message>;

export const parseCampaignMessage = (body: string): RunMessage => message.parse(JSON.parse(body));

/** The message group is the workspace, so that a long campaign does not delay others (SQS, "fair queues"). */
export const sendCampaignMessage = (entry: RunMessage, delaySeconds = 0): Promise<void> =>
  sendMessage('campaign', {
    MessageBody: JSON.stringify(entry),
    MessageGroupId: entry.workspace_id,
    ...(delaySeconds > 0 && { DelaySeconds: Math.min(longestDelaySeconds, Math.ceil(delaySeconds)) }),
  });
