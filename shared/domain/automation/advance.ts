import type { Person } from '../person/person.ts';
import type { Automation, AutomationDefinition, AutomationRule, AutomationStep, WaitConfig } from './automation.ts';
import { delayEnd, isTooLate, lateAt, quietUntil, storedDuration } from './internal/timing.ts';
import {
  type AutomationRun,
  completed,
  currentEntry,
  ended,
  exited,
  failed,
  failedStep,
  type LeaveReason,
  type MessageSkipReason,
  resting,
  skipped,
  stepOf,
  withoutReason,
} from './run.ts';

/**
 * What a run does next. The worker and the simulation call the same function: what it reads and changes beside the run are
 * the `RunEffects` that they pass in.
 */

/** What a decision rests on, read once for each wake. */
export interface RunWorld {
  readonly definition: AutomationDefinition;
  /** Null when the automation was deleted. */
  readonly head: Pick<Automation, 'status' | 'epoch' | 'tag' | 'quietHours' | 'maxDelay' | 'held'> | null;
  readonly person: Person;
  /** Why the person's runs end, if they do. */
  readonly leaves: LeaveReason | null;
  readonly now: Date;
}

type StepOfType<Type extends AutomationStep['type']> = Extract<AutomationStep, { readonly type: Type }>;

/** Reads and changes beside the run. Changes are idempotent: after a crash they are made again. */
export interface RunEffects {
  passes(rule: AutomationRule, run: AutomationRun): Promise<boolean>;
  /** False when the person cannot have so many tags or fields. */
  update(step: StepOfType<'subscriber_update'>, run: AutomationRun): Promise<boolean>;
  /** False when the webhook does not exist any more. */
  callWebhook(step: StepOfType<'webhook'>, run: AutomationRun): Promise<boolean>;
  /** The first event that ends this wait, of those recorded by now and before its deadline; null for none. */
  findEvent(wait: WaitConfig, run: AutomationRun): Promise<WaitEnd | null>;
}

/** What ends a wait: an event, or what a reader did with a message. */
export interface WaitEnd {
  readonly id: string;
  readonly at: Date;
}

/**
 * What a worker has to do: write the run (`rest`), write it and go on (`checkpoint`), give its message to the provider
 * (`send`, which begins with a claim), write its end, or look again later (`stay`, where nothing has changed).
 */
export type NextAction =
  | { readonly kind: 'rest' | 'checkpoint' | 'send' | 'end'; readonly run: AutomationRun }
  | { readonly kind: 'stay'; readonly until: Date };

const disabledSeconds = 3600;
/** The delay of a queue is exact to a second. */
const earlyMilliseconds = 1000;
/**
 * A deadline is decided this much later: an event that a call has recorded before it may be stored until that call ends,
 * after 27 seconds at most.
 */
export const deadlineGraceMilliseconds = 30_000;

/** `isStored`: whether the run is in the table as it is given. */
export async function advance(
  run: AutomationRun,
  world: RunWorld,
  effects: RunEffects,
  isStored = true,
): Promise<NextAction> {
  const { definition, now } = world;
  const over = overBy(run, world);
  if (over) return { kind: 'end', run: over };
  // What became of a message that may be out is found out all the same.
  if (world.head?.status === 'disabled' && run.claimedAt === undefined)
    return { kind: 'stay', until: new Date(now.getTime() + disabledSeconds * 1000) };
  let current = run;
  let hasDecided = !isStored;
  // A definition has no cycles, so every run ends.
  for (;;) {
    if (current.status !== 'running') return { kind: 'end', run: current };
    const step = stepOf(current, definition);
    if (!step) return { kind: 'end', run: failed(current, 'internal_error', 'The version has no such step.', now) };
    if (current.phase === 'go' && (await hasReachedGoal(current, definition, effects)))
      return { kind: 'end', run: ended(current, 'completed', 'goal', now) };
    // What follows a decision is written before it has effects: after a crash the other branch must not be taken too. Before
    // a webhook the run is always written, since the ids of its events derive from when it came there.
    const isWritten = isStored && current === run;
    if ((hasDecided && step.type === 'subscriber_update') || (!isWritten && step.type === 'webhook'))
      return { kind: 'checkpoint', run: current };
    const next = await act(current, step, world, effects);
    if (next.kind !== 'move') return next;
    if (step.type === 'condition' || step.type === 'wait_for_event') hasDecided = true;
    current = next.run;
  }
}

