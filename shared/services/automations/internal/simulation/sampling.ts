import { simulationLimits } from '../../../../contract/schemas/automationSimulation.ts';
import { Sample } from '../../../../domain/automation/sample.ts';
import { DeadlineExceeded, remainingMilliseconds } from '../../../../platform/deadline.ts';
import { inParallel } from '../../../../platform/parallel.ts';

/** Named entries of a population. */
export type PopulationPage<Entry> = readonly { readonly name: string; readonly entry: Entry }[];

export interface Drawn<Entry> {
  /** In an order in which the first of them are a fair sample too. */
  readonly entries: readonly Entry[];
  /** How many people the population has, an estimate where the time did not suffice to read it. */
  readonly total: number;
}

const streamsAtOnce = 4;
/** Reading a population ends this long before the call does: what was read must still be simulated. */
const readingReserveMilliseconds = 14_000;
const playingReserveMilliseconds = 3000;

/**
 * At most 50,000 of a population, the same each time. Its streams are parts of one size, as the shards of an index are: a
 * part that was not read in time counts as the others.
 */
export async function drawn<Entry>(streams: readonly AsyncIterable<PopulationPage<Entry>>[]): Promise<Drawn<Entry>> {
  const parts = await inParallel(streamsAtOnce, streams, async (stream) => {
    const own = new Sample<Entry>(simulationLimits.people);
    for await (const page of stream) {
      if (remainingMilliseconds() < readingReserveMilliseconds) return null;
      for (const { name, entry } of page) own.add(name, entry);
    }
    return own;
  });
  const read = parts.filter((part) => part !== null);
  if (read.length === 0) throw new DeadlineExceeded();
  const whole = new Sample<Entry>(simulationLimits.people);
  for (const part of read) whole.join(part);
  return { entries: whole.entries(), total: Math.round((whole.total * streams.length) / read.length) };
}

const peopleOfChunk = 200;
const chunksAtOnce = 4;

/** Simulates entries in their order while there is time. Returns how many. */
export async function playedOf<Entry>(
  entries: readonly Entry[],
  play: (entries: readonly Entry[]) => Promise<void>,
): Promise<number> {
  const starts = Array.from({ length: Math.ceil(entries.length / peopleOfChunk) }, (_, index) => index * peopleOfChunk);
  const counts = await inParallel(chunksAtOnce, starts, async (start) => {
    if (remainingMilliseconds() < playingReserveMilliseconds) return 0;
    const chunk = entries.slice(start, start + peopleOfChunk);
    await play(chunk);
    return chunk.length;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
