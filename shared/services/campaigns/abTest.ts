import {
  type AbTest,
  type Campaign,
  chunkInfo,
  chunksOfGroup,
  type Freeze,
  sizeOfSlice,
} from '../../domain/campaign/campaign.ts';
import { countSlice, ownOpens, sum, type Tally } from '../../domain/campaign/report.ts';
import { inParallel } from '../../platform/parallel.ts';
import { readSlices } from '../../store/campaign/slices.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../operatorVerb.ts';
import { writtenContent } from './internal/content.ts';
import { findCampaign } from './readCampaigns.ts';

/** A variant of a test, with its result at the time of the decision; null until then. */
interface TestedVariant {
  readonly name: string | null;
  readonly subject: string;
  readonly result: { readonly delivered: number; readonly votes: number } | null;
}

export interface TestResults {
  readonly test: AbTest;
  readonly variants: readonly TestedVariant[];
}

/** The A/B test of a campaign; null when it has none. */
export async function readTestResults(context: Context, { id }: { readonly id: string }): Promise<TestResults | null> {
  requireOperator(context, 'read');
  const campaign = await findCampaign(context.workspaceId, id);
  const { test } = campaign;
  if (!test) return null;
  const { variants } = await writtenContent(campaign);
  return {
    test,
    variants: variants.map(({ name, subject }, index) => ({ name, subject, result: test.results?.[index] ?? null })),
  };
}

/** What the recipients of a variant have done so far, counted for the first `counted` of its `people`. */
export interface VariantFigures {
  readonly people: number;
  readonly counted: number;
  readonly sent: number;
  readonly opened: number;
  readonly clicked: number;
  readonly delivered: number;
  /** By the measure of the decision: opens without a relay, or clicks. */
  readonly votes: number;
}

/** At most 20,000 people of each variant are counted: enough for a trend, at about 40 read units whatever the size. */
const mostChunks = 40;
const chunksAtOnce = 8;

/** Figures by variant while a test runs; null when there is no test. The decision itself counts everybody. */
export async function readTestFigures(
  context: Context,
  { id }: { readonly id: string },
): Promise<readonly VariantFigures[] | null> {
  requireOperator(context, 'read');
  return figuresOf(await findCampaign(context.workspaceId, id), mostChunks);
}

/** The same of a campaign that was read; of all recipients unless `most` chunks of each variant are enough. */
export async function figuresOf(
  { workspaceId, id, freeze, test }: Campaign,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly VariantFigures[] | null> {
  if (!freeze || !test) return null;
  return Promise.all(
    Array.from({ length: test.variants }, async (_, variant) => {
      const { chunks, people } = groupOf(freeze, variant, most);
      const chunkCounts = await inParallel(chunksAtOnce, chunks, (chunk) =>
        countChunk({ workspaceId, id, freeze, chunk }),
      );
      const tally = sum(chunkCounts.map((one) => one.tally));
      const of = (name: string) => tally[name] ?? 0;
      const figures = { sent: of('sent'), opened: of('opened'), clicked: of('clicked'), delivered: of('delivered') };
      const counted = chunkCounts.reduce((total, one) => total + one.people, 0);
      return { people, counted, ...figures, votes: test.decideBy === 'opens' ? of('votes') : figures.clicked };
    }),
  );
}

/** The first chunks of a variant's group. */
function groupOf({ groups }: Freeze, variant: number, most: number): { chunks: number[]; people: number } {
  const index = groups.findIndex((one) => one.variant === variant);
  const group = groups[index];
  if (!group) return { chunks: [], people: 0 };
  const first = groups.slice(0, index).reduce((total, one) => total + chunksOfGroup(one), 0);
  const count = Math.min(most, chunksOfGroup(group));
  return { chunks: Array.from({ length: count }, (_, chunk) => first + chunk), people: group.people };
}

interface ChunkOfTest {
  readonly workspaceId: string;
  readonly id: string;
  readonly freeze: Freeze;
  readonly chunk: number;
}

async function countChunk({ workspaceId, id, freeze, chunk }: ChunkOfTest): Promise<{ tally: Tally; people: number }> {
  const people = chunkInfo(freeze, chunk)?.people ?? 0;
  const slices = await readSlices({ workspaceId, campaignId: id, chunk }, { consistent: false });
  const counts = slices.map(({ sets }, slice) => {
    const size = sizeOfSlice(people, slice);
    return sum([countSlice(sets, size), { votes: ownOpens(sets, size) }]);
  });
  return { tally: sum(counts), people };
}
