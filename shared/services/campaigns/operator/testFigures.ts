import { chunkInfo, chunksOfGroup, type Freeze, sizeOfSlice } from '../../../domain/campaign/campaign.ts';
import { countSlice, ownOpens, sum, type Tally } from '../../../domain/campaign/tally.ts';
import { inParallel } from '../../../platform/parallel.ts';
import { readSlices } from '../../../store/campaign/slices.ts';
import type { Context } from '../../context.ts';
import { requireOperator } from '../../requireOperator.ts';
import { findCampaign } from '../find.ts';

/** What the people of a variant have done so far; `looked` of its `people` were looked at. */
export interface VariantFigures {
  readonly people: number;
  readonly looked: number;
  readonly sent: number;
  readonly opened: number;
  readonly clicked: number;
  readonly delivered: number;
  /** By the measure of the decision: who opened by themselves, or who clicked. */
  readonly votes: number;
}

/** Of each variant 20,000 people at most: enough to see which way it goes, for some 40 read units however large the test is. */
const mostChunks = 40;
const chunksAtOnce = 8;

/** Each variant of a test while it runs, by its number; null where there is no test out. The decision itself counts all. */
export async function readTestFigures(
  context: Context,
  { id }: { readonly id: string },
): Promise<readonly VariantFigures[] | null> {
  requireOperator(context, 'read');
  const { workspaceId } = context;
  const { freeze, test } = await findCampaign(workspaceId, id);
  if (!freeze || !test) return null;
  return Promise.all(
    Array.from({ length: test.variants }, async (_, variant) => {
      const { chunks, people } = groupOf(freeze, variant);
      const counted = await inParallel(chunksAtOnce, chunks, (chunk) => countChunk({ workspaceId, id, freeze, chunk }));
      const tally = sum(counted.map((one) => one.tally));
      const of = (name: string) => tally[name] ?? 0;
      const figures = { sent: of('sent'), opened: of('opened'), clicked: of('clicked'), delivered: of('delivered') };
      const looked = counted.reduce((total, one) => total + one.people, 0);
      return { people, looked, ...figures, votes: test.decideBy === 'opens' ? of('votes') : figures.clicked };
    }),
  );
}

/** The first chunks of those who test a variant. */
function groupOf({ groups }: Freeze, variant: number): { chunks: number[]; people: number } {
  const place = groups.findIndex((group) => group.variant === variant);
  const group = groups[place];
  if (!group) return { chunks: [], people: 0 };
  const first = groups.slice(0, place).reduce((total, one) => total + chunksOfGroup(one), 0);
  const count = Math.min(mostChunks, chunksOfGroup(group));
  return { chunks: Array.from({ length: count }, (_, index) => first + index), people: group.people };
}

interface Place {
  readonly workspaceId: string;
  readonly id: string;
  readonly freeze: Freeze;
  readonly chunk: number;
}

async function countChunk({ workspaceId, id, freeze, chunk }: Place): Promise<{ tally: Tally; people: number }> {
  const people = chunkInfo(freeze, chunk)?.people ?? 0;
  const slices = await readSlices({ workspaceId, campaignId: id, chunk }, { consistent: false });
  const counts = slices.map(({ sets }, slice) => {
    const size = sizeOfSlice(people, slice);
    return sum([countSlice(sets, size), { votes: ownOpens(sets, size) }]);
  });
  return { tally: sum(counts), people };
}
