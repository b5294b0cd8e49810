import * as z from 'zod';
import { type Job, jobStates } from '../../domain/job/job.ts';
import { jobWork } from '../../domain/job/work.ts';
import { operatorRoles } from '../../domain/workspace/operatorRole.ts';
import { languageTags } from '../../language/languages.ts';
import { addSeconds, epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { GetCommand, PutCommand, QueryCommand } from '../dynamodb/commands.ts';
import { changeItem } from '../table/change.ts';
import { conditionHolds } from '../table/conditionHolds.ts';
import { dueJobPartition, jobKey, jobsPartition } from '../table/keys.ts';
import { documents, type Item, tableName } from '../table/table.ts';

const keptDays = 30;

/** What is worked on is text: it is read and written whole. */
const record = z.object({
  workspace_id: z.string(),
  sk: z.string(),
  state: z.enum(jobStates),
  work: z.string(),
  by: z.string(),
  role: z.enum(operatorRoles),
  language: z.enum(languageTags),
  created_at: z.string(),
  ended_at: z.string().nullish().default(null),
  failure: z.string().nullish().default(null),
  holder: z.string().nullish().default(null),
  due_sk: z.string().nullish().default(null),
  tries: z.number().default(0),
  revision: z.number(),
});

/** False when there is one of this id. */
export function putJob(job: Job): Promise<boolean> {
  return put(job, { ConditionExpression: 'attribute_not_exists(pk)' });
}

/** Writes what a job has become; null when somebody else has changed it since it was read. */
export async function changeJob<Changed extends Job>(
  job: Changed,
  change: Partial<Omit<Changed, 'id' | 'workspaceId' | 'revision'>>,
): Promise<Changed | null> {
  const changed = { ...job, ...change, revision: job.revision + 1 };
  const isWritten = await put(changed, {
    ConditionExpression: 'revision = :seen',
    ExpressionAttributeValues: { ':seen': job.revision },
  });
  return isWritten ? changed : null;
}

type Condition = Pick<PutCommand['input'], 'ConditionExpression' | 'ExpressionAttributeValues'>;

async function put(job: Job, condition: Condition): Promise<boolean> {
  return conditionHolds(() =>
    documents.send(new PutCommand({ TableName: tableName(), Item: itemOf(job), ...condition })),
  );
}

/** Strongly consistent; null when there is none, or no more. */
export async function getJob(workspaceId: string, id: string): Promise<Job | null> {
  const { Item: item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: jobKey(workspaceId, id), ConsistentRead: true }),
  );
  return item ? jobOf(item) : null;
}

/** The newest first. */
export async function listJobs(workspaceId: string, limit: number): Promise<Job[]> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': jobsPartition(workspaceId) },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit,
    }),
  );
  return Items.map(jobOf);
}

/** A job as it stands in the index, which may be behind. */
export interface LateJob {
  readonly workspaceId: string;
  readonly id: string;
  readonly dueAt: string;
}

/** Of all workspaces, those that nobody has got on with by `now`, the longest waiting first: one empty query for none. */
export async function listLateJobs(now: Date, limit: number): Promise<LateJob[]> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      IndexName: 'due',
      KeyConditionExpression: 'due_pk = :pk AND due_sk < :now',
      ExpressionAttributeValues: { ':pk': dueJobPartition, ':now': now.toISOString() },
      Limit: limit,
    }),
  );
  return Items.map(({ pk, sk, due_sk }) => ({
    workspaceId: String(pk).split('#')[1] ?? '',
    id: String(sk),
    dueAt: String(due_sk),
  }));
}

/**
 * Takes a late job from whoever held it, to be late again at `until`; false when it has moved since it was found. It is
 * not read: one that this release cannot read must not stay in front of the others.
 */
export async function releaseLateJob({ workspaceId, id, dueAt }: LateJob, until: Date): Promise<boolean> {
  const change = {
    set: { holder: null, due_sk: until.toISOString() },
    add: { revision: 1 },
    expect: { due_sk: dueAt },
  };
  return (await changeItem<Item>(jobKey(workspaceId, id), change)) !== null;
}

function itemOf({ workspaceId, id, work, by, createdAt, endedAt, dueAt, ...rest }: Job): Item {
  return {
    ...jobKey(workspaceId, id),
    ...rest,
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
  const { workspace_id, sk, work, by, role, created_at, ended_at, due_sk, ...rest } = record.parse(item);
  return {
    ...rest,
    workspaceId: workspace_id,
    id: sk,
    work: jobWork.parse(JSON.parse(work)),
    by: { name: by, role },
    createdAt: created_at,
    endedAt: ended_at,
    dueAt: due_sk,
  };
}
