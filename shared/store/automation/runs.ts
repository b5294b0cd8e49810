import * as z from 'zod';
import { deadlineGraceMilliseconds } from '../../domain/automation/advance.ts';
import { connectionTypes } from '../../domain/automation/automation.ts';
import {
  type AutomationRun,
  type RunPosition,
  type RunStatus,
  runPhases,
  runStatuses,
  runStepStatuses,
} from '../../domain/automation/run.ts';
import { shardOf } from '../../domain/encoding.ts';
import { addSeconds, epochSeconds, now, secondsInDay } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import { batchGet, readTogether } from '../table/batches.ts';
import { erasedFields, type FieldRules, internal } from '../table/fieldRules.ts';
import {
  dueAutomationPartition,
  dueAutomationShards,
  type Indexed,
  runDataKey,
  runKey,
  runsOfStatusPartition,
} from '../table/keys.ts';
import { type Consistency, getItem, type Item, type TransactionPart } from '../table/table.ts';
import { changeItem, changePart, putPart } from '../table/write.ts';

const entry = z.object({
  n: z.number(),
  s: z.enum(runStepStatuses),
  a: z.number(),
  d: z.number().optional(),
  r: z.string().optional(),
  b: z.enum(connectionTypes).optional(),
  o: z.enum(['sent', 'unknown']).optional(),
  e: z.string().optional(),
  f: z.string().optional(),
});

const record = z.object({
  workspace_id: z.string(),
  automation_id: z.string(),
  run_id: z.string(),
  version: z.number(),
  epoch: z.number(),
  email: z.string(),
  run_key: z.string(),
  start_event: z.string().optional(),
  /** JSON; absent where it is in an item of its own. */
  start_data: z.string().optional(),
  depth: z.number().default(0),
  status: z.enum(runStatuses),
  reason: z.string().optional(),
  step: z.number(),
  phase: z.enum(runPhases),
  seq: z.number(),
  wakes_at: z.string().optional(),
  due_since: z.number(),
  claimed_at: z.number().optional(),
  doubt_since: z.number().optional(),
  tries: z.number().default(0),
  tried_since: z.number().optional(),
  story: z.array(entry),
  created_at: z.string(),
  ended_at: z.string().optional(),
  expires_at: z.number().optional(),
});

type RunAttributes = z.input<typeof record>;
export interface RunRecord extends RunAttributes, Indexed<'status' | 'due'> {
  /** The marker of the last write. */
  readonly last_write?: string | undefined;
}

const kept = { erasure: 'keep', inExport: 'by code', shown: 'in lists' } as const;

/** The story names steps and events, and nothing of the person. */
export const runRules = {
  workspace_id: internal,
  automation_id: kept,
  run_id: { ...kept, as: 'id' },
  version: kept,
  epoch: internal,
  email: kept,
  run_key: { erasure: 'remove', inExport: 'never', shown: 'never' },
  start_event: internal,
  start_data: { erasure: 'remove', inExport: 'by code', shown: 'in lists', as: 'data' },
  depth: internal,
  status: kept,
  reason: kept,
  step: kept,
  phase: internal,
  seq: internal,
  wakes_at: kept,
  due_since: internal,
  claimed_at: internal,
  doubt_since: internal,
  tries: internal,
  tried_since: internal,
  story: { erasure: 'keep', inExport: 'by code', shown: 'in details', as: 'steps' },
  created_at: kept,
  ended_at: { ...kept, as: 'completed_at' },
  last_write: internal,
} as const satisfies FieldRules<RunRecord>;

/** A run whose person was erased (replaced by the alias already) has ended. */
export function erasedRun(item: Item): Item {
  const erased: Item = { ...erasedFields(runRules, item), run_key: '' };
  if (item.status !== 'running') return erased;
  const at = now();
  const { workspace_id: workspaceId, automation_id: automationId, seq } = record.parse(item);
  return {
    ...erased,
    ...{ status: 'cancelled', reason: 'erased', phase: 'go', seq: seq + 1, ended_at: at.toISOString() },
    ...{ due_pk: undefined, due_sk: undefined, wakes_at: undefined, expires_at: expiryOf(at) },
    status_pk: runsOfStatusPartition(workspaceId, automationId, 'cancelled'),
  };
}

/** Data that are larger stand beside the run, which each rest writes. */
const mostDataBytes = 300;

interface RunDataRecord {
  readonly email: string;
  readonly data: string;
  readonly expires_at?: number;
}

export const runDataRules = {
  email: { erasure: 'remove', inExport: 'never', shown: 'never' },
  data: { erasure: 'remove', inExport: 'whole', shown: 'in lists' },
} as const satisfies FieldRules<RunDataRecord>;

