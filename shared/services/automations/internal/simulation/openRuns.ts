import { type AutomationRun, leaveReasonOf, type RunPosition } from '../../../../domain/automation/run.ts';
import { play } from '../../../../domain/automation/simulate.ts';
import type { SimulationCounter } from '../../../../domain/automation/simulationCount.ts';
import { inParallel } from '../../../../platform/parallel.ts';
import { getVersion } from '../../../../store/automation/automations.ts';
import { pagesOfRunning } from '../../../../store/automation/runLists.ts';
import { getRuns } from '../../../../store/automation/runs.ts';
import { historyOf } from '../../../runs/runHistory.ts';
import type { SimulationQuestion } from './question.ts';
import type { PopulationPage } from './sampling.ts';
import { readPeople } from './starts.ts';

/** The runs that are open now, which the index lists by their age. */
export async function* openRunPages({
  workspaceId,
  head,
}: SimulationQuestion): AsyncGenerator<PopulationPage<RunPosition>> {
  if (!head) return;
  for await (const positions of pagesOfRunning(workspaceId, head.id))
    yield positions.map((entry) => ({ name: entry.id, entry }));
}

const historiesAtOnce = 50;

/** Simulates open runs from their current step, each on its own version. What happens before `from` is not counted. */
export async function playOpenRuns(
  positions: readonly RunPosition[],
  { workspaceId, head, settings, window, assumed, now }: SimulationQuestion,
  counter: SimulationCounter,
): Promise<void> {
  if (!head) return;
  const runs = (await getRuns(positions)).filter(({ status }) => status === 'running');
  const versions = new Map<number, ReturnType<typeof getVersion>>();
  const versionOf = (version: number) => {
    const known = versions.get(version) ?? getVersion(workspaceId, head.id, version);
    versions.set(version, known);
    return known;
  };
  const definitions = await Promise.all([...new Set(runs.map(({ version }) => version))].map(versionOf));
  const emails = [...new Set(runs.map(({ email }) => email))];
  const read = await readPeople(
    workspaceId,
    emails,
    definitions.flatMap((one) => one?.definition ?? []),
  );
  const people = new Map(read.map((one) => [one.person.email, one]));
  await inParallel(historiesAtOnce, runs, async (run: AutomationRun) => {
    const one = people.get(run.email);
    const definition = (await versionOf(run.version))?.definition;
    if (!one || !definition) return;
    const { person, activities } = one;
    const leaves = leaveReasonOf(person, one.address.platform);
    if (leaves !== null || run.epoch < head.epoch) return counter.exclude(leaves ?? 'stopped');
    const history = await historyOf(run, definition, person, now);
    const given = { definition, settings, epoch: head.epoch, person, activities, leaves, assumed, history };
    counter.addRun(await play(run, given, now, window.until), definition);
  });
}
