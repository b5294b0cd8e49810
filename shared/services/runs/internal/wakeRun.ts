import { advance, isAwaited, type RunWorld, received } from '../../../domain/automation/advance.ts';
import type { AutomationDefinition, AutomationRule } from '../../../domain/automation/automation.ts';
import {
  type AutomationRun,
  ended,
  failed,
  isPoisoned,
  leaveReasonOf,
  type RunPosition,
  type RunReason,
  type runReasons,
  stepOf,
  usedEvents,
} from '../../../domain/automation/run.ts';
import { timeOfId } from '../../../domain/identifier.ts';
import type { PersonEvent } from '../../../domain/personEvents/personEvent.ts';
import { now as currentTime, stopwatch } from '../../../platform/clock.ts';
import { addLogFields, notify } from '../../../platform/logger.ts';
import type { RunMailMessage, WakeMessage } from '../../../queue/automation.ts';
import { getAutomation } from '../../../store/automation/automations.ts';
import { correctOutcome, countTry, getRun, putOffRun, wakeTimeOf } from '../../../store/automation/runs.ts';
import { endRun } from '../../../store/automation/runWrites.ts';
import { getAddress } from '../../../store/person/people.ts';
import { getActivity, personEventsSince } from '../../../store/personEvents/personEvents.ts';
import { deliveryParts } from '../../../store/webhook/deliveries.ts';
import { isWorkspaceEnded } from '../../../store/workspace/workspaces.ts';
import { dispatchDeliveries } from '../../events.ts';
import type { RunCounters } from '../runCounters.ts';
import { queueOrLeave, queueWake, wakeEntry } from './queueRuns.ts';
import { deliveriesOfRun } from './runEvents.ts';
import { RunReader } from './runFacts.ts';
import { emailIdOf } from './runJson.ts';
import { sendStep, type WakeProgress, writeRun } from './sendStep.ts';
import { isAwaitedMail, mostEvents, stepEffects } from './stepEffects.ts';
import { definitionOf } from './versions.ts';

/**
 * What moves a run. A message names it and its `seq`: one that is behind does nothing. Every transition is one conditional
 * write, and what happens between two writes is made again after a crash, to the same effect.
 */

/** Handles a message that wakes a run. */
export async function wakeRun(message: WakeMessage, counters: RunCounters): Promise<void> {
  const position = { workspaceId: message.workspace_id, automationId: message.automation_id, id: message.run_id };
  addLogFields({ workspace_id: position.workspaceId, automation_id: position.automationId, run_id: position.id });
  const run = await getRun(position);
  if (run?.status !== 'running' || (await isWorkspaceEnded(position.workspaceId))) return;
  const definition = await definitionOf(run.workspaceId, run.automationId, run.version);
  if (!definition) throw new Error('A run has no version.');
  // The worker that began the wait may have crashed before it checked for events: nothing else finds one of just before.
  if (message.seq === run.seq - 1 && run.phase === 'wait') return lookForEvent(run, definition, counters);
  if (message.seq !== run.seq) return;
  const tried = message.again ? await countTry(run, currentTime()) : run;
  if (!tried) return;
  if (isPoisoned(tried, currentTime())) return poison(tried, definition, counters);
  if (run.seq === 1 && (await hasReachedGoal(run, definition)))
    return void (await writeEnd(tried, ended(tried, 'completed', 'goal', currentTime()), definition, counters));
  await goOn({ stored: tried, current: tried }, definition, counters);
}

async function poison(run: AutomationRun, definition: AutomationDefinition, counters: RunCounters): Promise<void> {
  notify('AutomationFailing', 'A run of an automation failed again and again, and is given up.', { run_id: run.id });
  const now = currentTime();
  await writeEnd(run, failed(run, 'internal_error', 'It failed ten times over a day.', now), definition, counters);
}

/** Read strongly and together, before each decision. */
async function readWorld(run: AutomationRun, definition: AutomationDefinition) {
  const age = stopwatch();
  const [head, address] = await Promise.all([
    getAutomation(run.workspaceId, run.automationId),
    getAddress(run.workspaceId, run.email),
  ]);
  const { person, platform } = address;
  return { definition, head, person, address, leaves: leaveReasonOf(person, platform), now: currentTime(), age };
}

type WakeWorld = Awaited<ReturnType<typeof readWorld>>;

/** A step may change the person whom the next one reads. */
const worldOf = (world: RunWorld, reader: RunReader): RunWorld => ({
  ...world,
  get person() {
    return reader.person;
  },
});

/** What was read before a message is good enough for what comes right after it. */
const recentMilliseconds = 2000;

