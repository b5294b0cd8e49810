import { missingScope, ServiceError, ValidationError } from '../../contract/errors.ts';
import { checked } from '../../contract/fieldNames.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { simulateAutomationRoute, simulateDefinitionRoute } from '../../contract/routes/automationSimulation.ts';
import { populationOf, simulatedDefinition } from '../../contract/schemas/automationSimulation.ts';
import { canonicalAddress } from '../../domain/address.ts';
import { SimulationCounter } from '../../domain/automation/simulationCount.ts';
import { DeadlineExceeded } from '../../platform/deadline.ts';
import { getVersion } from '../../store/automation/automations.ts';
import type { Context } from '../context.ts';
import { existingWorkspace } from '../existingWorkspace.ts';
import { requireRole } from '../operatorVerb.ts';
import { findAutomation } from './internal/automationRecord.ts';
import { readGiven } from './internal/readGiven.ts';
import { audiencePages, playAudience } from './internal/simulation/audience.ts';
import { playListed, type SimulatedPath } from './internal/simulation/listed.ts';
import { openRunPages, playOpenRuns } from './internal/simulation/openRuns.ts';
import {
  assumptionsOf,
  replayDaysOf,
  requirePopulation,
  type SimulationQuestion,
  windowOf,
} from './internal/simulation/question.ts';
import { playReplay, replayOf, replayPages } from './internal/simulation/replay.ts';
import { drawn, type PopulationPage, playedOf } from './internal/simulation/sampling.ts';

type Asked = Input<typeof simulateAutomationRoute>;
type Simulation = Output<typeof simulateAutomationRoute>;

/** What a stored automation would do, or another definition in its place. Writes nothing and sends nothing. */
export async function simulateAutomation(context: Context, asked: Asked): Promise<Simulation> {
  requireReader(context, asked);
  const head = await findAutomation(context.workspaceId, asked.id);
  const read = asked.definition
    ? await readDefinition(context, asked.definition)
    : { definition: (await getVersion(context.workspaceId, head.id, head.version))?.definition, settings: head };
  const { definition, settings } = read;
  if (!definition) throw new ServiceError('internal_error');
  const { tag, quietHours, maxDelay } = settings;
  return simulate(context, asked, { head, definition, settings: { tag, quietHours, maxDelay } });
}

/** The same for a definition that is not stored. */
export async function simulateDefinition(
  context: Context,
  asked: Input<typeof simulateDefinitionRoute>,
): Promise<Simulation> {
  requireReader(context, asked);
  const read = await readDefinition(context, asked.definition);
  return simulate(context, asked, { head: null, ...read });
}

/** The way of a named person tells what is known of them. */
function requireReader(context: Context, { emails }: Pick<Asked, 'emails'>): void {
  requireRole(context, 'read');
  const { actor } = context;
  if (emails !== undefined && actor.kind === 'key' && !actor.scopes.includes('subscribers:read')) {
    throw missingScope('subscribers:read', actor.scopes);
  }
}

async function readDefinition({ workspaceId }: Context, written: NonNullable<Asked['definition']>) {
  const workspace = await existingWorkspace(workspaceId, 'eventual');
  try {
    const { name, status, ...given } = checked(simulatedDefinition, written);
    return await readGiven(workspace, given, false);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const issues = error.issues.map((issue) => ({ ...issue, path: `definition.${issue.path}` }));
    throw new ValidationError(issues);
  }
}

async function simulate(
  { workspaceId, now }: Context,
  asked: Omit<Asked, 'id' | 'definition'>,
  of: Pick<SimulationQuestion, 'head' | 'definition' | 'settings'>,
): Promise<Simulation> {
  requirePopulation(asked, of);
  const window = windowOf(asked, now);
  const question = { ...of, workspaceId, window, assumed: assumptionsOf(asked), now };
  const counter = new SimulationCounter(window, of.definition);
  const { scale, paths } = await playPopulation(asked, question, counter);
  return { object: 'automation_simulation', ...counter.result(scale), sampled: scale !== 1, paths };
}

interface Played {
  /** How many people each of those who were played stands for. */
  readonly scale: number;
  readonly paths: SimulatedPath[] | null;
}

async function playPopulation(
  asked: Omit<Asked, 'id' | 'definition'>,
  question: SimulationQuestion,
  counter: SimulationCounter,
): Promise<Played> {
  const population = populationOf(asked);
  if (population === 'open_runs') {
    return played([openRunPages(question)], (runs) => playOpenRuns(runs, question, counter));
  }
  if (population === 'audience') {
    return played(await audiencePages(question), (emails) => playAudience(emails, question, counter));
  }
  if (population === 'replay') {
    const replay = replayOf(question, replayDaysOf(asked));
    return replay
      ? played(replayPages(question, replay), (emails) => playReplay(emails, question, replay, counter))
      : { scale: 1, paths: null };
  }
  const emails = new Set((asked.emails ?? []).map((email) => canonicalAddress(email) ?? email));
  return { scale: 1, paths: await playListed([...emails], question, counter) };
}

async function played<Entry>(
  streams: readonly AsyncIterable<PopulationPage<Entry>>[],
  play: (entries: readonly Entry[]) => Promise<void>,
): Promise<Played> {
  const { entries, total } = await drawn(streams);
  const count = await playedOf(entries, play);
  if (count === 0 && total > 0) throw new DeadlineExceeded();
  return { scale: count === 0 ? 1 : total / count, paths: null };
}
