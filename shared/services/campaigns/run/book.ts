import type { SetName, SliceSets } from '../../../domain/campaign/slice.ts';
import { countSlice, difference, sum, type Tally } from '../../../domain/campaign/tally.ts';
import { shardOfChunk } from '../../../store/campaign/chunks.ts';
import type { SlicePosition } from '../../../store/campaign/slices.ts';
import { addToTally } from '../../../store/campaign/tallies.ts';
import { countCampaignMessages } from '../../../store/sending/days.ts';

/**
 * Gathers what the tallies are to be moved by, so that they are written once for many slices. What dies with its worker
 * is found by the next recount: the slices are the truth, the tally only saves to read them.
 */
export class TallyBook {
  readonly #changes = new Map<string, { workspaceId: string; campaignId: string; shard: number; change: Tally }>();

  readonly #sent = new Map<string, number>();

  /** A slice had these sets, and got others added. */
  add(position: SlicePosition, before: SliceSets, added: SliceSets, size: number): void {
    this.move(position, difference(countSlice(before, size), countSlice(together(before, added), size)));
  }

  /** Messages that the provider took, its simulator's addresses aside: they decide over the workspace's rates. */
  sent(workspaceId: string, count: number): void {
    this.#sent.set(workspaceId, (this.#sent.get(workspaceId) ?? 0) + count);
  }

  move({ workspaceId, campaignId, chunk }: Omit<SlicePosition, 'slice'>, change: Tally): void {
    const shard = shardOfChunk(chunk);
    const key = `${workspaceId}#${campaignId}#${shard}`;
    const known = this.#changes.get(key);
    this.#changes.set(key, { workspaceId, campaignId, shard, change: sum([known?.change ?? {}, change]) });
  }

  async write(): Promise<void> {
    const [changes, sent] = [[...this.#changes.values()], [...this.#sent]];
    this.#changes.clear();
    this.#sent.clear();
    const date = new Date().toISOString().slice(0, 10);
    await Promise.all([
      ...changes.map(({ change, ...position }) => addToTally(position, change)),
      ...sent.map(([workspaceId, count]) => countCampaignMessages(workspaceId, date, { sent: count })),
    ]);
  }
}

/** A slice after something was added. */
export function together(before: SliceSets, added: SliceSets): SliceSets {
  const names = Object.keys(added) as SetName[];
  return {
    ...before,
    ...Object.fromEntries(names.map((name) => [name, new Set([...(before[name] ?? []), ...(added[name] ?? [])])])),
  };
}
