import type { SetName, SliceSets } from '../../../domain/campaign/slice.ts';
import { countSlice, difference, sum, type Tally } from '../../../domain/campaign/tally.ts';
import { stopwatch } from '../../../platform/clock.ts';
import { shardOfChunk } from '../../../store/campaign/chunks.ts';
import type { SlicePosition } from '../../../store/campaign/slices.ts';
import { addToTally } from '../../../store/campaign/tallies.ts';
import { countCampaignMessages, countOpened } from '../../../store/sending/days.ts';

interface Counts {
  readonly sent: number;
  readonly delivered: number;
  readonly opened: number;
}

/** How long a day may wait to learn what was sent on it. */
const oldMilliseconds = 3000;

/**
 * Gathers what the tallies are to be moved by, so that they are written once for many slices. What dies with its worker
 * is found by the next recount: the slices are the truth, the tally only saves to read them.
 */
export class TallyBook {
  readonly #changes = new Map<string, { workspaceId: string; campaignId: string; shard: number; change: Tally }>();

  readonly #messages = new Map<string, Counts>();

  #sinceCounted = stopwatch();

  /** A slice had these sets, and got others added. */
  add(position: SlicePosition, before: SliceSets, added: SliceSets, size: number): void {
    const change = difference(countSlice(before, size), countSlice(together(before, added), size));
    this.move(position, change);
    if (change.opened) this.count(position.workspaceId, { opened: change.opened });
  }

  /** Messages, the provider's simulator's aside: they decide over the workspace's rates. */
  count(workspaceId: string, { sent = 0, delivered = 0, opened = 0 }: Partial<Counts>): void {
    const known = this.#messages.get(workspaceId) ?? { sent: 0, delivered: 0, opened: 0 };
    const counts = { sent: known.sent + sent, delivered: known.delivered + delivered, opened: known.opened + opened };
    this.#messages.set(workspaceId, counts);
  }

  move({ workspaceId, campaignId, chunk }: Omit<SlicePosition, 'slice'>, change: Tally): void {
    const shard = shardOfChunk(chunk);
    const key = `${workspaceId}#${campaignId}#${shard}`;
    const known = this.#changes.get(key);
    this.#changes.set(key, { workspaceId, campaignId, shard, change: sum([known?.change ?? {}, change]) });
  }

  /** Writes the tallies, which progress is read from, and the days when they have waited for a while. */
  async writeTallies(): Promise<void> {
    if (this.#sinceCounted() > oldMilliseconds) return this.write();
    const changes = [...this.#changes.values()];
    this.#changes.clear();
    await Promise.all(changes.map(({ change, ...position }) => addToTally(position, change)));
  }

  async write(): Promise<void> {
    const messages = [...this.#messages];
    this.#messages.clear();
    this.#sinceCounted = stopwatch();
    const date = new Date().toISOString().slice(0, 10);
    await Promise.all([
      this.writeTallies(),
      ...messages.flatMap(([workspaceId, { opened, ...counts }]) => [
        countCampaignMessages(workspaceId, date, counts),
        countOpened(workspaceId, date, opened),
      ]),
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
