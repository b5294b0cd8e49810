import { ServiceError, ValidationError } from '../../../contract/errors.ts';
import { type RunWorld, topicOf, waitingForPlace } from '../../../domain/automation/advance.ts';
import type {
  AutomationDefinition,
  AutomationHoldReason,
  AutomationStep,
  SendPlace,
} from '../../../domain/automation/automation.ts';
import { type AutomationRun, completed, currentEntry, failed, failedStep } from '../../../domain/automation/run.ts';
import type { KnownAddress, Person } from '../../../domain/person/person.ts';
import type { CountedMessage } from '../../../domain/sending/frequencyCap.ts';
import { isUnknownForGood } from '../../../domain/sending/settlement.ts';
import { placeOfStep } from '../../../email/feedbackTags.ts';
import { addSeconds, now as currentTime } from '../../../platform/clock.ts';
import { gatewayMilliseconds, withDeadline } from '../../../platform/deadline.ts';
import { logger, notify } from '../../../platform/logger.ts';
import { type AutomationHead, getAutomation } from '../../../store/automation/automations.ts';
import { getRun, putOffRun, runLateSeconds } from '../../../store/automation/runs.ts';
import { moveRun } from '../../../store/automation/runWrites.ts';
import type { RecipientState } from '../../../store/person/suppressions.ts';
import { getWorkspace } from '../../../store/workspace/workspaces.ts';
import { returnPlace, takePlace } from '../../capPlaces.ts';
import { endOfCall } from '../../emails/idempotency.ts';
import { deliverRunMail, isRunMailOut, type PreparedRunMail, prepareRunMail } from '../../emails/runMail.ts';
import { SendFailure } from '../../emails/sendFailure.ts';
import { isOfHold, isSendingHeld } from '../../sendingHold.ts';
import type { RunCounters } from '../runCounters.ts';
import { hold, release } from './holds.ts';
import { queueOrLeave, queueWake, wakeEntry } from './queueRuns.ts';
import { contentOf } from './runContent.ts';
import type { RunReader } from './runFacts.ts';
import { emailIdOf } from './runJson.ts';
import { takeTurn } from './sendTurns.ts';

type SendStep = Extract<AutomationStep, { readonly type: 'send_email' }>;

/** A wake of a run, as far as it came: what the table has, and what was decided since. */
export interface WakeProgress {
  readonly stored: AutomationRun;
  readonly current: AutomationRun;
}

export interface SendWorld extends RunWorld {
  readonly head: AutomationHead;
  readonly address: KnownAddress;
  /** Milliseconds since all of this was requested. */
  readonly age: () => number;
}

/** The run must not send any more: it has ended, or its automation is disabled. */
class NotWanted extends ServiceError {
  constructor() {
    super('conflict');
  }
}

/**
 * Gives the message of a step to the provider, once: the claim is the one write that allows it. Null when the run waits
 * now, or another worker has it.
 */
export async function sendStep(
  progress: WakeProgress,
  step: SendStep,
  world: SendWorld,
  { reader, counters }: { readonly reader: RunReader; readonly counters: RunCounters },
): Promise<WakeProgress | null> {
  const { stored, current } = progress;
  const { definition, head, now } = world;
  const inWriting = { definition, counters, now };
  if (current.claimedAt !== undefined) return afterClaim(progress, step, inWriting);
  // It is late in the table, where the sweeper finds it after the release.
  if (await isSendingHeld()) return wait(progress, heldSeconds, inWriting);
  const prepared = await prepare(current, step, world, reader);
  if (prepared.kind === 'over') return { stored, current: prepared.run };
  if (prepared.kind === 'again') return wait(progress, againSeconds, inWriting);
  if (prepared.kind === 'held') {
    await hold(head, prepared.reason, placeOf(current, step), now);
    return wait(progress, holdSeconds, inWriting);
  }
  // After the checks: a message that cannot be sent takes no turn.
  const turnMilliseconds = await takeTurn();
  if (turnMilliseconds > 0) return yieldTurn(progress, turnMilliseconds, inWriting);
  const claimedAt = currentTime();
  const at = claimedAt.getTime();
  const place = prepared.mail.workspace.frequencyCap ? await takePlace(current, placeIdOf(current), claimedAt) : null;
  if (place?.kind === 'full') {
    const waiting = waitingForPlace(current, step, head, place.until);
    return rest(stored, waiting, { ...inWriting, now: claimedAt });
  }
  const claimed = {
    ...current,
    phase: 'send',
    wakesAt: null,
    claimedAt: at,
    inDoubtSince: at,
    seq: stored.seq + 1,
    lookAt: undefined,
  } as const;
  if (!(await moveRun(stored, claimed, definition, claimedAt))) return null;
  counters.move(stored, claimed);
  const counted = place?.message ?? null;
  return deliver({ claimed, step, counted, isRepeated: current.phase === 'send' }, prepared.mail, world);
}

