import type { SimulationCounter } from '../../../../domain/automation/simulationCount.ts';
import { ruleOfTrigger, simulatedStart } from '../../../../domain/automation/whoStarts.ts';
import type { SegmentRule } from '../../../../domain/segment/segment.ts';
import { getSegment } from '../../../../store/workspace/segments.ts';
import { select } from '../../../audience.ts';
import type { SimulationQuestion } from './question.ts';
import type { PopulationPage } from './sampling.ts';
import { notSubscribed, playFromStart, readPeople, storedRefusal } from './starts.ts';

/** Everybody whom the trigger fits now, in streams that are parts of one size. */
export async function audiencePages(question: SimulationQuestion): Promise<AsyncIterable<PopulationPage<string>>[]> {
  const { workspaceId, now } = question;
  const rule = await ruleOf(question);
  return select({ workspaceId, rule, to: null }, now).streams.map((pages) => named(pages));
}

async function* named(
  pages: AsyncIterable<{ readonly members: readonly string[] }>,
): AsyncGenerator<PopulationPage<string>> {
  for await (const { members } of pages) yield members.map((email) => ({ name: email, entry: email }));
}

/** A segment that was deleted meanwhile has nobody. */
async function ruleOf({ workspaceId, definition }: SimulationQuestion): Promise<SegmentRule | null> {
  const [{ config: trigger }] = definition.steps;
  if (!('source' in trigger) || trigger.source !== 'segment_entered') return ruleOfTrigger(trigger);
  return (await getSegment(workspaceId, trigger.segment_id))?.rule ?? { any: [] };
}

/** Simulates people as if what starts their runs came at the beginning of the simulation, or on their date. */
export async function playAudience(
  emails: readonly string[],
  question: SimulationQuestion,
  counter: SimulationCounter,
): Promise<void> {
  const { workspaceId, definition, window } = question;
  const [{ config: trigger }] = definition.steps;
  const people = await readPeople(workspaceId, emails, [definition]);
  await Promise.all(
    people.map(async (one) => {
      const { person, address } = one;
      const start = simulatedStart(trigger, one, window);
      if (start === null) return;
      if (start === 'filtered') return counter.exclude('filtered');
      const refusal = notSubscribed(address) ?? (await storedRefusal(question, person, start.data, start.at));
      if (refusal) return counter.exclude(refusal);
      const run = await playFromStart(question, one, { event: null, data: start.data }, start.at);
      counter.addRun(run, definition);
    }),
  );
}
