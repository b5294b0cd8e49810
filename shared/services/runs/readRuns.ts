import { ServiceError } from '../../contract/errors.ts';
import { notFound } from '../../contract/notFound.ts';
import type { Input, Output, Result } from '../../contract/route.ts';
import type {
  automationStatsRoute,
  cancelAutomationRunRoute,
  getAutomationRunRoute,
  listAutomationRunsRoute,
  startAutomationRunRoute,
} from '../../contract/routes/automationRuns.ts';
import { canonicalAddress } from '../../domain/address.ts';
import type { AutomationDefinition } from '../../domain/automation/automation.ts';
import type { AutomationRun } from '../../domain/automation/run.ts';
import { counterNames, countersUnder, mailCounts, type RunTally } from '../../domain/automation/tally.ts';
import { isId } from '../../domain/identifier.ts';
import { inEachLanguage } from '../../language/languages.ts';
import { textsOf } from '../../language/text.ts';
import { inParallel } from '../../platform/parallel.ts';
import { type AutomationHead, getAutomation, getDeletedAutomation } from '../../store/automation/automations.ts';
import { lastRunsOf } from '../../store/automation/enrolments.ts';
import { pageOfRuns } from '../../store/automation/runLists.ts';
import { getRun, getRuns, isRunStatus, runOf } from '../../store/automation/runs.ts';
import { addToRunTally, readRunTally, tallyShardOf, tallyShards } from '../../store/automation/tallies.ts';
import { getAddress } from '../../store/person/people.ts';
import { type Context, newId } from '../context.ts';
import { operatorVerb, personSubject, requireRole } from '../operatorVerb.ts';
import { recountShard } from './internal/recountRuns.ts';
import { runDetail, runSummary } from './internal/runJson.ts';
import { startRun } from './internal/startRun.ts';
import { definitionOf } from './internal/versions.ts';
import { endOpenRun } from './internal/wakeRun.ts';
import { RunCounters } from './runCounters.ts';

/** Throws `not_found` for an id of another workspace. The runs of a deleted automation stay readable. */
async function findHead(workspaceId: string, id: string): Promise<AutomationHead> {
  const head = isId('auto', id)
    ? ((await getAutomation(workspaceId, id)) ?? (await getDeletedAutomation(workspaceId, id)))
    : null;
  if (!head) throw notFound('automation');
  return head;
}

async function definitionFor(
  run: Pick<AutomationRun, 'workspaceId' | 'automationId' | 'version'>,
): Promise<AutomationDefinition> {
  const definition = await definitionOf(run.workspaceId, run.automationId, run.version);
  if (!definition) throw new ServiceError('internal_error');
  return definition;
}

type ListInput = Input<typeof listAutomationRunsRoute>;

/** The runs of an automation, newest first; or the last ones of a person. */
export async function listAutomationRuns(
  context: Context,
  { id, limit, after, status: given, email }: ListInput,
): Promise<Result<typeof listAutomationRunsRoute>> {
  requireRole(context, 'read');
  const { workspaceId } = context;
  const status = given?.split(',').filter(isRunStatus);
  await findHead(workspaceId, id);
  const page = email === undefined ? await pageOfRuns(workspaceId, id, { limit, after, statuses: status }) : null;
  const { runs, next } = page ?? { runs: await runsOfPerson(workspaceId, id, email ?? ''), next: null };
  const shown = runs.filter((run) => status === undefined || status.includes(run.status));
  const entries = await Promise.all(shown.map(async (run) => runSummary(run, await definitionFor(run))));
  return { entries, next };
}

async function runsOfPerson(workspaceId: string, automationId: string, address: string): Promise<AutomationRun[]> {
  const email = canonicalAddress(address);
  const ids = email ? await lastRunsOf(workspaceId, email, automationId) : [];
  return getRuns(ids.map((id) => ({ workspaceId, automationId, id })));
}

async function findRun(
  workspaceId: string,
  { id, runId }: { readonly id: string; readonly runId: string },
): Promise<AutomationRun> {
  const run =
    isId('auto', id) && isId('run', runId) ? await getRun({ workspaceId, automationId: id, id: runId }) : null;
  if (!run) throw notFound('run');
  return run;
}

export async function getAutomationRun(
  context: Context,
  input: Input<typeof getAutomationRunRoute>,
): Promise<Output<typeof getAutomationRunRoute>> {
  requireRole(context, 'read');
  const run = await findRun(context.workspaceId, input);
  return runDetail(run, await definitionFor(run));
}

const texts = textsOf({
  ended: {
    en: 'The run has ended already.',
    fr: 'Le parcours a déjà pris fin.',
  },
  notStarted: {
    en: 'No run is started for this person now: {reason}.',
    fr: 'Aucun parcours ne démarre maintenant pour cette personne : {reason}.',
  },
});

const notStartedText = (reason: string) =>
  inEachLanguage((language) => texts.notStarted[language].replace('{reason}', reason));

/** Ends an open run; also when it is cancelled already. Throws `conflict` for one that ended otherwise. */
export const cancelAutomationRun = /* @__PURE__ */ operatorVerb(
  { action: 'automation.run.cancel', needs: 'change', subject: ({ runId }) => runId, byKeys: 'unaudited' },
  async (
    { workspaceId }: Context,
    input: Input<typeof cancelAutomationRunRoute>,
  ): Promise<Output<typeof cancelAutomationRunRoute>> => {
    const counters = new RunCounters();
    await findRun(workspaceId, input);
    const position = { workspaceId, automationId: input.id, id: input.runId };
    await endOpenRun(position, 'cancelled', 'requested', counters);
    await counters.write();
    const run = await findRun(workspaceId, input);
    if (run.status !== 'cancelled') {
      throw new ServiceError('conflict', { text: texts.ended, details: { status: run.status } });
    }
    return runDetail(run, await definitionFor(run));
  },
);