/** Identifies the message in the frequency cap. The id of the email would change after a crash before the claim. */
const placeIdOf = ({ id, step }: AutomationRun): string => `${id}#${step}`;

type Writing = Pick<SendWorld, 'definition' | 'now'> & { readonly counters: RunCounters };

/** Writes the next state of a run; null when another worker was faster. */
export async function writeRun(
  stored: AutomationRun,
  next: AutomationRun,
  { definition, counters, now }: Writing,
): Promise<AutomationRun | null> {
  const after = { ...next, seq: stored.seq + 1, tries: 0, triedSince: undefined, lookAt: undefined };
  if (!(await moveRun(stored, after, definition, now))) return null;
  counters.move(stored, after);
  return after;
}

/** Writes that the run waits, unless another worker was faster. */
async function rest(stored: AutomationRun, waiting: AutomationRun, writing: Writing): Promise<null> {
  const after = await writeRun(stored, waiting, writing);
  if (after) await queueWake(after, writing.now);
  return null;
}

/** Writes that a run has come to its message before the message waits: an event that ended a wait is not delivered again. */
const arrived = ({ stored, current }: WakeProgress, writing: Writing): Promise<AutomationRun | null> =>
  current.step === stored.step ? Promise.resolve(stored) : writeRun(stored, current, writing);

const heldSeconds = 300;
const againSeconds = 5;
/** Each run of a held automation tries again after this time; the release of the hold wakes it sooner. */
const holdSeconds = 3600;

/** Nothing failed: the attempts are counted anew. */
async function wait(progress: WakeProgress, seconds: number, writing: Writing): Promise<null> {
  const run = await arrived(progress, writing);
  if (run) await putOffRun(run, addSeconds(writing.now, seconds), { tries: 0, triedSince: undefined });
  return null;
}

/** After so many seconds a message that waits for its turn counts as late, and leaves the queue to those on time. */
const bulkSeconds = 600;
const longestYieldSeconds = 300;

/** Without a turn soon, the message is queued again: later, the longer it has waited already. */
async function yieldTurn(progress: WakeProgress, milliseconds: number, writing: Writing): Promise<null> {
  const now = currentTime();
  const run = await arrived(progress, { ...writing, now });
  if (!run) return null;
  const lateSeconds = (now.getTime() - run.dueAt) / 1000;
  const pause = Math.max(milliseconds / 1000, Math.min(lateSeconds / 4, longestYieldSeconds));
  const seconds = Math.ceil(pause * (1 + Math.random()));
  await putOffRun(run, addSeconds(now, seconds + runLateSeconds), { tries: 0, triedSince: undefined });
  await queueOrLeave([{ entry: wakeEntry(run), delaySeconds: seconds, isLate: lateSeconds > bulkSeconds }]);
  return null;
}

/** An earlier worker may have sent the message: nothing is sent again without proof that it did not. */
async function afterClaim(progress: WakeProgress, step: SendStep, writing: Writing): Promise<WakeProgress | null> {
  const { stored, current } = progress;
  const { definition, now } = writing;
  const emailId = messageIdOf(current, step);
  const since = current.inDoubtSince ?? current.claimedAt ?? now.getTime();
  if (await isRunMailOut(current.workspaceId, emailId))
    return { stored, current: completed(current, definition, now, { outcome: 'sent' }) };
  const outcome = await endOfCall(current.claimedAt ?? 0, now).catch((error: unknown) => {
    if (error instanceof ServiceError) return error;
    throw error;
  });
  if (outcome instanceof ServiceError) return wait(progress, (outcome.retryAfterSeconds ?? 1) + 1, writing);
  // `given up` would allow single mail another attempt; an automation waits for words on later messages instead.
  if (outcome === 'unread' || outcome === 'given up') {
    if (!isUnknownForGood(since, now.getTime())) return wait(progress, doubtSeconds(since, now), writing);
    notify('SendUnknown', 'It is unknown whether a message of an automation was sent; it is not tried again.', {
      run_id: stored.id,
    });
    return { stored, current: completed(current, definition, now, { outcome: 'unknown' }) };
  }
  return { stored, current: { ...current, claimedAt: undefined, inDoubtSince: undefined } };
}

