import * as z from 'zod';
import {
  type Automation,
  type AutomationDefinition,
  automationStatuses,
  holdReasons,
  type LiveSettings,
} from '../../domain/automation/automation.ts';
import { type Cause, causeOf, dateCause, listenedAfter, segmentCause } from '../../domain/automation/cause.ts';
import type { Segment } from '../../domain/segment/segment.ts';
import type { Condition } from '../table/expression.ts';
import {
  automationCountKey,
  automationEndKey,
  automationKey,
  automationsPartition,
  automationVersionKey,
  dueAutomationJobPartition,
  type Indexed,
} from '../table/keys.ts';
import { getItem, type Item, pack, queryAll, queryItems, type TransactionPart, unpack } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { changeItem, changePart, deletePart, oneLess, oneMore, putPart } from '../table/write.ts';
import { changeSegmentPart } from '../workspace/segments.ts';
import { listenedOf, listenedPart, listenerPart, noListenerPart } from './listeners.ts';

/**
 * What a job has to do for an automation: `end` the runs of earlier epochs, `wake` those that rested while it was disabled
 * or held, `prepare` a start by segment or date by looking at everybody once.
 */
export const automationJobs = ['end', 'wake', 'prepare'] as const;
export type AutomationJob = (typeof automationJobs)[number];

/** An automation as it is stored. */
export interface AutomationHead extends Automation {
  /** Rises with each change by a call. */
  readonly revision: number;
  /** The jobs that are not done, each with the revision that asked for it. */
  readonly jobs: Readonly<Partial<Record<AutomationJob, number>>>;
  readonly deletedAt: string | null;
}

