import type { AutomationDefinition } from '../../domain/automation/automation.ts';
import type { AutomationRun } from '../../domain/automation/run.ts';
import { type Enrolment, wholeHash } from '../../domain/automation/starting.ts';
import type { Watched } from '../../domain/automation/watching.ts';
import type { TransactionPart } from '../table/table.ts';
import { isFailedCondition, transact } from '../table/transaction.ts';
import { changeItemOnce } from '../table/write.ts';
import { closePart, type EnrolmentPosition, type StoredEnrolment, startPart } from './enrolments.ts';
import { dataEndPart, hasDataBeside, newRunParts, type RunRecord, runChange, runKeyOf, runPart } from './runs.ts';
import { waiterParts } from './waiters.ts';

/** The writes of a run: each is one conditional write or one transaction. */

interface Start {
  readonly run: AutomationRun;
  readonly definition: AutomationDefinition;
  readonly own: { readonly before: StoredEnrolment; readonly after: Enrolment };
  /** The count of the person, which is `own` without a run key. */
  readonly whole: { readonly before: StoredEnrolment; readonly after: Enrolment } | null;
  /** The result of the evaluation that starts it. */
  readonly watched: Watched | null;
  /** What else is written with it. */
  readonly more: readonly TransactionPart[];
}

const enrolmentPositionOf = ({ workspaceId, email, automationId, runKeyHash }: AutomationRun): EnrolmentPosition => ({
  ...{ workspaceId, email, automationId, runKeyHash },
});

/** Starts a run with its enrolment, or nothing: false when another start or an end came first. */
export async function putRun({ run, definition, own, whole, watched, more }: Start, now: Date): Promise<boolean> {
  const position = enrolmentPositionOf(run);
  const refused = await transact([
    ...newRunParts(run, now),
    startPart(position, own.before, own.after, whole ? null : watched),
    ...(whole ? [startPart({ ...position, runKeyHash: wholeHash }, whole.before, whole.after, watched)] : []),
    ...waiterParts(null, run, definition),
    ...more,
  ]);
  return refused === null;
}

/** Writes the next state of a run; false when it has changed since it was read. `after.seq` is one more. */
export async function moveRun(
  before: AutomationRun,
  after: AutomationRun,
  definition: AutomationDefinition,
  now: Date,
): Promise<boolean> {
  const waiters = waiterParts(before, after, definition);
  if (waiters.length > 0) return (await transact([runPart(before, after, now), ...waiters])) === null;
  // A claim must not be taken for another worker's: the marker says whose write it was.
  const change = runChange(before, after, now) as Parameters<typeof changeItemOnce<RunRecord>>[1];
  return (await changeItemOnce<RunRecord>(runKeyOf(before), change, 'last_write')) !== null;
}

/** Writes the end of a run with all that it had open; false when it has changed since it was read. */
export async function endRun(
  before: AutomationRun,
  after: AutomationRun,
  definition: AutomationDefinition,
  more: readonly TransactionPart[],
  now: Date,
): Promise<boolean> {
  const rest = [
    ...waiterParts(before, after, definition),
    ...(hasDataBeside(after) ? [dataEndPart(after, now)] : []),
    ...more,
  ];
  const close = closePart(enrolmentPositionOf(before), before.id);
  const refused = await transact([runPart(before, after, now), close, ...rest]);
  if (refused === null) return true;
  // The person was erased, and their enrolment with them.
  const isGone = !isFailedCondition(refused[0]) && isFailedCondition(refused[1]);
  return isGone && (await transact([runPart(before, after, now), ...rest])) === null;
}