/** After a minute at first, then ever later: the event itself wakes the run at once. */
const doubtSeconds = (since: number, now: Date): number =>
  Math.min(1800, Math.max(60, (now.getTime() - since) / 1000 / 5));

const messageIdOf = (run: AutomationRun, { key }: SendStep): string =>
  emailIdOf(run, key, currentEntry(run)?.startedAt ?? run.dueAt);

type Prepared =
  | { readonly kind: 'mail'; readonly mail: PreparedRunMail }
  | { readonly kind: 'over'; readonly run: AutomationRun }
  | { readonly kind: 'held'; readonly reason: AutomationHoldReason }
  | { readonly kind: 'again' };

async function prepare(run: AutomationRun, step: SendStep, world: SendWorld, reader: RunReader): Promise<Prepared> {
  const { definition, head, now, age } = world;
  const workspace = await getWorkspace(run.workspaceId);
  if (!workspace) return { kind: 'again' };
  const tag = topicOf(step, head);
  const content = await contentOf(step, { definition, workspace, tag }, await reader.variables(run));
  if (content.kind === 'template_deleted') return { kind: 'held', reason: 'template_deleted' };
  if (content.kind === 'no_sender') return { kind: 'held', reason: 'unverified_from_domain' };
  if (content.kind === 'missing') {
    const error = `Without a value: ${content.names.join(', ')}`;
    return { kind: 'over', run: unsendable(run, step, definition, now, { reason: 'missing_variable', error }) };
  }
  const { mail: written } = content;
  try {
    const isWanted = () => requireWanted(run);
    const mail = await prepareRunMail(workspace, written, { state: stateOf(world.address), age, isWanted });
    return { kind: 'mail', mail };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return refused(error, run, step, world);
  }
}

const holdCodes: Readonly<Record<string, AutomationHoldReason>> = {
  unverified_from_domain: 'unverified_from_domain',
  reputation_blocked: 'reputation_blocked',
  quota_exceeded: 'quota_exceeded',
};

/** What a rule that refuses the message means for its run. */
function refused(
  error: ServiceError,
  run: AutomationRun,
  step: SendStep,
  { definition, now }: SendWorld,
): Exclude<Prepared, { kind: 'mail' }> {
  const reason = holdCodes[error.code];
  if (reason) return { kind: 'held', reason };
  if (error instanceof ValidationError)
    return {
      kind: 'over',
      run: unsendable(run, step, definition, now, { reason: 'send_failed', error: error.text.en }),
    };
  // The person left meanwhile, or all sending is held: the next wake decides.
  return { kind: 'again' };
}

/** A message that can never be sent ends the run, unless its step says otherwise. */
function unsendable(
  run: AutomationRun,
  { config }: SendStep,
  definition: AutomationDefinition,
  now: Date,
  { reason, error }: { readonly reason: 'missing_variable' | 'send_failed'; readonly error: string },
): AutomationRun {
  return config.on_failure === 'continue' ? failedStep(run, definition, now, error) : failed(run, reason, error, now);
}

/** Asked again whenever the recipient is read again, so that no message begins long after a stop was answered. */
async function requireWanted({ workspaceId, automationId, epoch }: AutomationRun): Promise<void> {
  const head = await getAutomation(workspaceId, automationId);
  if (!head || head.epoch > epoch || head.status === 'disabled') throw new NotWanted();
}

const stateOf = ({ person, platform }: KnownAddress): RecipientState => ({
  email: person.email,
  suppressions: [ownSuppression(person), platform].filter((one) => one !== null),
  preferences: person.preferences,
});

