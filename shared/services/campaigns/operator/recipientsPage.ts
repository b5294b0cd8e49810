import { type Freeze, frozenPeople } from '../../../domain/campaign/campaign.ts';
import { progressCounts } from '../../../domain/campaign/report.ts';
import { chunkPositions } from '../../../domain/campaign/slice.ts';
import { inParallel } from '../../../platform/parallel.ts';
import { readTallies, type Tallies } from '../../../store/campaign/tallies.ts';
import type { Context } from '../../context.ts';
import { requireOperator } from '../../requireOperator.ts';
import { findCampaign } from '../find.ts';
import {
  type CampaignRecipientOutcome,
  chunksOfFreeze,
  peopleOfChunk,
  type RecipientFilter,
  recipientFilters,
} from './recipients.ts';

/** Chunks whose slices one page reads at most: 20,000 people, of whom few may be those that are looked for. */
const chunksOfPage = 40;
const chunksAtOnce = 8;

interface Wanted {
  readonly id: string;
  readonly outcome?: RecipientFilter | undefined;
  readonly after: number;
  readonly limit: number;
}

/** How many there are of each, by the counters; those that there are none of are left out. */
type RecipientCounts = ReadonlyMap<RecipientFilter, number>;

interface Page {
  readonly people: readonly CampaignRecipientOutcome[];
  /** The position to go on after; null at the end of the list. */
  readonly next: number | null;
  /** Everybody of the list. */
  readonly all: number;
  readonly counts: RecipientCounts;
}

/**
 * Some of the people of a campaign, in the order in which they were frozen, after a position of that order. What a page
 * costs does not depend on how many people there are: one that looks for few people among many may hold fewer than its
 * limit, and goes on after the last it looked at. Shards whose counters know of nobody are passed over for nothing.
 */
export async function pageOfRecipients(context: Context, wanted: Wanted): Promise<Page> {
  requireOperator(context, 'read');
  const { workspaceId } = context;
  const { id, limit } = wanted;
  const { freeze } = await findCampaign(workspaceId, id);
  if (!freeze) return { people: [], next: null, all: 0, counts: new Map() };
  const tallies = await readTallies(workspaceId, id);
  const counts = countsOf(tallies, freeze);
  const all = frozenPeople(freeze);
  const people: CampaignRecipientOutcome[] = [];
  const { numbers, until } = chunksToRead(tallies, freeze, wanted);
  const step = wanted.outcome === undefined ? 1 : chunksAtOnce;
  for (let start = 0; start < numbers.length; start += step) {
    const round = numbers.slice(start, start + step);
    const options = { outcome: wanted.outcome, consistent: false };
    const found = await inParallel(step, round, (number) =>
      peopleOfChunk({ workspaceId, campaignId: id, freeze }, number, options),
    );
    for (const [index, chunk] of found.entries()) {
      for (const { place, person } of chunk) {
        const position = (round[index] ?? 0) * chunkPositions + place;
        if (position < wanted.after) continue;
        if (people.length === limit) return { people, next: position, all, counts };
        people.push(person);
      }
    }
    const following = numbers[start + step];
    if (people.length === limit && following !== undefined) {
      return { people, next: following * chunkPositions, all, counts };
    }
  }
  return { people, next: until < chunksOfFreeze(freeze) ? until * chunkPositions : null, all, counts };
}

/** The chunks of a page, from its position on, and the first that is no more part of it. */
function chunksToRead({ shards }: Tallies, freeze: Freeze, { outcome, after }: Wanted) {
  const mayHold = (number: number) =>
    outcome === undefined || outcome === 'waiting' || (shards[number % shards.length]?.[outcome] ?? 0) > 0;
  const all = chunksOfFreeze(freeze);
  const numbers: number[] = [];
  let until = Math.floor(after / chunkPositions);
  for (; until < all && numbers.length < chunksOfPage; until += 1) if (mayHold(until)) numbers.push(until);
  while (until < all && !mayHold(until)) until += 1;
  return { numbers, until };
}

function countsOf({ total }: Tallies, freeze: Freeze): RecipientCounts {
  const counted: Readonly<Record<string, number>> = { ...total, ...progressCounts(total, frozenPeople(freeze)) };
  return new Map(
    recipientFilters.flatMap((name): [RecipientFilter, number][] => {
      const count = counted[name] ?? 0;
      return count > 0 ? [[name, count]] : [];
    }),
  );
}
