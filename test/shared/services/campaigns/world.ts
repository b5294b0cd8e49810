import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { AbTest, Campaign } from '../../../../shared/domain/campaign/campaign.ts';
import type { SliceSets } from '../../../../shared/domain/campaign/slice.ts';
import { draftCampaign } from '../../domain/campaign/draftCampaign.ts';
import { operatorContext } from '../context.ts';
import { startQueuesAndTable } from '../queuesAndTable.ts';

export type World = Awaited<ReturnType<typeof startWorld>>;

interface SendingOptions {
  readonly at?: Date;
  readonly test?: AbTest;
  readonly workspaceId?: string;
  readonly runners?: number;
}

/** A table and the queues of campaigns as real engines, without workers, used by this process. */
export async function startWorld() {
  const { sqs, queues, stop } = await startQueuesAndTable();
  const { campaign: runs, 'campaign-start': starts, 'campaign-feedback': feedback } = queues;
  if (!runs || !starts || !feedback) throw new Error('Queues of campaigns are missing.');
  const [campaigns, tallies, slices, workspaces] = await Promise.all([
    import('../../../../shared/store/campaign/campaigns.ts'),
    import('../../../../shared/store/campaign/tallies.ts'),
    import('../../../../shared/store/campaign/slices.ts'),
    import('../../../../shared/services/workspaces/workspaces.ts'),
  ]);
  const { id: workspaceId } = await workspaces.createWorkspace(operatorContext(), {
    name: 'Test',
    plan: 'growth',
    language: 'en',
  });

  /** A campaign that is being sent to this many people. */
  const sending = async (people: number, options: SendingOptions = {}) => {
    const { at: now = new Date(), test = null, workspaceId: own = workspaceId, runners = 1 } = options;
    const at = now.toISOString();
    const campaign = draftCampaign(own, now, test);
    await campaigns.addCampaign(campaign, { variants: [] });
    const freeze = { id: campaign.id, at, groups: [{ variant: 0, people }], runners, month: at.slice(0, 7) };
    const expiresAt = Math.floor(now.getTime() / 1000) + 365 * 86_400;
    const started = await campaigns.startSending(campaign, { freeze, limit: 5_000_000, at: now, expiresAt });
    if (started.kind !== 'started') throw new Error(started.kind);
    return { ...campaign, status: 'sending' as const, freeze };
  };

  const receive = async (QueueUrl: string) => {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    for (const { ReceiptHandle } of Messages) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    return Messages.map(({ Body = '' }) => Body);
  };

  return {
    workspaceId,
    sending,
    getCampaign: campaigns.getCampaign,
    finishSending: campaigns.finishSending,
    putHold: campaigns.putHold,
    /** The counters of a campaign that are not 0. */
    tallyOf: async ({ id }: Pick<Campaign, 'id'>) => {
      const { total } = await tallies.readTallies(workspaceId, id, { consistent: true });
      return Object.fromEntries(Object.entries(total).filter(([, count]) => count !== 0));
    },
    addToTally: (campaign: Pick<Campaign, 'id'>, shard: number, change: Record<string, number>) =>
      tallies.addToTally({ workspaceId, campaignId: campaign.id, shard }, change),
    /** Adds to a slice as feedback does, without its counters. */
    addToSlice: (campaign: Pick<Campaign, 'id'>, chunk: number, slice: number, sets: SliceSets) =>
      slices.addToSlice(
        { workspaceId, campaignId: campaign.id, chunk, slice },
        { sets, provenAttempts: new Set(), expiresAt: Math.floor(Date.now() / 1000) + 365 * 86_400 },
      ),
    slices,
    put: (QueueUrl: string, MessageBody: string) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody })),
    /** Takes up to ten messages off a queue. */
    receive,
    queues: {
      feedback: feedback.url,
      deadFeedback: feedback.deadLetter.url,
      undeliveredFeedback: String(feedback.undelivered?.url),
      runs: runs.url,
    },
    stop,
  };
}

export const positions = (from: number, to: number): Set<number> =>
  new Set(Array.from({ length: to - from }, (_, index) => from + index));