const record = z.object({
  workspace_id: z.string(),
  automation_id: z.string(),
  name: z.string(),
  status: z.enum(automationStatuses),
  version: z.number(),
  epoch: z.number(),
  revision: z.number(),
  held: z
    .object({
      ...{ reason: z.enum(holdReasons), since: z.string() },
      /** The version and step that could not send. */
      ...{ version: z.number().optional(), step: z.string().optional() },
    })
    .nullish(),
  /** Tag, quiet hours and latest delay as JSON. */
  settings: z.string(),
  job_end: z.number().nullish(),
  job_wake: z.number().nullish(),
  job_prepare: z.number().nullish(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().nullish(),
});

/** The stored head. The engine sets and removes `held` by itself. */
export type AutomationRecord = z.input<typeof record> & Indexed<'due'>;

export function automationOf(item: Item): AutomationHead {
  const read = record.parse(item);
  const jobs = Object.entries({ end: read.job_end, wake: read.job_wake, prepare: read.job_prepare });
  return {
    ...(JSON.parse(read.settings) as LiveSettings),
    workspaceId: read.workspace_id,
    id: read.automation_id,
    name: read.name,
    status: read.status,
    version: read.version,
    epoch: read.epoch,
    revision: read.revision,
    held: read.held ?? null,
    jobs: Object.fromEntries(jobs.filter(([, revision]) => typeof revision === 'number')),
    createdAt: read.created_at,
    updatedAt: read.updated_at,
    deletedAt: read.deleted_at ?? null,
  };
}

const settingsOf = ({ tag, quietHours, maxDelay }: LiveSettings): string =>
  JSON.stringify({ tag, quietHours, maxDelay });

const jobName = (job: AutomationJob) => `job_${job}` as const;
const dueAt = (id: string, at: Date) => ({ due_pk: dueAutomationJobPartition, due_sk: `${at.toISOString()}#${id}` });

/** What a call changes of a head, with the jobs that it asks for: they are due at once. */
function changedRecord(head: AutomationHead, jobs: readonly AutomationJob[], at: Date) {
  return {
    ...{ name: head.name, status: head.status, version: head.version, epoch: head.epoch, revision: head.revision },
    ...{ settings: settingsOf(head), updated_at: head.updatedAt },
    ...Object.fromEntries(jobs.map((job) => [jobName(job), head.revision])),
    ...(jobs.length > 0 && dueAt(head.id, at)),
  };
}

const newRecord = (head: AutomationHead, jobs: readonly AutomationJob[], at: Date): AutomationRecord => ({
  ...{ workspace_id: head.workspaceId, automation_id: head.id, created_at: head.createdAt },
  ...changedRecord(head, jobs, at),
  ...(head.held && { held: head.held }),
  ...(head.deletedAt !== null && { deleted_at: head.deletedAt }),
});

/** A version as it was written: the settings too, although those of the head hold for all runs. */
export interface AutomationVersion {
  readonly definition: AutomationDefinition;
  readonly settings: LiveSettings;
}

interface VersionRecord {
  readonly version: number;
  readonly body: Uint8Array;
}

async function versionPart({ workspaceId, id, version, ...head }: Automation, definition: AutomationDefinition) {
  const { tag, quietHours, maxDelay } = head;
  const body = await pack({ definition, settings: { tag, quietHours, maxDelay } } satisfies AutomationVersion);
  const key = automationVersionKey(workspaceId, id, version);
  return putPart<VersionRecord>(key, { version, body }, { if: [['pk', 'absent']] });
}

/** A version, which never changes. Null when there is none. */
export async function getVersion(workspaceId: string, id: string, version: number): Promise<AutomationVersion | null> {
  const item = await getItem(automationVersionKey(workspaceId, id, version));
  return item && unpack<AutomationVersion>(item.body as Uint8Array);
}

const isWatching = (cause: Cause): boolean => cause === segmentCause || cause === dateCause;

/** The writes by which a cause finds the automation, or no longer does. */
async function listeningParts(
  before: { readonly head: AutomationHead; readonly definition: AutomationDefinition } | null,
  after: { readonly head: AutomationHead; readonly definition: AutomationDefinition },
  jobs: readonly AutomationJob[],
): Promise<TransactionPart[]> {
  const { head, definition } = after;
  const { workspaceId, id, status, version, epoch, revision, updatedAt: since } = head;
  const [{ config: trigger }] = definition.steps;
  const { reentry, run_key: runKey } = definition;
  const former = before?.head.status === 'enabled' ? causeOf(before.definition.steps[0].config) : null;
  const cause = status === 'enabled' ? causeOf(trigger) : null;
  const known: readonly Cause[] = before ? await listenedOf(workspaceId, id) : [];
  const endsRuns = before !== null && before.head.epoch !== epoch;
  const listened = { before: known, after: listenedAfter(known, { definition, status, endsRuns }) };
  const isSame = listened.before.join('\n') === listened.after.join('\n');
  return [
    ...(former !== null && former !== cause ? [noListenerPart(workspaceId, former, id)] : []),
    ...(cause === null
      ? []
      : [
          listenerPart(
            ...([workspaceId, cause, { automationId: id, version, epoch, trigger, reentry, runKey }] as const),
            isWatching(cause) && jobs.includes('prepare') ? { revision, since } : null,
          ),
        ]),
    ...(isSame ? [] : [listenedPart(workspaceId, id, listened)]),
  ];
}

interface Asked {
  readonly jobs: readonly AutomationJob[];
  readonly at: Date;
}

/** Stores a new automation; false when the workspace has `limit` of them, also when calls compete for the last one. */
export async function addAutomation(
  head: AutomationHead,
  definition: AutomationDefinition,
  { limit, jobs, at }: Asked & { readonly limit: number },
): Promise<boolean> {
  const refused = await transact([
    oneMore(automationCountKey(head.workspaceId), 'automations', limit),
    putPart<AutomationRecord>(automationKey(head.workspaceId, head.id), newRecord(head, jobs, at), {
      if: [['pk', 'absent']],
    }),
    await versionPart(head, definition),
    ...(await listeningParts(null, { head, definition }, jobs)),
  ]);
  return refused === null;
}

/** One automation, strongly consistent. Null when there is none, or it is deleted. */
export async function getAutomation(workspaceId: string, id: string): Promise<AutomationHead | null> {
  const item = await getItem(automationKey(workspaceId, id));
  return item && automationOf(item);
}

/** A deleted automation, whose runs stay readable. */
export async function getDeletedAutomation(workspaceId: string, id: string): Promise<AutomationHead | null> {
  const item = await getItem(automationEndKey(workspaceId, id));
  return item && automationOf(item);
}

/** Newest first: a workspace has 100 at most. */
export async function listAutomations(workspaceId: string): Promise<readonly AutomationHead[]> {
  const partition = automationsPartition(workspaceId);
  const items = await queryAll({
    ...{ partition, sort: { below: automationCountKey(workspaceId).sk } },
    ...{ order: 'descending', consistency: 'strong' },
  });
  return items.map(automationOf);
}

interface Described {
  readonly head: AutomationHead;
  readonly definition: AutomationDefinition;
}

/**
 * Writes a change of the head, its next version if it has one, and what it listens to, all or nothing. False when another
 * call changed or deleted it meanwhile.
 */
export async function replaceAutomation(before: Described, after: Described, { jobs, at }: Asked): Promise<boolean> {
  const { head, definition } = after;
  const refused = await transact([
    changePart<AutomationRecord>(automationKey(head.workspaceId, head.id), {
      set: changedRecord(head, jobs, at),
      expect: { revision: before.head.revision },
    }),
    ...(head.version === before.head.version ? [] : [await versionPart(head, definition)]),
    ...(await listeningParts(before, after, jobs)),
  ]);
  return refused === null;
}

/**
 * Deletes an automation: from this write on no wake finds its head. What is left of it says that its runs are to be ended,
 * and lets them be read. False when another call changed or deleted it meanwhile.
 */
export async function deleteAutomation(before: Described, after: AutomationHead, at: Date): Promise<boolean> {
  const { workspaceId, id } = after;
  const refused = await transact([
    oneLess(automationCountKey(workspaceId), 'automations'),
    deletePart<AutomationRecord>(automationKey(workspaceId, id), { expect: { revision: before.head.revision } }),
    putPart<AutomationRecord>(automationEndKey(workspaceId, id), newRecord(after, ['end'], at)),
    ...(await listeningParts(before, { head: after, definition: before.definition }, [])),
  ]);
  return refused === null;
}

/** Asks for another scan of the audience, for a segment that is edited. */
const preparePart = ({ workspaceId, id, revision }: AutomationHead, at: Date): TransactionPart =>
  changePart<AutomationRecord>(automationKey(workspaceId, id), {
    set: { job_prepare: revision + 1, revision: revision + 1, ...dueAt(id, at) },
    expect: { revision },
  });

/** As many automations as the write of a segment can ask together: a transaction has 100 parts. */
export const headsAtOnce = 99;

/**
 * Writes a segment, and asks the automations that watch it to scan the audience, all or nothing. False when the segment is
 * gone or one of them changed meanwhile.
 */
export async function changeWatchedSegment(
  workspaceId: string,
  segment: Segment,
  heads: readonly AutomationHead[],
  at: Date,
): Promise<boolean> {
  const parts = [changeSegmentPart(workspaceId, segment), ...heads.map((head) => preparePart(head, at))];
  return (await transact(parts)) === null;
}

/** Asks for the scan alone; false when the automation changed meanwhile. */
export const askToPrepare = async (head: AutomationHead, at: Date): Promise<boolean> =>
  (await transact([preparePart(head, at)])) === null;

const headKey = ({ workspaceId, id, deletedAt }: AutomationHead) =>
  deletedAt === null ? automationKey(workspaceId, id) : automationEndKey(workspaceId, id);

/** Automations with jobs that are due, deleted ones among them. */
export async function listDueAutomations(now: Date, limit: number): Promise<readonly AutomationHead[]> {
  const sort = { upTo: now.toISOString() };
  const found = await queryItems({ index: 'due', partition: dueAutomationJobPartition, sort, limit });
  const heads = await Promise.all(found.map(({ pk, sk }) => getItem({ pk: String(pk), sk: String(sk) })));
  return heads.filter((item) => item !== null).map(automationOf);
}

/** Notes why no send of an automation works; false when that was noted already, or the automation changed meanwhile. */
export async function holdAutomation(
  head: AutomationHead,
  held: NonNullable<AutomationHead['held']>,
): Promise<boolean> {
  const asRead: Condition<AutomationRecord> = head.held
    ? [['held', 'since'], '=', head.held.since]
    : ['held', 'absent'];
  return (await changeItem<AutomationRecord>(headKey(head), { set: { held }, if: [asRead] })) !== null;
}

/** Notes that its sends work again, and asks for the runs that waited to be woken. */
export async function releaseAutomation(head: AutomationHead, now: Date): Promise<boolean> {
  if (!head.held) return false;
  const revision = head.revision + 1;
  const released = await changeItem<AutomationRecord>(headKey(head), {
    set: { revision, job_wake: revision, ...dueAt(head.id, now) },
    remove: ['held'],
    expect: { revision: head.revision },
    if: [[['held', 'since'], '=', head.held.since]],
  });
  return released !== null;
}

/** Asks for the runs that wait to be woken; false when the automation changed meanwhile. */
export async function askForWake(head: AutomationHead, now: Date): Promise<boolean> {
  // Another revision: a job that is being done may have passed some of the runs.
  const revision = head.revision + 1;
  const asked = await changeItem<AutomationRecord>(headKey(head), {
    set: { revision, job_wake: revision, ...dueAt(head.id, now) },
    expect: { revision: head.revision },
  });
  return asked !== null;
}

/** Puts the next look at an automation's jobs off; false when none is open any more. */
export async function putOffJobs(head: AutomationHead, until: Date): Promise<boolean> {
  const change = { set: dueAt(head.id, until), if: [['due_pk', 'exists']] } as const;
  return (await changeItem<AutomationRecord>(headKey(head), change)) !== null;
}

/** Takes a job off the list; false when it was asked for again since, and so is not done. */
export async function finishJob(head: AutomationHead, job: AutomationJob): Promise<boolean> {
  const others = automationJobs.filter((one) => one !== job);
  const expect = [[jobName(job), head.jobs[job]] as const];
  const last = await changeItem<AutomationRecord>(headKey(head), {
    remove: [jobName(job), 'due_pk', 'due_sk'],
    expect,
    if: others.map((one) => [jobName(one), 'absent'] as const),
  });
  if (last) return true;
  return (await changeItem<AutomationRecord>(headKey(head), { remove: [jobName(job)], expect })) !== null;
}

/** Takes an automation without jobs off the list: two that were finished at once leave it there. */
export async function dropDue(head: AutomationHead): Promise<void> {
  await changeItem<AutomationRecord>(headKey(head), {
    remove: ['due_pk', 'due_sk'],
    if: automationJobs.map((job) => [jobName(job), 'absent'] as const),
  });
}