/** Goes on to the next rest, with one message at most: another one has a wake of its own. */
async function goOn(from: WakeProgress, definition: AutomationDefinition, counters: RunCounters): Promise<void> {
  let progress = from;
  let hasSent = false;
  let known: WakeWorld | null = null;
  for (;;) {
    const { stored, current } = progress;
    const world: WakeWorld =
      known !== null && known.age() < recentMilliseconds
        ? { ...known, now: currentTime() }
        : await readWorld(stored, definition);
    known = null;
    const { now, head } = world;
    const reader = new RunReader(definition, world.person, now);
    const next = await advance(
      current,
      worldOf(world, reader),
      stepEffects(definition, reader, now),
      current === stored,
    );
    if (next.kind === 'stay') {
      // What was found out of a message in doubt is kept, although nothing goes on.
      const kept = current === stored ? stored : await writeRun(stored, current, { definition, counters, now });
      return kept ? stay(kept, next.until) : undefined;
    }
    if (next.kind === 'end') {
      const isOver = await writeEnd(stored, next.run, definition, counters);
      return isOver || !hasSent ? undefined : correct(next.run, stored, counters);
    }
    const step = stepOf(next.run, definition);
    if (next.kind === 'send' && !hasSent && head && step?.type === 'send_email') {
      const sent = await sendStep({ stored, current: next.run }, step, { ...world, head }, { reader, counters });
      if (!sent) return;
      hasSent ||= sent.stored !== stored;
      progress = sent;
      // With what a step before the message changed of the person.
      known = { ...world, person: reader.person };
      continue;
    }
    const written = await writeRun(stored, next.run, { definition, counters, now });
    if (!written) return hasSent ? correct(next.run, stored, counters) : undefined;
    if (next.kind === 'checkpoint') {
      progress = { stored: written, current: written };
      continue;
    }
    await queueWake(written, now);
    return written.phase === 'wait' ? lookForEvent(written, definition, counters) : undefined;
  }
}

/** Something else ended the run while its message was given to the provider: that it is out is noted in what it is now. */
async function correct(sent: AutomationRun, stored: AutomationRun, counters: RunCounters): Promise<void> {
  const known = new Set(stored.story.filter(({ outcome }) => outcome === 'sent').map(({ step }) => step));
  const steps = sent.story.filter(({ outcome, step }) => outcome === 'sent' && !known.has(step));
  for (const { step } of steps) {
    const corrected = await correctOutcome(stored, step);
    if (corrected) counters.move(corrected.before, corrected.after);
  }
}

/** A disabled automation: nothing failed. A message that came early changes nothing, since the run is due in any case. */
async function stay(run: AutomationRun, until: Date): Promise<void> {
  if (until.getTime() === wakeTimeOf(run)?.getTime() && run.tries === 0) return;
  await putOffRun(run, until, { tries: 0, triedSince: undefined });
}

/** Writes the end of a run, with its webhook events. False when another worker was faster. */
async function writeEnd(
  before: AutomationRun,
  over: AutomationRun,
  definition: AutomationDefinition,
  counters: RunCounters,
): Promise<boolean> {
  const now = currentTime();
  const after = { ...over, seq: before.seq + 1 };
  const deliveries = await deliveriesOfRun('automation.run.finished', after, definition, now);
  if (!(await endRun(before, after, definition, deliveryParts(deliveries), now))) return false;
  counters.move(before, after);
  await dispatchDeliveries(deliveries);
  return true;
}

/** Checks once for the event that a run waits for, and goes on with it. */
async function lookForEvent(
  run: AutomationRun,
  definition: AutomationDefinition,
  counters: RunCounters,
): Promise<void> {
  const step = stepOf(run, definition);
  if (step?.type !== 'wait_for_event') return;
  const now = currentTime();
  const { person } = await getAddress(run.workspaceId, run.email);
  const reader = new RunReader(definition, person, now);
  const event = await stepEffects(definition, reader, now).findEvent(step.config, run);
  if (event !== null) await goOn({ stored: run, current: received(run, definition, event, now) }, definition, counters);
}

/**
 * Gives a run an event of its person: the end of its wait, or a goal. The time of the recording decides between the event
 * and the deadline, and `seq` between two workers.
 */
