import { type Campaign, chunkInfo, frozenPeople, sizeOfSlice } from '../../domain/campaign/campaign.ts';
import { countDay, type DayCounter } from '../../domain/campaign/dayCounts.ts';
import { countSlice, difference, progressCounts, sum, type Tally } from '../../domain/campaign/report.ts';
import {
  doubledPositions,
  type SetName,
  type Slice,
  type SliceSets,
  slicePositions,
} from '../../domain/campaign/slice.ts';
import { epochSeconds, now, secondsInDay, stopwatch } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import { notify } from '../../platform/logger.ts';
import { getCampaign } from '../../store/campaign/campaigns.ts';
import { shardOfChunk } from '../../store/campaign/frozenContent.ts';
import { addToSlice, type SlicePosition } from '../../store/campaign/slices.ts';
import { addToTally, readTallies } from '../../store/campaign/tallies.ts';
import { addToCampaignDay, countsByDate } from '../../store/campaignDays.ts';
import { countOpened } from '../../store/usage.ts';
import { logActivity } from '../activity.ts';

/** How long day counters may wait in the buffer. */
const longestWaitMilliseconds = 3000;

/**
 * Collects changes of campaign and day counters, so that one write serves many slices. When a process crashes with
 * unwritten changes, the next recount restores them from the slices, which are the source of truth.
 */
export class CounterBuffer {
  readonly #changes = new Map<string, { readonly shard: Shard; readonly change: Tally }>();
  readonly #days = new Map<string, { readonly shard: Shard; readonly change: Tally }>();
  readonly #opened = new Map<string, number>();
  #sinceWritten = stopwatch();

