import * as z from 'zod';
import { type Job, jobStates, jobWork } from '../domain/job.ts';
import type { Delivery } from '../domain/webhook/delivery.ts';
import { operatorRoles } from '../domain/workspace/workspace.ts';
import { languageTags } from '../language/languages.ts';
import { addSeconds, epochSeconds, secondsInDay } from '../platform/clock.ts';
import { dueJobPartition, jobKey, jobsPartition } from './table/keys.ts';
import { getItem, type Item, queryItems, queryPages } from './table/table.ts';
import { transact } from './table/transaction.ts';
import { changeItem, putItem, putPart } from './table/write.ts';
import { deliveryParts } from './webhook/deliveries.ts';

const keptDays = 30;

/** `work` is JSON: it is read and written as a whole. */
const record = z.object({
  workspace_id: z.string(),
  state: z.enum(jobStates),
  work: z.string(),
  by: z.string(),
  role: z.enum(operatorRoles),
  key: z.object({ id: z.string(), name: z.string(), last_four: z.string() }).optional(),
  begun_at: z.string().optional(),
  language: z.enum(languageTags),
  created_at: z.string(),
  ended_at: z.string().nullish().default(null),
  failure: z.string().nullish().default(null),
  holder: z.string().nullish().default(null),
  due_pk: z.string().optional(),
  due_sk: z.string().nullish().default(null),
  tries: z.number().default(0),
  revision: z.number(),
  expires_at: z.number(),
});

type JobRecord = z.input<typeof record>;

const keyOf = ({ workspaceId, id }: Pick<Job, 'workspaceId' | 'id'>) => jobKey(workspaceId, id);

/** False when there is one with this id. */
export const putJob = (job: Job): Promise<boolean> =>
  putItem<JobRecord>(keyOf(job), recordOf(job), { if: [['pk', 'absent']] });

/** Stores a changed job; null when the stored one has changed since it was read. */
export async function changeJob<Changed extends Job>(
  job: Changed,
  change: Partial<Omit<Changed, 'id' | 'workspaceId' | 'revision'>>,
  /** What reports the change to webhooks, written with it. */
  deliveries: readonly Delivery[] = [],
): Promise<Changed | null> {
  const changed = { ...job, ...change, revision: job.revision + 1 };
  const expect = { revision: job.revision };
  if (deliveries.length === 0)
    return (await putItem<JobRecord>(keyOf(job), recordOf(changed), { expect })) ? changed : null;
  const put = putPart<JobRecord>(keyOf(job), recordOf(changed), { expect });
  return (await transact([put, ...deliveryParts(deliveries)])) === null ? changed : null;
}

/** Strongly consistent; null when there is none (any more). */
export async function getJob(workspaceId: string, id: string): Promise<Job | null> {
  const item = await getItem(jobKey(workspaceId, id));
  return item && jobOf(item);
}

/** The newest first. */
export async function listJobs(workspaceId: string, limit: number): Promise<Job[]> {
  const partition = jobsPartition(workspaceId);
  return (await queryItems({ partition, order: 'descending', consistency: 'strong', limit })).map(jobOf);
}

/** Those after the job with this id, newest first. Work can be large, so a page of DynamoDB may have fewer. */
export async function* jobsAfter(workspaceId: string, after: string | undefined): AsyncGenerator<Job> {
  const query = { partition: jobsPartition(workspaceId), order: 'descending', consistency: 'strong' } as const;
  const pages = queryPages({ ...query, limit: 100, ...(after !== undefined && { sort: { below: after } }) });
  for await (const { items } of pages) yield* items.map(jobOf);
}

/** A job in the index, which may lag behind the table. */
export interface LateJob {
  readonly workspaceId: string;
  readonly id: string;
  readonly dueAt: string;
}

/**
 * Jobs of all workspaces whose workers are late at `now`, the longest overdue first: one empty query when there is
 * none.
 */
export async function listLateJobs(now: Date, limit: number): Promise<LateJob[]> {
  const sort = { below: now.toISOString() };
  const items = await queryItems({ index: 'due', partition: dueJobPartition, sort, limit });
  return items.map(({ pk, sk, due_sk }) => ({
    workspaceId: String(pk).split('#')[1] ?? '',
    id: String(sk),
    dueAt: String(due_sk),
  }));
}

/**
 * Takes a late job from its worker and makes it due again at `until`; false when it has changed since. The job itself
 * is not read: one that this release cannot read must not block the others.
 */
export async function releaseLateJob({ dueAt, ...job }: LateJob, until: Date): Promise<boolean> {
  const released = await changeItem<JobRecord>(keyOf(job), {
    set: { holder: null, due_sk: until.toISOString() },
    add: { revision: 1 },
    expect: { due_sk: dueAt },
  });
  return released !== null;
}

function recordOf({ workspaceId, id: _, work, by, key, begunAt, createdAt, endedAt, dueAt, ...rest }: Job): JobRecord {
  return {
    ...rest,
    ...(key && { key: { id: key.id, name: key.name, last_four: key.lastFour } }),
    ...(begunAt !== undefined && { begun_at: begunAt }),
    workspace_id: workspaceId,
    work: JSON.stringify(work),
    by: by.name,
    role: by.role,
    created_at: createdAt,
    ended_at: endedAt,
    ...(dueAt !== null && { due_pk: dueJobPartition, due_sk: dueAt }),
    expires_at: epochSeconds(addSeconds(new Date(createdAt), keptDays * secondsInDay)),
  };
}

function jobOf(item: Item): Job {
  const read = record.parse(item);
  return {
    workspaceId: read.workspace_id,
    id: String(item.sk),
    state: read.state,
    work: jobWork.parse(JSON.parse(read.work)),
    by: { name: read.by, role: read.role },
    ...(read.key && { key: { id: read.key.id, name: read.key.name, lastFour: read.key.last_four } }),
    ...(read.begun_at !== undefined && { begunAt: read.begun_at }),
    language: read.language,
    createdAt: read.created_at,
    endedAt: read.ended_at,
    failure: read.failure,
    holder: read.holder,
    dueAt: read.due_sk,
    tries: read.tries,
    revision: read.revision,
  };
}