export async function giveEvent(position: RunPosition, event: PersonEvent, counters: RunCounters): Promise<void> {
  for (;;) {
    const run = await getRun(position);
    if (run?.status !== 'running' || usedEvents(run).has(event.id)) return;
    const definition = await definitionOf(run.workspaceId, run.automationId, run.version);
    const head = await getAutomation(run.workspaceId, run.automationId);
    if (!definition || !head || head.epoch > run.epoch) return;
    const now = currentTime();
    const { person } = await getAddress(run.workspaceId, run.email);
    const reader = new RunReader(definition, person, now);
    const passes = (rule: AutomationRule | undefined) => (rule ? reader.passes(rule, run, event.data) : true);
    if (await isGoal(run, definition, event, reader)) {
      if (await writeEnd(run, ended(run, 'completed', 'goal', now), definition, counters)) return;
      continue;
    }
    // When it is enabled again, its waits check what was recorded meanwhile.
    if (head.status === 'disabled') return;
    const step = stepOf(run, definition);
    if (step?.type !== 'wait_for_event' || step.config.event_name !== event.name) return;
    if (!isAwaited(run, step.config, new Date(event.createdAt)) || !(await passes(step.config.filter_rule))) return;
    const end = { id: event.id, at: new Date(event.createdAt) };
    return goOn({ stored: run, current: received(run, definition, end, now) }, definition, counters);
  }
}

/** Whether an event of a run's person is one of its goals. It counts from what started the run, which may wait in a queue. */
async function isGoal(
  run: AutomationRun,
  { goals }: AutomationDefinition,
  event: PersonEvent,
  reader: RunReader,
): Promise<boolean> {
  if (event.id === run.start.event || new Date(event.createdAt) < timeOfId(run.id)) return false;
  for (const goal of goals) {
    if (!('event_name' in goal) || goal.event_name !== event.name) continue;
    if (!goal.filter_rule || (await reader.passes(goal.filter_rule, run, event.data))) return true;
  }
  return false;
}

/**
 * Whether a goal was reached before the run began: between what started it and its own first write, no event could find
 * it. Checked once, at its first wake.
 */
async function hasReachedGoal(run: AutomationRun, definition: AutomationDefinition): Promise<boolean> {
  const names = [...new Set(definition.goals.flatMap((goal) => ('event_name' in goal ? [goal.event_name] : [])))];
  if (names.length === 0) return false;
  const now = currentTime();
  const since = timeOfId(run.id);
  const { person } = await getAddress(run.workspaceId, run.email);
  const reader = new RunReader(definition, person, now);
  for (const name of names) {
    const activity = await getActivity(run.workspaceId, run.email, name);
    if (!activity || activity.recordedAt < since) continue;
    const found = await personEventsSince(run.workspaceId, run.email, { name, since, limit: mostEvents }, now);
    for (const event of found) if (await isGoal(run, definition, event, reader)) return true;
  }
  return false;
}

/** What the provider reported of a run's message. */
export async function giveMail(
  { what, step: place, at, ...message }: RunMailMessage,
  counters: RunCounters,
): Promise<void> {
  const position = { workspaceId: message.workspace_id, automationId: message.automation_id, id: message.run_id };
  const run = await getRun(position);
  if (!run) return;
  const definition = await definitionOf(run.workspaceId, run.automationId, run.version);
  if (!definition) return;
  const entry = run.story.find(({ step }) => step === place);
  const key = definition.steps[place]?.key;
  if (!entry || key === undefined) return;
  if (what === 'accepted') return accepted(run, entry.step, counters);
  const step = stepOf(run, definition);
  if (run.status !== 'running' || step?.type !== 'wait_for_event') return;
  const end = { id: emailIdOf(run, key, entry.startedAt), at: new Date(at) };
  const isOfWait = step.config.step === key && step.config.mail === what;
  if (!isOfWait || !isAwaitedMail(run, step.config, end.id, end.at)) return;
  const head = await getAutomation(run.workspaceId, run.automationId);
  if (!head || head.status === 'disabled') return;
  await goOn({ stored: run, current: received(run, definition, end, currentTime()) }, definition, counters);
}

/** A message whose outcome was in doubt is out: its run goes on at once, or what was told of it is corrected. */
async function accepted(run: AutomationRun, step: number, counters: RunCounters): Promise<void> {
  if (run.status === 'running' && run.step === step && run.claimedAt !== undefined) {
    return queueOrLeave([{ entry: wakeEntry(run) }]);
  }
  const corrected = await correctOutcome(run, step);
  if (corrected) counters.move(corrected.before, corrected.after);
}

/** Ends a run; the run as it is then, or null when there is none. */
export async function endOpenRun<Status extends keyof typeof runReasons>(
  position: RunPosition,
  status: Status,
  reason: (typeof runReasons)[Status][number] & RunReason,
  counters: RunCounters,
): Promise<AutomationRun | null> {
  for (;;) {
    const run = await getRun(position);
    if (run?.status !== 'running') return run;
    const definition = await definitionOf(run.workspaceId, run.automationId, run.version);
    if (!definition) throw new Error('A run has no version.');
    await writeEnd(run, ended(run, status, reason, currentTime()), definition, counters);
  }
}
