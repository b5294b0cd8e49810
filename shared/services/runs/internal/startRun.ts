import type { Reentry } from '../../../domain/automation/automation.ts';
import { type AutomationRun, leaveReasonOf, newRun, type RunStart } from '../../../domain/automation/run.ts';
import {
  maxDepth,
  type NotStartedReason,
  refusalOf,
  runKeyHashOf,
  wholeHash,
  withStart,
} from '../../../domain/automation/starting.ts';
import { variableValue } from '../../../domain/automation/variables.ts';
import type { Watched } from '../../../domain/automation/watching.ts';
import type { KnownAddress } from '../../../domain/person/person.ts';
import { now as currentTime } from '../../../platform/clock.ts';
import { overtaken, untilSettled } from '../../../platform/deadline.ts';
import { getEnrolments } from '../../../store/automation/enrolments.ts';
import { getRun } from '../../../store/automation/runs.ts';
import { putRun } from '../../../store/automation/runWrites.ts';
import { deliveryParts } from '../../../store/webhook/deliveries.ts';
import { dispatchDeliveries } from '../../events.ts';
import type { RunCounters } from '../runCounters.ts';
import { queueWake } from './queueRuns.ts';
import { deliveriesOfRun } from './runEvents.ts';
import { definitionOf } from './versions.ts';

/** What a start needs to know of its automation. */
interface StartedAutomation {
  readonly automationId: string;
  readonly version: number;
  readonly epoch: number;
  readonly reentry: Reentry;
  readonly runKey: string | null;
}

export interface RequestedStart {
  readonly workspaceId: string;
  readonly automation: StartedAutomation;
  readonly address: KnownAddress;
  /** Derives from what starts it: looked at twice, it is the same run. */
  readonly runId: string;
  readonly start: RunStart;
  readonly depth: number;
}

export type StartOutcome =
  | { readonly kind: 'started'; readonly run: AutomationRun }
  | { readonly kind: 'refused'; readonly reason: NotStartedReason };

/** The result of an evaluation, and the revision of the enrolment that it read. */
export interface FoundStart {
  readonly revision: number;
  readonly watched: Watched;
}

/** Starts a run, with its enrolment in one transaction; or says why not. Idempotent. */
export async function startRun(requested: RequestedStart, counters: RunCounters): Promise<StartOutcome> {
  const outcome = await startFound(requested, null, counters);
  if (outcome.kind === 'outdated') throw new Error('A start without an evaluation cannot be outdated.');
  return outcome;
}

/** The same, with the result of an evaluation in the same transaction. `outdated`: another evaluation or start was faster. */
export async function startFound(
  requested: RequestedStart,
  found: FoundStart | null,
  counters: RunCounters,
): Promise<StartOutcome | { readonly kind: 'outdated' }> {
  const { workspaceId, automation, address, runId, start, depth } = requested;
  const { automationId, version, epoch, reentry, runKey } = automation;
  const { person } = address;
  const known = await getRun({ workspaceId, automationId, id: runId });
  if (known) return { kind: 'started', run: known };
  if (depth > maxDepth) return { kind: 'refused', reason: 'loop' };
  if (leaveReasonOf(person, address.platform) !== null) return { kind: 'refused', reason: 'not_subscribed' };
  const definition = await definitionOf(workspaceId, automationId, version);
  if (!definition) throw new Error('An automation has no such version.');
  const runKeyHash = runKey === null ? wholeHash : runKeyHashOf(valueOfKey(runKey, requested));
  const position = { workspaceId, email: person.email, automationId, runKeyHash };
  return untilSettled(async () => {
    const now = currentTime();
    const before = await getEnrolments(position);
    if (found && before.whole.revision !== found.revision) return { kind: 'outdated' };
    if (before.own.openRun === runId) {
      const own = await getRun({ workspaceId, automationId, id: runId });
      if (own) return { kind: 'started', run: own };
    }
    const reason = refusalOf(before, reentry, now);
    if (reason) return { kind: 'refused', reason };
    const own = { workspaceId, automationId, id: runId, version, epoch, email: person.email, runKeyHash, start, depth };
    const run = newRun(own, definition, now);
    const isOpen = run.status === 'running';
    const deliveries = await deliveriesOfRun('automation.run.started', run, definition, now);
    const whole = { before: before.whole, after: withStart(before.whole, runId, now, false) };
    const written = await putRun(
      {
        ...{ run, definition, more: deliveryParts(deliveries) },
        own: { before: before.own, after: withStart(before.own, runId, now, isOpen) },
        whole: runKeyHash === wholeHash ? null : whole,
        watched: found?.watched ?? null,
      },
      now,
    );
    if (!written) return overtaken;
    counters.move(null, run);
    await Promise.all([queueWake(run, now), dispatchDeliveries(deliveries)]);
    return { kind: 'started', run };
  });
}

function valueOfKey(runKey: string, { address: { person }, start }: RequestedStart): unknown {
  const { firstName = null, lastName = null, fields = {} } = person.subscriber ?? {};
  return variableValue(runKey, {
    contact: { email: person.email, firstName, lastName, fields },
    data: start.data,
    waited: {},
  });
}