export function runOf(item: Item, data?: Item | null): AutomationRun {
  const read = record.parse(item);
  const text = read.start_data ?? (data ? String(data.data) : '{}');
  return {
    workspaceId: read.workspace_id,
    automationId: read.automation_id,
    id: read.run_id,
    version: read.version,
    epoch: read.epoch,
    email: read.email,
    runKeyHash: read.run_key,
    start: { event: read.start_event ?? null, data: JSON.parse(text) as AutomationRun['start']['data'] },
    depth: read.depth,
    status: read.status,
    reason: read.reason ?? null,
    step: read.step,
    phase: read.phase,
    seq: read.seq,
    wakesAt: read.wakes_at ?? null,
    dueAt: read.due_since,
    claimedAt: read.claimed_at,
    inDoubtSince: read.doubt_since,
    tries: read.tries,
    triedSince: read.tried_since,
    story: read.story.map(({ n, s, a, d, r, b, o, e, f }) => ({
      ...{ step: n, status: s, startedAt: a, completedAt: d, reason: r, branch: b, outcome: o, event: e, error: f },
    })),
    ...(typeof item.due_sk === 'string' && { lookAt: new Date(item.due_sk) }),
    createdAt: read.created_at,
    endedAt: read.ended_at ?? null,
  };
}

/** What each write of a run sets; undefined ones are absent. */
const stateOf = (run: AutomationRun) => ({
  ...{ status: run.status, reason: run.reason ?? undefined, step: run.step, phase: run.phase, seq: run.seq },
  ...{ wakes_at: run.wakesAt ?? undefined, due_since: run.dueAt, claimed_at: run.claimedAt },
  ...{ doubt_since: run.inDoubtSince, tries: run.tries || undefined, tried_since: run.triedSince },
  story: run.story.map(({ step, status, startedAt, completedAt, reason, branch, outcome, event, error }) =>
    withoutAbsent({
      n: step,
      s: status,
      a: startedAt,
      d: completedAt,
      r: reason,
      b: branch,
      o: outcome,
      e: event,
      f: error,
    }),
  ),
  ended_at: run.endedAt ?? undefined,
});

const withoutAbsent = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

/** How long after the time of its message a run is looked for. */
export const runLateSeconds = 90;
/** A message can wait for so long in the queue. */
const nearSeconds = 900;

/** When a run must be looked at: queued ahead of its time (`run`), or looked for because its message is late. */
interface RunDue {
  readonly stage: 'run' | 'queuedRun';
  readonly at: Date;
}

/** When a run at rest goes on: a deadline is decided some seconds later. */
export function wakeTimeOf({ wakesAt, phase }: AutomationRun): Date | null {
  if (wakesAt === null) return null;
  return new Date(Date.parse(wakesAt) + (phase === 'wait' ? deadlineGraceMilliseconds : 0));
}

/** Since when a run waits to be brought on. */
export const openSince = (run: AutomationRun): Date => wakeTimeOf(run) ?? new Date(run.claimedAt ?? run.dueAt);

export const isNear = (at: Date, now: Date): boolean => at.getTime() - now.getTime() <= nearSeconds * 1000;

const runDueOf = (at: Date | null, now: Date): RunDue =>
  at !== null && !isNear(at, now)
    ? { stage: 'run', at }
    : { stage: 'queuedRun', at: addSeconds(new Date(Math.max(at?.getTime() ?? 0, now.getTime())), runLateSeconds) };

/** Whether a run that is claimed is looked for in a minute or so anyway: its due entry need not move, which is two units. */
const isSoonEnough = ({ lookAt }: AutomationRun, { stage, at }: RunDue, now: Date): boolean =>
  stage === 'queuedRun' && lookAt !== undefined && lookAt > addSeconds(now, leastLookSeconds) && lookAt <= at;
const leastLookSeconds = 30;

const dueAttributes = (id: string, { stage, at }: RunDue) => ({
  due_pk: dueAutomationPartition(stage, shardOf(id, dueAutomationShards)),
  due_sk: at.toISOString(),
});

const keyOf = ({ workspaceId, automationId, id }: RunPosition) => runKey(workspaceId, automationId, id);
const dataKeyOf = ({ workspaceId, automationId, id }: RunPosition) => runDataKey(workspaceId, automationId, id);

/** Unix seconds: a run is kept as long as an email, from its end on. */
export const expiryOf = (endedAt: Date): number =>
  epochSeconds(endedAt) + config('EMAIL_RETENTION_DAYS') * secondsInDay;

export const hasDataBeside = ({ start }: AutomationRun): boolean =>
  Buffer.byteLength(JSON.stringify(start.data)) > mostDataBytes;

/** The parts of a transaction that write a new run, which must be absent. */
export function newRunParts(run: AutomationRun, now: Date): TransactionPart[] {
  const data = JSON.stringify(run.start.data);
  const isBeside = hasDataBeside(run);
  const due =
    run.status === 'running' ? dueAttributes(run.id, runDueOf(wakeTimeOf(run), now)) : { expires_at: expiryOf(now) };
  const own: RunRecord = {
    ...{ workspace_id: run.workspaceId, automation_id: run.automationId, run_id: run.id, version: run.version },
    ...{ epoch: run.epoch, email: run.email, run_key: run.runKeyHash, depth: run.depth, created_at: run.createdAt },
    ...(run.start.event !== null && { start_event: run.start.event }),
    ...(!isBeside && { start_data: data }),
    ...stateOf(run),
    ...listed(run),
    ...due,
  };
  return [
    putPart<RunRecord>(keyOf(run), own, { if: [['pk', 'absent']] }),
    ...(isBeside ? [putPart<RunDataRecord>(dataKeyOf(run), { email: run.email, data })] : []),
  ];
}

