import * as z from 'zod';
import type { RunPosition } from '../../domain/automation/run.ts';
import { type Enrolment, noEnrolment, wholeHash } from '../../domain/automation/starting.ts';
import type { Watched } from '../../domain/automation/watching.ts';
import { shardOf } from '../../domain/encoding.ts';
import { readTogether } from '../table/batches.ts';
import { type FieldRules, internal } from '../table/fieldRules.ts';
import {
  addressPartition,
  dueAutomationPartition,
  dueAutomationShards,
  enrolmentKey,
  enrolmentPrefix,
  type Indexed,
} from '../table/keys.ts';
import { getItem, type Item, queryAll, type TransactionPart } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { changeItem, changePart, upsertItem } from '../table/write.ts';

const record = z.object({
  email: z.string(),
  automation_id: z.string(),
  run_key: z.string(),
  open_run: z.string().optional(),
  last_start: z.string().optional(),
  starts: z.number().default(0),
  runs: z.array(z.string()).default([]),
  day: z.string().optional(),
  starts_of_day: z.number().default(0),
  /** Rises with each start, and with each stored evaluation for a segment or a date. */
  revision: z.number().default(0),
  /** The result of the last evaluation, in the enrolment without a run key. */
  watch: z.string().optional(),
  in_segment: z.boolean().optional(),
  seen: z.number().optional(),
  next_at: z.string().optional(),
});

export interface EnrolmentRecord extends z.input<typeof record>, Indexed<'due'> {}

const exported = { erasure: 'remove', inExport: 'whole', shown: 'never' } as const;

export const enrolmentRules = {
  email: { erasure: 'remove', inExport: 'never', shown: 'never' },
  automation_id: exported,
  run_key: internal,
  open_run: exported,
  last_start: exported,
  starts: exported,
  runs: exported,
  day: internal,
  starts_of_day: internal,
  revision: internal,
  watch: internal,
  in_segment: exported,
  seen: internal,
  next_at: exported,
} as const satisfies FieldRules<EnrolmentRecord>;

/** An enrolment as it was read. */
export interface StoredEnrolment extends Enrolment {
  readonly revision: number;
  readonly watched: Watched | null;
}

export interface EnrolmentPosition {
  readonly workspaceId: string;
  readonly email: string;
  readonly automationId: string;
  readonly runKeyHash: string;
}

const keyOf = ({ workspaceId, email, automationId, runKeyHash }: EnrolmentPosition) =>
  enrolmentKey(workspaceId, email, automationId, runKeyHash);

function enrolmentOf(item: Item | null): StoredEnrolment {
  if (!item) return { ...noEnrolment, revision: 0, watched: null };
  const read = record.parse(item);
  return {
    ...{ openRun: read.open_run ?? null, lastStart: read.last_start ?? null, starts: read.starts, runs: read.runs },
    ...{ day: read.day ?? null, startsOfDay: read.starts_of_day, revision: read.revision },
    watched: watchedOf(read),
  };
}

const watchedOf = ({ watch, in_segment, seen = 0, next_at }: z.output<typeof record>): Watched | null =>
  watch === undefined ? null : { watch, isIn: in_segment ?? false, seen, nextAt: next_at ?? null };

/** The enrolment of a value of the run key and that of the person, which are one without a run key; strongly consistent. */
export async function getEnrolments(
  position: EnrolmentPosition,
): Promise<{ own: StoredEnrolment; whole: StoredEnrolment }> {
  const [own, whole] = await readTogether([keyOf(position), keyOf({ ...position, runKeyHash: wholeHash })]);
  return { own: enrolmentOf(own ?? null), whole: enrolmentOf(whole ?? null) };
}

/**
 * The part of a start that stores it, unless another worker has started the person since. `watched`: the result of an
 * evaluation, by which a person starts once each time they enter a segment.
 */
export function startPart(
  position: EnrolmentPosition,
  before: StoredEnrolment,
  after: Enrolment,
  watched: Watched | null = null,
): TransactionPart {
  const found = watched && watchedChange(position, watched);
  return changePart<EnrolmentRecord>(keyOf(position), {
    set: {
      ...{ ...keyAttributes(position), open_run: after.openRun ?? undefined },
      ...{ last_start: after.lastStart ?? undefined, starts: after.starts, runs: [...after.runs] },
      ...{ day: after.day ?? undefined, starts_of_day: after.startsOfDay, revision: before.revision + 1 },
      ...found?.set,
    },
    ...(found && { remove: found.remove }),
    expect: { revision: before.revision || undefined, open_run: before.openRun ?? undefined },
  });
}

const keyAttributes = ({ email, automationId, runKeyHash }: EnrolmentPosition) => ({
  ...{ email, automation_id: automationId, run_key: runKeyHash },
});

/** By the person, as everything of theirs. */
function watchedChange({ workspaceId, email }: EnrolmentPosition, { watch, isIn, seen, nextAt }: Watched) {
  const shard = shardOf(`${workspaceId}#${email}`, dueAutomationShards);
  const due = { next_at: nextAt ?? '', due_pk: dueAutomationPartition('enrolment', shard), due_sk: nextAt ?? '' };
  return {
    set: { watch, in_segment: isIn, seen, ...(nextAt !== null && due) },
    remove: nextAt === null ? (['next_at', 'due_pk', 'due_sk'] as const) : [],
  };
}

/**
 * Writes the result of an evaluation, with its counts; false when another one, or a start, was faster. One write unit, two
 * more where something becomes or was due.
 */
export async function putWatched(
  position: EnrolmentPosition,
  before: StoredEnrolment,
  watched: Watched,
  counts: readonly TransactionPart[],
): Promise<boolean> {
  const { set, remove } = watchedChange(position, watched);
  const change = {
    set: { ...keyAttributes(position), revision: before.revision + 1, ...set },
    ...{ remove, expect: { revision: before.revision || undefined } },
  };
  if (counts.length > 0)
    return (await transact([changePart<EnrolmentRecord>(keyOf(position), change), ...counts])) === null;
  return (await upsertItem<EnrolmentRecord>(keyOf(position), change)) !== null;
}

/** Removes the result of a person for an automation that does not watch them any more, and what is due by it. */
export async function forgetWatched(position: EnrolmentPosition, before: StoredEnrolment): Promise<boolean> {
  const forgotten = await changeItem<EnrolmentRecord>(keyOf(position), {
    set: { revision: before.revision + 1 },
    remove: ['watch', 'in_segment', 'seen', 'next_at', 'due_pk', 'due_sk'],
    expect: { revision: before.revision || undefined },
  });
  return forgotten !== null;
}

/** The part of an end by which the person may start again. Refused when the enrolment was erased. */
export const closePart = (position: EnrolmentPosition, runId: string): TransactionPart =>
  changePart<EnrolmentRecord>(keyOf(position), { remove: ['open_run'], expect: { open_run: runId } });

/** The last runs of a person in an automation, newest first. */
export async function lastRunsOf(workspaceId: string, email: string, automationId: string): Promise<readonly string[]> {
  return enrolmentOf(await getItem(enrolmentKey(workspaceId, email, automationId, wholeHash))).runs;
}

/** Every open run of a person, by one strong query. */
export async function openRunsOf(workspaceId: string, email: string): Promise<readonly RunPosition[]> {
  const partition = addressPartition(workspaceId, email);
  const items = await queryAll({ partition, sort: { prefix: enrolmentPrefix }, consistency: 'strong' });
  return items.flatMap((item) => {
    const { automation_id: automationId, open_run: id } = record.parse(item);
    return id === undefined ? [] : [{ workspaceId, automationId, id }];
  });
}