  /** Counts a slice of `size` people after positions were added to its sets. */
  add(position: SlicePosition, before: Pick<Slice, 'sets' | 'day'>, added: SliceSets, size: number): void {
    const sets = mergedSets(before.sets, added);
    const change = difference(countSlice(before.sets, size), countSlice(sets, size));
    this.move(position, change);
    // A slice that the previous release began counts today: no recount includes it.
    const day = before.day ?? today();
    gather(this.#days, position, difference(countDay({ sets: before.sets, day }), countDay({ sets, day })));
    if (change.opened) this.countOpened(position.workspaceId, change.opened);
  }

  /** Counts people of a workspace who opened a message today. */
  countOpened(workspaceId: string, people: number): void {
    this.#opened.set(workspaceId, (this.#opened.get(workspaceId) ?? 0) + people);
  }

  /** Changes the counters of the shard that a chunk belongs to. */
  move(position: Omit<SlicePosition, 'slice'>, change: Tally): void {
    gather(this.#changes, position, change);
  }

  /** Writes the campaign counters, which progress is read from; day counters only when they have waited long enough. */
  async writeTallies(): Promise<void> {
    if (this.#sinceWritten() > longestWaitMilliseconds) return this.write();
    await Promise.all(taken(this.#changes).map(({ shard, change }) => addToTally(shard, change)));
  }

  /** Writes everything. */
  async write(): Promise<void> {
    const days = daysOf(taken(this.#days));
    const opened = [...this.#opened];
    this.#opened.clear();
    this.#sinceWritten = stopwatch();
    await Promise.all([
      this.writeTallies(),
      ...days.map(({ counts, ...position }) => addToCampaignDay(position, counts)),
      ...opened.map(([workspaceId, people]) => countOpened(workspaceId, today(), people)),
    ]);
    for (const [workspaceId, own] of Map.groupBy(days, (day) => day.workspaceId)) {
      const counts = own.flatMap((day) => day.counts);
      logActivity(workspaceId, { sent: totalOf('sent', counts), delivered: totalOf('delivered', counts) }, now());
    }
  }
}

/** Of all shards. */
const totalOf = (counter: DayCounter, counts: ReturnType<typeof daysOf>[number]['counts']): number =>
  counts.reduce((total, [name, count]) => total + (name.startsWith(`${counter}#`) ? count : 0), 0);

/** How many people of a campaign have an outcome, as its counters say: eight read units or so. */
export async function peopleDone({ workspaceId, id, freeze }: Campaign): Promise<number> {
  const { total } = await readTallies(workspaceId, id, { consistent: true });
  const { queued, waiting } = progressCounts(total, freeze ? frozenPeople(freeze) : 0);
  return queued - waiting;
}

interface Shard {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly shard: number;
}

type Changes = Map<string, { readonly shard: Shard; readonly change: Tally }>;

function gather(
  changes: Changes,
  { workspaceId, campaignId, chunk }: Omit<SlicePosition, 'slice'>,
  change: Tally,
): void {
  const shard = { workspaceId, campaignId, shard: shardOfChunk(chunk) };
  const key = Object.values(shard).join('#');
  changes.set(key, { shard, change: sum([changes.get(key)?.change ?? {}, change]) });
}

function taken(changes: Changes) {
  const all = [...changes.values()];
  changes.clear();
  return all;
}

/** By campaign and day, with the counts of all shards: one write each. */
function daysOf(changes: ReturnType<typeof taken>) {
  const parts = changes.flatMap(({ shard: { workspaceId, campaignId, shard }, change }) =>
    [...countsByDate(shard, change)].map(([date, counts]) => ({ workspaceId, campaignId, date, counts })),
  );
  const groups = Map.groupBy(parts, ({ workspaceId, campaignId, date }) => [workspaceId, campaignId, date].join('#'));
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    return first ? [{ ...first, counts: own.flatMap(({ counts }) => counts) }] : [];
  });
}

const today = (): string => now().toISOString().slice(0, 10);

/** The sets of a slice after others were added. */
export function mergedSets(before: SliceSets, added: SliceSets): SliceSets {
  const names = Object.keys(added) as SetName[];
  return {
    ...before,
    ...Object.fromEntries(names.map((name) => [name, new Set([...(before[name] ?? []), ...(added[name] ?? [])])])),
  };
}

/** Counts a person who unsubscribed through a campaign's message. Idempotent. */
export async function noteUnsubscribed(
  workspaceId: string,
  campaignId: string,
  { chunk, position }: { readonly chunk: number; readonly position: number },
): Promise<void> {
  const campaign = await getCampaign({ workspaceId, id: campaignId });
  const group = campaign?.freeze && chunkInfo(campaign.freeze, chunk);
  if (!campaign?.freeze || !group) return;
  const slice = Math.floor(position / slicePositions);
  const slicePosition = { workspaceId, campaignId, chunk, slice };
  const sets = { unsubscribed: new Set([position % slicePositions]) };
  const expiresAt = campaignExpiry(new Date(campaign.freeze.at));
  const before = await addToSlice(slicePosition, { sets, provenAttempts: new Set(), expiresAt });
  if (!before) return;
  const counters = new CounterBuffer();
  counters.add(slicePosition, before, sets, sizeOfSlice(group.people, slice));
  await counters.write();
}

/** Raises an alarm when SES accepted two messages of a campaign for one person, which must never happen. */
export function reportDoubled(
  { workspaceId, campaignId, chunk, slice }: SlicePosition,
  known: ReadonlySet<number>,
  added: ReadonlySet<number>,
): void {
  const positions = doubledPositions(known, added);
  if (positions.length === 0) return;
  notify('CampaignDoubled', 'The provider took two messages of a campaign for the same person.', {
    workspace_id: workspaceId,
    campaign_id: campaignId,
    chunk,
    slice,
    positions,
  });
}

/** Recipients and outcomes of a campaign are kept as long as single emails, counted from its freeze. Unix seconds. */
export const campaignExpiry = (frozenAt: Date): number =>
  epochSeconds(frozenAt) + config('EMAIL_RETENTION_DAYS') * secondsInDay;