/** The end that a stop, a deletion or the person’s leaving has brought about. */
function overBy(run: AutomationRun, { head, leaves, now }: RunWorld): AutomationRun | null {
  if (!head) return ended(run, 'cancelled', 'deleted', now);
  if (run.epoch < head.epoch) return ended(run, 'cancelled', 'stopped', now);
  return leaves === null ? null : ended(run, 'cancelled', leaves, now);
}

async function hasReachedGoal(
  run: AutomationRun,
  { goals }: AutomationDefinition,
  effects: RunEffects,
): Promise<boolean> {
  for (const goal of goals) {
    if ('rule' in goal && (await effects.passes(goal.rule, run))) return true;
  }
  return false;
}

type Move = { readonly kind: 'move'; readonly run: AutomationRun };
const move = (run: AutomationRun): Move => ({ kind: 'move', run });

async function act(
  run: AutomationRun,
  step: AutomationStep,
  world: RunWorld,
  effects: RunEffects,
): Promise<NextAction | Move> {
  const { definition, now } = world;
  switch (step.type) {
    case 'trigger':
      return move(completed(run, definition, now));
    case 'exit':
      return move(exited(run, step.config.reason, now));
    case 'condition': {
      const passes = await effects.passes(step.config, run);
      return move(completed(run, definition, now, { by: passes ? 'condition_met' : 'condition_not_met' }));
    }
    case 'subscriber_update': {
      const isChanged = await effects.update(step, run);
      return move(
        isChanged
          ? completed(run, definition, now)
          : failedStep(run, definition, now, 'The person cannot have so many tags or fields.'),
      );
    }
    case 'webhook': {
      const isThere = await effects.callWebhook(step, run);
      return move(
        isThere ? completed(run, definition, now) : failedStep(run, definition, now, 'The webhook was deleted.'),
      );
    }
    case 'delay':
      return delayed(run, step, world);
    case 'wait_for_event':
      return waited(run, step.config, world, effects);
    case 'send_email':
      return sent(run, step, world);
  }
}

const fieldsOf = ({ subscriber }: Person) => subscriber?.fields ?? {};

/** A delay counts from when the run reached it, however late that was looked at. */
function delayed(
  run: AutomationRun,
  { config }: StepOfType<'delay'>,
  { definition, person, now }: RunWorld,
): NextAction | Move {
  if (run.phase === 'go') {
    const end = delayEnd(config, now, fieldsOf(person));
    if (end === 'exit') return move(exited(run, 'missing_date', now));
    return end > now ? { kind: 'rest', run: resting(run, 'delay', end) } : move(completed(run, definition, now));
  }
  const end = wakeTimeOf(run);
  if (now.getTime() + earlyMilliseconds < end.getTime()) return { kind: 'stay', until: end };
  return move(completed({ ...run, dueAt: end.getTime() }, definition, now));
}

async function waited(
  run: AutomationRun,
  wait: WaitConfig,
  { definition, now }: RunWorld,
  effects: RunEffects,
): Promise<NextAction | Move> {
  if (run.phase === 'go') {
    const deadline = new Date(now.getTime() + storedDuration(wait.timeout));
    return { kind: 'rest', run: resting(run, 'wait', deadline) };
  }
  const deadline = wakeTimeOf(run);
  if (now.getTime() < deadline.getTime() + deadlineGraceMilliseconds) {
    return { kind: 'stay', until: new Date(deadline.getTime() + deadlineGraceMilliseconds) };
  }
  const event = await effects.findEvent(wait, run);
  return move(
    event === null
      ? completed({ ...run, dueAt: deadline.getTime() }, definition, now, { by: 'timeout' })
      : received(run, definition, event, now),
  );
}

