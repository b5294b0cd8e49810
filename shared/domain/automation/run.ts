import type { Person, SubscriberStatus } from '../person/person.ts';
import type { AutomationDefinition, AutomationStep, ConnectionType } from './automation.ts';

/** The state of a run, and the changes of it that need nothing but the definition. `advance.ts` decides which is next. */

export const runStatuses = ['running', 'completed', 'cancelled', 'failed'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const runReasons = {
  completed: ['end', 'exit', 'goal'],
  cancelled: ['unsubscribed', 'bounced', 'complained', 'suppressed', 'erased', 'requested', 'stopped', 'deleted'],
  failed: ['send_failed', 'missing_variable', 'internal_error'],
} as const;
type EndedStatus = keyof typeof runReasons;
export type RunReason = (typeof runReasons)[EndedStatus][number];
export const leaveReasons = ['unsubscribed', 'bounced', 'complained', 'suppressed', 'erased'] as const;
export type LeaveReason = (typeof leaveReasons)[number];

/** Why a message was left out. */
const skipReasons = ['left_topic', 'too_late', 'frequency_cap', 'quota_exceeded', 'reputation_blocked'] as const;
export type MessageSkipReason = (typeof skipReasons)[number];

export const runStepStatuses = ['waiting', 'running', 'completed', 'skipped', 'failed'] as const;
type RunStepStatus = (typeof runStepStatuses)[number];

/** What happened at a step, some 60 bytes: times are Unix milliseconds, the step is its place in the definition. */
export interface StoryEntry {
  readonly step: number;
  readonly status: RunStepStatus;
  readonly startedAt: number;
  readonly completedAt?: number | undefined;
  readonly reason?: string | undefined;
  /** The connection that the run left by, where there is a choice. */
  readonly branch?: ConnectionType | undefined;
  /** Of a message: `unknown` where no proof says whether it is out. */
  readonly outcome?: 'sent' | 'unknown' | undefined;
  /** The event that ended a wait. */
  readonly event?: string | undefined;
  readonly error?: string | undefined;
}

/** What a run does at its step. `go`: nothing was begun there. */
export const runPhases = ['go', 'delay', 'wait', 'send'] as const;
type RunPhase = (typeof runPhases)[number];

/** What started a run. */
export interface RunStart {
  /** The id of the event; null for every other cause. */
  readonly event: string | null;
  /** What `event.x` and `trigger` read. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface RunPosition {
  readonly workspaceId: string;
  readonly automationId: string;
  readonly id: string;
}

export interface AutomationRun extends RunPosition {
  readonly version: number;
  readonly epoch: number;
  /** In the form of `addressKey`; an alias once the person is erased. */
  readonly email: string;
  /** Names the enrolment, with person and automation. */
  readonly runKeyHash: string;
  readonly start: RunStart;
  /** How many runs caused one another before this one. */
  readonly depth: number;
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly step: number;
  readonly phase: RunPhase;
  /** Rises with each write: what was decided by an older one has no effect. */
  readonly seq: number;
  /** When a delay or the quiet hours end, or a wait is given up; ISO 8601 UTC. */
  readonly wakesAt: string | null;
  /** When what the run does now was due, in Unix milliseconds: later than this by `max_delay` a message is skipped. */
  readonly dueAt: number;
  /** When a worker claimed the message, in Unix milliseconds; absent when none is in doubt. */
  readonly claimedAt?: number | undefined;
  /** The first such claim for which no outcome is known. */
  readonly inDoubtSince?: number | undefined;
  /** Attempts since the last progress, and when they began (Unix milliseconds). */
  readonly tries: number;
  readonly triedSince?: number | undefined;
  /** When the sweeper looks for it, as it was read; absent once it was written. */
  readonly lookAt?: Date | undefined;
  readonly story: readonly StoryEntry[];
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly endedAt: string | null;
}

/** A run at its trigger, which is done, before its first step. */
export function newRun(
  own: Pick<
    AutomationRun,
    'workspaceId' | 'automationId' | 'id' | 'version' | 'epoch' | 'email' | 'runKeyHash' | 'start' | 'depth'
  >,
  definition: AutomationDefinition,
  now: Date,
): AutomationRun {
  const at = now.getTime();
  const trigger = { step: 0, status: 'completed', startedAt: at, completedAt: at } as const;
  const run: AutomationRun = {
    ...own,
    ...{ status: 'running', reason: null, step: 0, phase: 'go', seq: 1 },
    ...{ wakesAt: null, dueAt: at, tries: 0, story: [trigger] },
    ...{ createdAt: now.toISOString(), endedAt: null },
  };
  return leave(run, definition, 'default', now);
}

export const stepOf = (run: Pick<AutomationRun, 'step'>, { steps }: AutomationDefinition): AutomationStep | undefined =>
  steps[run.step];

/** The entry of the step that the run is at. */
export const currentEntry = ({ story }: Pick<AutomationRun, 'story'>): StoryEntry | undefined => story.at(-1);

/** Changes the entry of the step that the run is at. */
const noted = (story: readonly StoryEntry[], change: Partial<StoryEntry>): readonly StoryEntry[] =>
  story.map((entry, index) => (index === story.length - 1 ? { ...entry, ...change } : entry));

const settled = { phase: 'go', wakesAt: null, claimedAt: undefined, inDoubtSince: undefined } as const;

/** Moves along a connection; without one the run has come to its end. */
function leave(
  run: AutomationRun,
  { steps, connections }: AutomationDefinition,
  by: ConnectionType,
  now: Date,
): AutomationRun {
  const from = steps[run.step]?.key;
  const to = connections.find((one) => one.from === from && one.type === by)?.to;
  const step = steps.findIndex(({ key }) => key === to);
  if (to === undefined || step < 0) return ended(run, 'completed', 'end', now);
  const entry = { step, status: 'running', startedAt: now.getTime() } as const;
  return { ...run, ...settled, step, story: [...run.story, entry] };
}

/** The run after its step, at the next one. */
export function completed(
  run: AutomationRun,
  definition: AutomationDefinition,
  now: Date,
  {
    by = 'default',
    ...output
  }: { readonly by?: ConnectionType } & Pick<StoryEntry, 'outcome' | 'event' | 'reason'> = {},
): AutomationRun {
  const branch = by === 'default' ? undefined : by;
  const story = noted(run.story, { status: 'completed', completedAt: now.getTime(), branch, ...output });
  return leave({ ...run, story }, definition, by, now);
}

/** The run after a message that was left out. */
export function skipped(
  run: AutomationRun,
  definition: AutomationDefinition,
  now: Date,
  reason: MessageSkipReason,
): AutomationRun {
  const story = noted(run.story, { status: 'skipped', completedAt: now.getTime(), reason });
  return leave({ ...run, story }, definition, 'default', now);
}

/** The run after a step that failed for good and does not end it. */
export function failedStep(
  run: AutomationRun,
  definition: AutomationDefinition,
  now: Date,
  error: string,
): AutomationRun {
  return leave({ ...run, story: failedStory(run, now, error) }, definition, 'default', now);
}

const failedStory = (run: AutomationRun, now: Date, error: string) =>
  noted(run.story, { status: 'failed', completedAt: now.getTime(), error });

/** The run as a failed step ends it. */
export const failed = (
  run: AutomationRun,
  reason: (typeof runReasons.failed)[number],
  error: string,
  now: Date,
): AutomationRun => ended({ ...run, story: failedStory(run, now, error) }, 'failed', reason, now);

/** The run at its end. A message that may be out stays `unknown` until an event tells. */
export function ended<Status extends EndedStatus>(
  run: AutomationRun,
  status: Status,
  reason: (typeof runReasons)[Status][number],
  now: Date,
): AutomationRun {
  // A message that was the last step is known to be out, although its claim ends only here.
  const isOpen = run.claimedAt !== undefined && currentEntry(run)?.outcome === undefined;
  const story = isOpen ? noted(run.story, { outcome: 'unknown' }) : run.story;
  return { ...run, ...settled, status, reason, story, endedAt: now.toISOString() };
}

/** The run after an `exit`, which may say why. */
export function exited(run: AutomationRun, reason: string | undefined, now: Date): AutomationRun {
  const story = noted(run.story, { status: 'completed', completedAt: now.getTime(), reason });
  return ended({ ...run, story }, 'completed', 'exit', now);
}

/** The run at a step that waits until a time; a message may say for what. */
export const resting = (
  run: AutomationRun,
  phase: 'delay' | 'wait' | 'send',
  until: Date,
  reason?: MessageSkipReason,
): AutomationRun => ({
  ...run,
  phase,
  wakesAt: until.toISOString(),
  story: noted(run.story, { status: 'waiting', reason }),
});

/** The run when its message waits for nothing any more. */
export const withoutReason = (run: AutomationRun): AutomationRun =>
  currentEntry(run)?.reason === undefined ? run : { ...run, story: noted(run.story, { reason: undefined }) };

/** Ids of events that the run has used: each serves it once. */
export const usedEvents = ({ start, story }: Pick<AutomationRun, 'start' | 'story'>): ReadonlySet<string> =>
  new Set([start.event, ...story.map(({ event }) => event)].filter((id) => typeof id === 'string'));

const leaveReasonsOfStatus: Readonly<Record<SubscriberStatus, LeaveReason | null>> = {
  subscribed: null,
  // Somebody who was deleted and signs up again.
  pending: 'unsubscribed',
  unsubscribed: 'unsubscribed',
  bounced: 'bounced',
  complained: 'complained',
};

/** Why a person's runs end; null for a person who may be written to. */
export function leaveReasonOf(
  { subscriber, suppression }: Pick<Person, 'subscriber' | 'suppression'>,
  platform: object | null = null,
): LeaveReason | null {
  if (suppression?.isErased) return 'erased';
  if (!subscriber) return 'unsubscribed';
  return leaveReasonsOfStatus[subscriber.status] ?? (suppression || platform ? 'suppressed' : null);
}

const longestFailureMilliseconds = 86_400_000;
const mostTries = 10;

/** Whether a run failed so often, over a day, that it is given up. */
export const isPoisoned = ({ tries, triedSince }: Pick<AutomationRun, 'tries' | 'triedSince'>, now: Date): boolean =>
  tries >= mostTries && triedSince !== undefined && now.getTime() - triedSince >= longestFailureMilliseconds;
