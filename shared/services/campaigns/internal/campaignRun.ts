import type { Campaign, Freeze, HoldReason } from '../../../domain/campaign/campaign.ts';
import { leftOfDay } from '../../../domain/sending/quota.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import { readSendingAccount } from '../../../email/ses.ts';
import { addSeconds } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import { logger } from '../../../platform/logger.ts';
import { putHold, removeHold } from '../../../store/campaign/campaigns.ts';
import { type CampaignMessage, getMessage } from '../../../store/campaign/frozenContent.ts';
import { putAccountRate } from '../../../store/campaign/pace.ts';
import { getWorkspace } from '../../../store/workspace/workspaces.ts';
import { isSendingHeld } from '../../sendingHold.ts';
import { type CounterBuffer, peopleDone } from '../counters.ts';

/** One invocation of a campaign runner: the campaign as it was read at the start, and the limits of the invocation. */
export interface CampaignRun {
  readonly campaign: Campaign;
  readonly freeze: Freeze;
  readonly workspace: Workspace;
  /** No work begins after it: by then another process may take over. */
  readonly deadline: Date;
  readonly now: () => Date;
  /** Written once for each chunk. */
  readonly counters: CounterBuffer;
}

/** The longest time of one call, well below the time after which another process takes its attempt for crashed. */
export const callMilliseconds = 12_000;

/** The messages of a frozen campaign never change, so a process keeps them. */
const messages = new Map<string, Promise<CampaignMessage>>();
const maxKept = 20;

export function messageOf(
  { campaign, freeze }: Pick<CampaignRun, 'campaign' | 'freeze'>,
  variant: number,
): Promise<CampaignMessage> {
  const key = `${freeze.id}#${variant}`;
  const known = messages.get(key);
  if (known) return known;
  const read = readMessage(campaign, freeze, variant);
  messages.set(key, read);
  read.catch(() => messages.delete(key));
  for (const old of [...messages.keys()].slice(0, -maxKept)) messages.delete(old);
  return read;
}

async function readMessage(campaign: Campaign, freeze: Freeze, variant: number): Promise<CampaignMessage> {
  const { workspaceId, id: campaignId } = campaign;
  const message = await getMessage({ workspaceId, campaignId, freezeId: freeze.id, variant });
  if (!message) throw new Error('A frozen campaign has no message.');
  return message;
}

export async function workspaceOf(campaign: Campaign): Promise<Workspace> {
  const workspace = await getWorkspace(campaign.workspaceId);
  if (!workspace) throw new Error('A campaign has no workspace.');
  return workspace;
}

/** Puts a campaign on hold, with the reason. The reason of an earlier hold stays. */
export async function hold(
  campaign: Campaign,
  obstacle: { readonly reason: HoldReason; readonly providerCode: string | null },
  now: Date,
): Promise<void> {
  const isNew = await putHold(campaign, { ...obstacle, since: now.toISOString() }, now);
  if (isNew) {
    // Operators decide to hold all sending: that is no error.
    const level = obstacle.reason === 'sending_held' ? 'info' : 'error';
    logger[level]('A campaign is held back.', {
      campaign_id: campaign.id,
      workspace_id: campaign.workspaceId,
      reason: obstacle.reason,
      provider_code: obstacle.providerCode,
    });
  }
}

/**
 * The campaign without its hold when the reason for it has passed; null while it lasts. The reason is checked at most
 * once in CAMPAIGN_LOOK_AGAIN_SECONDS, however many runners ask.
 */
export async function releaseHold(campaign: Campaign, now: Date): Promise<Campaign | null> {
  const { hold: current } = campaign;
  if (!current) return campaign;
  if (now < addSeconds(new Date(current.since), config('CAMPAIGN_LOOK_AGAIN_SECONDS'))) return null;
  if (!(await hasPassed[current.reason](campaign, now))) return null;
  if (!(await removeHold(campaign, await peopleDone(campaign), now))) return null;
  logger.info('A campaign goes on.', { campaign_id: campaign.id, reason: current.reason });
  return { ...campaign, hold: null };
}

const never = async () => false;
const always = async () => true;

/** Whether the reason for a hold has passed. For a domain or a connection only another attempt can show it. */
const hasPassed: Readonly<Record<HoldReason, (campaign: Campaign, now: Date) => Promise<boolean>>> = {
  operator: never,
  canceled: never,
  provider_refuses: never,
  sending_held: async () => !(await isSendingHeld()),
  workspace_suspended: async ({ workspaceId }) => (await getWorkspace(workspaceId))?.suspension === null,
  provider_paused: async () => (await readSendingAccount()).sendingEnabled,
  provider_day_used_up: async (_campaign, now) => {
    const account = await readSendingAccount();
    await putAccountRate(account, now.getTime());
    return leftOfDay(account) > 0;
  },
  provider_unreachable: always,
  domain_unverified: always,
  store_slow: always,
};