const ownSuppression = ({ email, suppression }: Person) =>
  suppression && { email, reason: suppression.reason, scope: 'organization' as const, createdAt: suppression.at };

const placeOf = ({ version }: AutomationRun, { key }: SendStep): SendPlace => ({ version, step: key });

interface Claimed {
  readonly claimed: AutomationRun;
  readonly step: SendStep;
  /** Its place in the frequency cap; null where there is none. */
  readonly counted: CountedMessage | null;
  readonly isRepeated: boolean;
}

async function deliver(
  { claimed, step, counted, isRepeated }: Claimed,
  mail: PreparedRunMail,
  world: SendWorld,
): Promise<WakeProgress | null> {
  const { definition, head } = world;
  const attempt = {
    emailId: messageIdOf(claimed, step),
    origin: { automation: claimed.automationId, run: claimed.id, step: placeOfStep(claimed.version, claimed.step) },
    isRepeated,
    isStillOurs: async () => (await getRun(claimed))?.seq === claimed.seq,
    now: new Date(claimed.claimedAt ?? 0),
  };
  try {
    await withDeadline(gatewayMilliseconds, () => deliverRunMail(mail, attempt));
  } catch (error) {
    return afterFailure({ claimed, step, counted }, error, world);
  }
  const now = currentTime();
  await release(head, placeOf(claimed, step), now);
  return { stored: claimed, current: completed(claimed, definition, now, { outcome: 'sent' }) };
}

async function afterFailure(
  { claimed, step, counted }: Omit<Claimed, 'isRepeated'>,
  error: unknown,
  world: SendWorld,
): Promise<WakeProgress | null> {
  const { definition, head } = world;
  const now = currentTime();
  const failure = error instanceof SendFailure ? error : null;
  // A message may have been sent: another worker goes on when the provider's event has arrived, or the next wake is due.
  if (failure?.isOpenEnded) return null;
  // Another worker has taken over; the claim of this one is void.
  if (error instanceof ServiceError && error.code === 'conflict' && !(error instanceof NotWanted)) return null;
  // Before the claim ends, so that the next attempt takes a place anew.
  if (counted) await returnPlace(claimed, counted);
  const opened = { ...claimed, claimedAt: undefined, inDoubtSince: undefined };
  if (failure?.isForGood) {
    const details = { reason: 'send_failed', error: String(failure.details.provider_code) } as const;
    return { stored: claimed, current: unsendable(opened, step, definition, now, details) };
  }
  const isRefused = error instanceof ServiceError && !failure && !isOfHold(error);
  const refusal = isRefused ? refused(error, opened, step, world) : null;
  if (refusal?.kind === 'over') return { stored: claimed, current: refusal.run };
  const holdReason = refusal?.kind === 'held' ? refusal.reason : failure?.isAgainstAccount ? 'provider_refuses' : null;
  if (holdReason !== null) await hold(head, holdReason, placeOf(claimed, step), now);
  const isStall = refusal === null && !isOfHold(error);
  if (isStall) logger.warn('A message of an automation could not be sent yet.', error as Error);
  const lateSeconds = (now.getTime() - claimed.dueAt) / 1000;
  const pause = refusal?.kind === 'held' ? holdSeconds : pauseSeconds(error, failure, lateSeconds);
  await reopen(claimed, opened, definition, addSeconds(now, pause), now);
  return null;
}

/** Ever later, an hour at most, until it is too late for the message. */
function pauseSeconds(error: unknown, failure: SendFailure | null, lateSeconds: number): number {
  if (isOfHold(error)) return heldSeconds;
  if (failure?.isForRate) return Math.min(Math.max(1, lateSeconds / 4), 30) * (1 + Math.random());
  return failure ? Math.min(Math.max(30, lateSeconds / 4), 3600) : againSeconds;
}

/** Nothing of the message is out: the claim is given back, and the run waits. That the provider refuses is no failure of it. */
async function reopen(
  claimed: AutomationRun,
  opened: AutomationRun,
  definition: AutomationDefinition,
  at: Date,
  now: Date,
): Promise<void> {
  const waiting = { ...opened, wakesAt: at.toISOString(), seq: claimed.seq + 1, tries: 0, triedSince: undefined };
  if (await moveRun(claimed, waiting, definition, now)) await queueWake(waiting, now);
}
