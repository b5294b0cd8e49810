import * as z from 'zod';
import { longestDelaySeconds } from './delay.ts';
import { sendMessage } from './sqs/sendMessage.ts';

/** A runner's turn: send some chunks, beginning where it stands, if it is still its turn. */
const message = z.object({
  kind: z.literal('run'),
  workspace_id: z.string(),
  campaign_id: z.string(),
  runner: z.int().nonnegative(),
  turn: z.int().nonnegative(),
});

export type RunMessage = z.output<typeof message>;

export const parseCampaignMessage = (body: string): RunMessage => message.parse(JSON.parse(body));

/** The group is the workspace: one whose campaign runs for hours does not hold up the others (SQS, "fair queues"). */
export const sendCampaignMessage = (entry: RunMessage, delaySeconds = 0): Promise<void> =>
  sendMessage('campaign', {
    MessageBody: JSON.stringify(entry),
    MessageGroupId: entry.workspace_id,
    ...(delaySeconds > 0 && { DelaySeconds: Math.min(longestDelaySeconds, Math.ceil(delaySeconds)) }),
  });
