import { type Campaign, chunkInfo, type Freeze, sizeOfSlice } from '../../../domain/campaign/campaign.ts';
import { countSlice, sum, type Tally } from '../../../domain/campaign/tally.ts';
import { slicePages } from '../../../store/campaign/slices.ts';

/** What the slices of a shard say together, and when the last of them changed (Unix milliseconds). */
export interface CountedShard {
  readonly tally: Tally;
  readonly changedAt: number;
}

/** Reads every slice of a shard, a page at a time; `slices` is how many there were. */
export async function countShard(
  { campaign, freeze }: { readonly campaign: Pick<Campaign, 'workspaceId' | 'id'>; readonly freeze: Freeze },
  shard: number,
  options?: { readonly consistent: boolean },
): Promise<CountedShard & { readonly slices: number }> {
  let [tally, changedAt, slices]: [Tally, number, number] = [{}, 0, 0];
  for await (const page of slicePages(campaign.workspaceId, campaign.id, shard, options)) {
    for (const { state, chunk, slice, changedAt: at } of page) {
      const group = chunkInfo(freeze, chunk);
      if (group) tally = sum([tally, countSlice(state.sets, sizeOfSlice(group.people, slice))]);
      changedAt = Math.max(changedAt, at);
      slices += 1;
    }
  }
  return { tally, changedAt, slices };
}
