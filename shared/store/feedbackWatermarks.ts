import type { FeedbackQueue } from '../platform/config.ts';
import { campaignWatermarkKey, emailWatermarkKey, type Key } from './table/keys.ts';
import { getItem } from './table/table.ts';
import { upsertItem } from './table/write.ts';

/** The watermark of single emails. */
interface EmailWatermarkRecord {
  /** Unix milliseconds. */
  readonly heard_up_to?: number;
  /** ISO 8601. */
  readonly redriven_at?: string;
}

/** Each process writes the watermark of single emails at most this often: the last messages of a burst may not be in it. */
export const watermarkPauseSeconds = 10;

/** Raises the watermark: SES has reported the acceptances of all messages sent up to this time. It never goes back. */
export async function raiseEmailWatermark(sentAt: Date): Promise<void> {
  const time = sentAt.getTime();
  await upsertItem<EmailWatermarkRecord>(emailWatermarkKey, {
    set: { heard_up_to: time },
    if: [
      {
        any: [
          ['heard_up_to', 'absent'],
          ['heard_up_to', '<', time],
        ],
      },
    ],
  });
}

/** The watermark in Unix milliseconds, strongly consistent; null before the first report. */
export async function getEmailWatermark(): Promise<number | null> {
  const item = await getItem(emailWatermarkKey);
  return item?.heard_up_to === undefined ? null : Number(item.heard_up_to);
}

/** The watermark of campaign mail; times in ISO 8601. */
interface CampaignWatermarkRecord {
  readonly up_to?: string;
  readonly probed_at?: string;
  readonly redriven_at?: string;
}

/** Raises the time of the latest processed event of campaign mail; it never goes back. */
export async function raiseCampaignWatermark(at: Date): Promise<void> {
  await advance('up_to', at, at);
}

/** The watermark of campaign mail, strongly consistent; null before the first event. */
export const getCampaignWatermark = (): Promise<Date | null> => readTime('up_to');

/** Records that a probe is sent now; false when one was sent at or after `since`. */
export const noteProbe = (now: Date, since: Date): Promise<boolean> => advance('probed_at', now, since);

const keysOfQueues: Readonly<Record<FeedbackQueue, Key>> = {
  feedback: emailWatermarkKey,
  'campaign-feedback': campaignWatermarkKey,
};

/** Records that events are being moved to their queue from one behind it. */
export async function noteRedrive(queue: FeedbackQueue, now: Date): Promise<void> {
  await upsertItem<EmailWatermarkRecord>(keysOfQueues[queue], { set: { redriven_at: now.toISOString() } });
}

/** The time of the last redrive; null for none. */
export async function getRedriveTime(queue: FeedbackQueue): Promise<Date | null> {
  const time = (await getItem(keysOfQueues[queue]))?.redriven_at;
  return time === undefined ? null : new Date(String(time));
}

async function readTime(name: keyof CampaignWatermarkRecord): Promise<Date | null> {
  const time = (await getItem(campaignWatermarkKey))?.[name];
  return time === undefined ? null : new Date(String(time));
}

/** Sets a time unless the stored one is `bound` or later; false in that case. */
async function advance(name: keyof CampaignWatermarkRecord, at: Date, bound: Date): Promise<boolean> {
  const advanced = await upsertItem<CampaignWatermarkRecord>(campaignWatermarkKey, {
    set: [[name, at.toISOString()]],
    if: [
      {
        any: [
          [name, 'absent'],
          [name, '<', bound.toISOString()],
        ],
      },
    ],
  });
  return advanced !== null;
}