/** By id, which sorts by the time of the cause. */
const listed = ({ workspaceId, automationId, status, id }: AutomationRun) => ({
  status_pk: runsOfStatusPartition(workspaceId, automationId, status),
  status_sk: id,
});

/** The change by which a run goes from one state to the next, if nothing has changed it since. */
export function runChange(before: AutomationRun, after: AutomationRun, now: Date) {
  const isOver = after.status !== 'running';
  const due = runDueOf(wakeTimeOf(after), now);
  const keepsDue = after.claimedAt !== undefined && isSoonEnough(before, due, now);
  const state = Object.entries(stateOf(after));
  const set = Object.fromEntries(state.filter(([, value]) => value !== undefined)) as Partial<RunRecord>;
  const absent = state.filter(([, value]) => value === undefined).map(([name]) => name) as (keyof RunRecord)[];
  return {
    set: [set, isOver ? { ...listed(after), expires_at: expiryOf(now) } : keepsDue ? {} : dueAttributes(after.id, due)],
    remove: [...absent, ...(isOver ? (['due_pk', 'due_sk'] as const) : [])],
    expect: {
      ...{ seq: before.seq, status: 'running' as const },
      // Nobody has put it off meanwhile: a claim whose worker dies must be found soon.
      ...(keepsDue && { due_sk: before.lookAt?.toISOString() }),
    },
  };
}

export const runPart = (before: AutomationRun, after: AutomationRun, now: Date): TransactionPart =>
  changePart<RunRecord>(keyOf(before), runChange(before, after, now) as Parameters<typeof changePart<RunRecord>>[1]);

/** The data beside a run expire with it. */
export const dataEndPart = (run: AutomationRun, now: Date): TransactionPart =>
  changePart<RunDataRecord>(dataKeyOf(run), { set: { email: run.email, expires_at: expiryOf(now) } });

export const runKeyOf = keyOf;

/** A run, strongly consistent; null when there is none. Concurrent requests share a read. Few have data beside them. */
export async function getRun(position: RunPosition): Promise<AutomationRun | null> {
  const [item] = await readTogether([keyOf(position)]);
  if (!item) return null;
  if (item.start_data !== undefined) return runOf(item);
  const [data] = await readTogether([dataKeyOf(position)]);
  return runOf(item, data);
}

/** Runs with these positions, in order, without those that there are not. */
export async function getRuns(
  positions: readonly RunPosition[],
  consistency: Consistency = 'eventual',
): Promise<AutomationRun[]> {
  const items = await batchGet(
    positions.flatMap((one) => [keyOf(one), dataKeyOf(one)]),
    { consistent: consistency === 'strong' },
  );
  const found = new Map(items.map((item) => [String(item.sk), item]));
  return positions.flatMap(({ id }) => {
    const item = found.get(`RUN#${id}`);
    return item ? [runOf(item, found.get(`DATA#${id}`))] : [];
  });
}

/** Puts the next look at a run off, if it is still as it was read. */
export async function putOffRun(
  run: AutomationRun,
  at: Date,
  change: Pick<Partial<AutomationRun>, 'tries' | 'triedSince'> = {},
): Promise<boolean> {
  const { tries = run.tries, triedSince = run.triedSince } = change;
  const item = await changeItem<RunRecord>(keyOf(run), {
    set: { ...dueAttributes(run.id, { stage: 'queuedRun', at }), tries, tried_since: triedSince },
    expect: { seq: run.seq, status: 'running' },
  });
  return item !== null;
}

/** Counts another attempt at a run; null when it is not as it was read any more. */
export async function countTry(run: AutomationRun, now: Date): Promise<AutomationRun | null> {
  const item = await changeItem<RunRecord>(keyOf(run), {
    add: { tries: 1 },
    setIfAbsent: { tried_since: now.getTime() },
    expect: { seq: run.seq, status: 'running' },
  });
  return item && { ...run, tries: Number(item.tries), triedSince: Number(item.tried_since) };
}

/** Notes what an event told about a message that had been unknown. */
export async function correctOutcome(
  position: RunPosition,
  step: number,
): Promise<{ before: AutomationRun; after: AutomationRun } | null> {
  const item = await getItem(keyOf(position));
  if (!item) return null;
  const before = runOf(item);
  if (!before.story.some((one) => one.step === step && one.outcome === 'unknown')) return null;
  const story = before.story.map((one) => (one.step === step ? { ...one, outcome: 'sent' as const } : one));
  const after = { ...before, story };
  const { story: stored } = stateOf(after);
  const changed = await changeItem<RunRecord>(keyOf(position), {
    set: { story: stored },
    expect: { seq: before.seq, status: before.status },
  });
  return changed ? { before, after } : null;
}

export const isRunStatus = (text: string): text is RunStatus => (runStatuses as readonly string[]).includes(text);