/** The run after what it waited for. Its next message is due from then on, and not since the run came to the wait. */
export const received = (
  run: AutomationRun,
  definition: AutomationDefinition,
  { id, at }: WaitEnd,
  now: Date,
): AutomationRun =>
  completed({ ...run, dueAt: Math.max(run.dueAt, at.getTime()) }, definition, now, { by: 'event_received', event: id });

/** Whether the run waits for an event that was recorded then; the clocks of two machines may differ by five seconds. */
export function isAwaited(run: AutomationRun, wait: WaitConfig, recordedAt: Date): boolean {
  if (run.phase !== 'wait') return false;
  const at = recordedAt.getTime();
  return at >= waitedSince(run, wait).getTime() && at <= wakeTimeOf(run).getTime();
}

const skewMilliseconds = 5000;

/** From when on events count for a wait. */
export function waitedSince({ createdAt, story }: AutomationRun, { since }: WaitConfig): Date {
  const from = since === 'run' ? Date.parse(createdAt) : (story.at(-1)?.startedAt ?? 0);
  return new Date(from - skewMilliseconds);
}

/** The topic that a step's message belongs to (`name:value`). */
export const topicOf = ({ config }: StepOfType<'send_email'>, head: Pick<Automation, 'tag'> | null): string | null =>
  config.tag ?? head?.tag ?? null;

/** A message that is in doubt or not begun: whether it may go out now. A claim is handled before anything else. */
function sent(
  run: AutomationRun,
  step: StepOfType<'send_email'>,
  { definition, head, person, now }: RunWorld,
): NextAction | Move {
  if (run.claimedAt !== undefined) return { kind: 'send', run };
  const quiet = head?.quietHours ?? null;
  const fields = fieldsOf(person);
  const tag = topicOf(step, head);
  if (tag !== null && person.preferences.leftTags.includes(tag))
    return move(skipped(run, definition, now, 'left_topic'));
  const due = new Date(run.dueAt);
  const dueAt = (run.phase === 'send' ? null : quietUntil(quiet, due, fields)) ?? due;
  const maxDelay = maxDelayOf(step, head);
  if (isTooLate(maxDelay, dueAt, now)) return move(skipped(run, definition, now, lateReasonOf(run, head)));
  const end = quietUntil(quiet, now, fields);
  if (end) {
    // Quiet hours do not make a message late, but a delay from before them still counts.
    const isKnown = dueAt >= end || run.wakesAt === end.toISOString();
    const shifted = dueAt.getTime() + (isKnown ? 0 : end.getTime() - now.getTime());
    return { kind: 'rest', run: resting({ ...run, dueAt: shifted }, 'send', end) };
  }
  return { kind: 'send', run: { ...withoutReason(run), dueAt: dueAt.getTime() } };
}

const maxDelayOf = ({ config }: StepOfType<'send_email'>, head: RunWorld['head']) =>
  config.max_delay === undefined ? head?.maxDelay : config.max_delay;

/** A message that waited for something names it. */
function lateReasonOf(run: AutomationRun, head: RunWorld['head']): MessageSkipReason {
  const reason = head?.held?.reason;
  if (reason === 'quota_exceeded' || reason === 'reputation_blocked') return reason;
  return currentEntry(run)?.reason === 'frequency_cap' ? 'frequency_cap' : 'too_late';
}

/** The run while the frequency cap does not allow its message: until then, or until it is too late for it. */
export function waitingForPlace(
  run: AutomationRun,
  step: StepOfType<'send_email'>,
  head: RunWorld['head'],
  until: Date,
): AutomationRun {
  const late = lateAt(maxDelayOf(step, head), new Date(run.dueAt));
  return resting(run, 'send', late && late < until ? late : until, 'frequency_cap');
}

const wakeTimeOf = ({ wakesAt }: AutomationRun): Date => new Date(wakesAt ?? 0);