/** Starts a run for a subscriber. Throws `not_found` for an unknown address, and `conflict` with the reason. */
export const startAutomationRun = /* @__PURE__ */ operatorVerb(
  {
    action: 'automation.run.start',
    needs: 'change',
    subject: ({ email }) => personSubject(email),
    byKeys: 'unaudited',
  },
  async (
    context: Context,
    { id, email: given, data = {} }: Omit<Input<typeof startAutomationRunRoute>, 'idempotencyKey'>,
  ): Promise<Output<typeof startAutomationRunRoute>> => {
    const { workspaceId } = context;
    const head = isId('auto', id) ? await getAutomation(workspaceId, id) : null;
    const email = canonicalAddress(given);
    const address = email ? await getAddress(workspaceId, email) : null;
    if (!head) throw notFound('automation');
    if (!address?.person.subscriber) throw notFound('subscriber');
    const counters = new RunCounters();
    const definition = await definitionFor({ workspaceId, automationId: head.id, version: head.version });
    const automation = {
      ...{ automationId: head.id, version: head.version, epoch: head.epoch },
      ...{ reentry: definition.reentry, runKey: definition.run_key },
    };
    const runId = newId(context, 'run');
    const requested = { workspaceId, automation, address, runId, start: { event: null, data }, depth: 0 };
    const outcome =
      head.status === 'enabled'
        ? await startRun(requested, counters)
        : ({ kind: 'refused', reason: 'disabled' } as const);
    await counters.write();
    if (outcome.kind === 'started') return runDetail(outcome.run, definition);
    const shard = { workspaceId, automationId: head.id, version: head.version, shard: tallyShardOf(runId) };
    await addToRunTally(shard, { [counterNames.notStarted(outcome.reason)]: 1 });
    throw new ServiceError('conflict', { text: notStartedText(outcome.reason), details: { reason: outcome.reason } });
  },
);

/** What became of the runs of a version. */
export async function automationStats(
  context: Context,
  { id, version: given }: Input<typeof automationStatsRoute>,
): Promise<Output<typeof automationStatsRoute>> {
  requireRole(context, 'read');
  const { workspaceId } = context;
  const head = await findHead(workspaceId, id);
  const version = given ?? head.version;
  const definition = await definitionOf(workspaceId, id, version);
  if (!definition) throw new ServiceError('not_found');
  return statsJson(head.id, version, definition, await readRunTally(workspaceId, id, version));
}

const shardsAtOnce = 4;

/** Counts all runs of an automation anew. Returns how many shards were in motion all the time. */
export const recountAutomation = /* @__PURE__ */ operatorVerb(
  { action: 'automation.recount', needs: 'change', subject: ({ id }) => id },
  async ({ workspaceId, now }: Context, { id }: { readonly id: string }) => {
    const head = await findHead(workspaceId, id);
    const counted = await inParallel(shardsAtOnce, tallyShards, (shard) =>
      recountShard(workspaceId, head.id, shard, now),
    );
    return { object: 'automation_recount' as const, automation_id: id, missed: counted.filter((done) => !done).length };
  },
);

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, one) => sum + one, 0);

function statsJson(automationId: string, version: number, definition: AutomationDefinition, tally: RunTally) {
  const of = (name: string) => tally[name] ?? 0;
  const ended = {
    completed: of(counterNames.ended('completed')),
    cancelled: of(counterNames.ended('cancelled')),
    failed: of(counterNames.ended('failed')),
  };
  const started = of(counterNames.started);
  return {
    object: 'automation_stats' as const,
    automation_id: automationId,
    version,
    runs: { started, running: started - sumOf(ended), ...ended },
    reasons: countersUnder(tally, counterNames.reason('')),
    not_started: countersUnder(tally, counterNames.notStarted('')),
    steps: definition.steps.map(({ key, type }, step) => {
      const entered = of(counterNames.step(step, 'entered'));
      const completed = of(counterNames.step(step, 'completed'));
      const failed = of(counterNames.step(step, 'failed'));
      const left = of(counterNames.step(step, 'left'));
      const skipped = countersUnder(tally, counterNames.skipped(step, ''));
      return {
        ...{ key, type, entered, waiting: entered - completed - failed - left - sumOf(skipped), completed, skipped },
        ...{ failed, left, branches: countersUnder(tally, counterNames.branch(step, '')) },
        ...(type === 'send_email' && { email: messagesOf(tally, step) }),
      };
    }),
  };
}

const messagesOf = (tally: RunTally, step: number) => {
  const reported = mailCounts.map((name) => [name, tally[counterNames.feedback(step, name)] ?? 0] as const);
  return {
    sent: tally[counterNames.message(step, 'sent')] ?? 0,
    unknown: tally[counterNames.message(step, 'unknown')] ?? 0,
    ...(Object.fromEntries(reported) as Record<(typeof mailCounts)[number], number>),
  };
};

/** A stored run as its person may see it. */
export async function exportedRun(item: Record<string, unknown>): Promise<object> {
  const run = runOf(item);
  const definition = await definitionOf(run.workspaceId, run.automationId, run.version);
  return definition ? runDetail(run, definition) : { object: 'automation_run', id: run.id };
}
