import * as z from 'zod';
import type { RunPosition } from '../../domain/automation/run.ts';
import { type Enrolment, noEnrolment, wholeHash } from '../../domain/automation/starting.ts';
import { readTogether } from '../table/batches.ts';
import { type FieldRules, internal } from '../table/fieldRules.ts';
import { addressPartition, enrolmentKey, enrolmentPrefix, type Indexed } from '../table/keys.ts';
import { getItem, type Item, queryAll, type TransactionPart } from '../table/table.ts';
import { changePart } from '../table/write.ts';

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
  /** Rises with each start. */
  revision: z.number().default(0),
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
} as const satisfies FieldRules<EnrolmentRecord>;

/** An enrolment as it was read. */
export interface StoredEnrolment extends Enrolment {
  readonly revision: number;
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
  if (!item) return { ...noEnrolment, revision: 0 };
  const read = record.parse(item);
  return {
    ...{ openRun: read.open_run ?? null, lastStart: read.last_start ?? null, starts: read.starts, runs: read.runs },
    ...{ day: read.day ?? null, startsOfDay: read.starts_of_day, revision: read.revision },
  };
}

/** The enrolment of a value of the run key and that of the person, which are one without a run key; strongly consistent. */
export async function getEnrolments(
  position: EnrolmentPosition,
): Promise<{ own: StoredEnrolment; whole: StoredEnrolment }> {
  const [own, whole] = await readTogether([keyOf(position), keyOf({ ...position, runKeyHash: wholeHash })]);
  return { own: enrolmentOf(own ?? null), whole: enrolmentOf(whole ?? null) };
}

/** The part of a start that notes it, unless another worker has started the person since. */
export function startPart(position: EnrolmentPosition, before: StoredEnrolment, after: Enrolment): TransactionPart {
  const { email, automationId, runKeyHash } = position;
  return changePart<EnrolmentRecord>(keyOf(position), {
    set: {
      ...{ email, automation_id: automationId, run_key: runKeyHash, open_run: after.openRun ?? undefined },
      ...{ last_start: after.lastStart ?? undefined, starts: after.starts, runs: [...after.runs] },
      ...{ day: after.day ?? undefined, starts_of_day: after.startsOfDay, revision: before.revision + 1 },
    },
    expect: { revision: before.revision || undefined, open_run: before.openRun ?? undefined },
  });
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
