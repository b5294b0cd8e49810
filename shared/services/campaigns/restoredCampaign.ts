import {
  type Campaign,
  chunkInfo,
  chunksOfGroup,
  type Freeze,
  isForOperator,
  sizeOfSlice,
} from '../../domain/campaign/campaign.ts';
import { outcomeOf, type Slice, type SliceSets, setOf, slicesOfChunk } from '../../domain/campaign/slice.ts';
import { overtaken, untilSettled } from '../../platform/deadline.ts';
import { getCampaign } from '../../store/campaign/campaigns.ts';
import { claimPositions, readSlices, recordAttempt, type SlicePosition } from '../../store/campaign/slices.ts';
import { type Former, formerCampaign, formerSlices } from '../../store/restored/formerTable.ts';
import type { Context } from '../context.ts';
import { CounterBuffer, campaignExpiry, mergedSets } from './counters.ts';
import { archiveCampaign } from './drafts.ts';
import { cancelCampaign, pauseCampaign } from './pauseCampaign.ts';
import { unscheduleCampaign } from './scheduleCampaign.ts';

/** What became of a campaign of a restored table. */
export type RestoredCampaignState =
  /** It goes on as it is: nothing happened to it after the point. */
  | 'kept'
  /** Everybody without an outcome waits for an operator to resume or cancel it. */
  | 'paused'
  /** Everybody whose outcome is not known is `uncertain`; nobody else is written to. */
  | 'closed'
  /** No longer scheduled. */
  | 'draft'
  /** It was sent after the point. */
  | 'archived';

export interface RestoredCampaign {
  readonly state: RestoredCampaignState;
  /** People of whom it is not known whether they got a message. */
  readonly uncertain: number;
}

/** Settles a campaign of a restored table, so that nobody gets it twice. Idempotent. */
export async function settleRestoredCampaign(
  context: Context,
  campaign: Campaign,
  former: Former,
): Promise<RestoredCampaign> {
  const { id } = campaign;
  const before = await formerCampaign(former, campaign);
  if (campaign.status === 'sending') return settleSending(context, campaign, before, former);
  const wasStarted = before?.status === 'sending' || before?.status === 'sent';
  const isMoved = before === undefined ? isDue(campaign, context.now) : before?.scheduledAt !== campaign.scheduledAt;
  const unscheduled = campaign.status === 'scheduled' && (wasStarted || isMoved);
  if (unscheduled) await unscheduleCampaign(context, { id });
  if (wasStarted && (unscheduled || campaign.status === 'draft')) {
    await archiveCampaign(context, { id });
    return { state: 'archived', uncertain: 0 };
  }
  return { state: unscheduled ? 'draft' : 'kept', uncertain: 0 };
}

const isDue = ({ scheduledAt }: Campaign, now: Date): boolean => scheduledAt !== null && new Date(scheduledAt) <= now;

async function settleSending(
  context: Context,
  campaign: Campaign,
  before: Campaign | null | undefined,
  former: Former,
): Promise<RestoredCampaign> {
  const { id, freeze } = campaign;
  const { waiting, uncertain } = freeze
    ? await settleSlices(campaign, freeze, former, context.now)
    : { waiting: 0, uncertain: 0 };
  if (before?.hold?.reason === 'canceled' && campaign.hold?.reason !== 'canceled')
    await cancelCampaign(context, { id });
  const current = await getCampaign(campaign);
  const isOver = waiting === 0 || current?.status !== 'sending' || current.hold?.reason === 'canceled';
  if (isOver) return { state: 'closed', uncertain };
  if (!(current.hold && isForOperator(current.hold))) await pauseCampaign(context, { id });
  return { state: 'paused', uncertain };
}

/** Takes over the outcomes that the former table has. What it cannot tell becomes `uncertain`, which is never sent again. */
async function settleSlices(campaign: Campaign, freeze: Freeze, former: Former, now: Date) {
  const counters = new CounterBuffer();
  const chunks = freeze.groups.reduce((sum, group) => sum + chunksOfGroup(group), 0);
  const total = { waiting: 0, uncertain: 0 };
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const people = chunkInfo(freeze, chunk)?.people ?? 0;
    const positions = Array.from({ length: slicesOfChunk }, (_, slice) => ({
      ...{ workspaceId: campaign.workspaceId, campaignId: campaign.id, chunk, slice },
    }));
    const slices = former === null ? [] : await formerSlices(former, positions);
    for (const [index, position] of positions.entries()) {
      const size = sizeOfSlice(people, position.slice);
      if (size === 0) continue;
      const sets = await settleSlice(position, slices[index] ?? null, size, { counters, freeze, now });
      for (let one = 0; one < size; one += 1) {
        const outcome = outcomeOf(sets, one);
        if (outcome === 'waiting' || outcome === 'uncertain') total[outcome] += 1;
      }
    }
  }
  await counters.write();
  return total;
}

interface SettleContext {
  readonly counters: CounterBuffer;
  readonly freeze: Freeze;
  readonly now: Date;
}

/** Returns its sets afterwards. */
function settleSlice(
  position: SlicePosition,
  before: Slice | null,
  size: number,
  { counters, freeze, now }: SettleContext,
): Promise<SliceSets> {
  return untilSettled(async () => {
    const here = (await readSlices(position))[position.slice];
    if (!here) throw new Error('A slice was not read.');
    const known = mergedSets(here.sets, before?.sets ?? {});
    const all = Array.from({ length: size }, (_, one) => one);
    const begun = before ? new Set(before.attempts.flatMap(({ positions }) => [...positions])) : new Set(all);
    const doubtful = [...begun].filter((one) => outcomeOf(known, one) === 'waiting');
    const added = { ...before?.sets, uncertain: new Set([...setOf(before?.sets ?? {}, 'uncertain'), ...doubtful]) };
    const after = mergedSets(here.sets, added);
    const isNew = Object.entries(added).some(([name, set]) =>
      [...(set ?? [])].some((one) => !setOf(here.sets, name as keyof SliceSets).has(one)),
    );
    if (isNew) {
      const day = before?.day ?? now.toISOString().slice(0, 10);
      const claim = { attempt: null, sets: added, day, expiresAt: campaignExpiry(new Date(freeze.at)) };
      const stored = await claimPositions(position, here.version, claim);
      if (!stored) return overtaken;
      counters.add(position, stored, added, size);
    }
    // An attempt of the point in time is over: the former table knows its outcome, or nobody does.
    for (const { id } of here.attempts) await recordAttempt(position, id, {});
    if (before && before.messageMarkers.size > 0) await recordAttempt(position, null, {}, before.messageMarkers);
    return after;
  });
}
