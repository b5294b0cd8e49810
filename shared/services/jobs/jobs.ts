import { ServiceError, ValidationError } from '../../contract/errors.ts';
import { notFound } from '../../contract/notFound.ts';
import type { Page } from '../../contract/route.ts';
import type { Scope } from '../../contract/scopes.ts';
import { isId } from '../../domain/identifier.ts';
import { endedWork, type Job, type JobKind, type JobWork } from '../../domain/job.ts';
import { textsOf } from '../../language/text.ts';
import { addSeconds } from '../../platform/clock.ts';
import { overtaken, untilSettled } from '../../platform/deadline.ts';
import { logger } from '../../platform/logger.ts';
import { sendJobMessage } from '../../queue/job.ts';
import { changeJob, jobsAfter, putJob, getJob as readJob, listJobs as readJobs } from '../../store/jobs.ts';
import { type Actor, type Context, newId } from '../context.ts';
import { nameOfKeyActor, operatorVerb, requireOperator, requireRole } from '../operatorVerb.ts';

/** If a job's message has not arrived after this time, the sweeper sends another. */
const messageSeconds = 60;

/** Stores a job that starts only when `beginJob` is called. */
export async function prepareJob<Work extends JobWork>(
  context: Context,
  work: Work,
  id = newId(context, 'job'),
): Promise<Job<Work>> {
  return stored(context, newJob(context, work, id));
}

/** Stores and queues a job. */
export async function startJob<Work extends JobWork>(context: Context, work: Work): Promise<Job<Work>> {
  const job: Job<Work> = {
    ...newJob(context, work, newId(context, 'job')),
    state: 'running',
    dueAt: dueAt(context.now),
  };
  const known = await stored(context, job);
  await queueJob(known);
  return known;
}

/** The job as it is stored: under an Idempotency-Key, an earlier call may have stored it before it crashed. */
async function stored<Work extends JobWork>(context: Context, job: Job<Work>): Promise<Job<Work>> {
  await requireRoom(context);
  if (await putJob(job)) return job;
  return findJob(job.workspaceId, job.id, job.work.kind) as Promise<Job<Work>>;
}

/** Jobs of a workspace's keys that may be open at the same time: each reads the whole table, or writes for hours. */
const maxOpen = 20;
/** An import whose file has not been uploaded after this time does not count any more. */
const openHours = 2;
const retryAfterSeconds = 60;

async function requireRoom({ actor, workspaceId, now }: Context): Promise<void> {
  if (actor.kind !== 'key') return;
  const since = addSeconds(now, -openHours * 3600).toISOString();
  const isOpen = ({ state, key, createdAt }: Job) =>
    key !== undefined && (state === 'running' || (state === 'preparing' && createdAt > since));
  const open = (await readJobs(workspaceId, 2 * maxOpen)).filter(isOpen);
  if (open.length < maxOpen) return;
  const details = { retry_after: retryAfterSeconds };
  throw new ServiceError('rate_limit_exceeded', { text: texts.tooMany, details, retryAfterSeconds });
}

/** Starts a prepared job; null when it has changed since it was read. */
export async function beginJob<Work extends JobWork>(job: Job<Work>, now: Date): Promise<Job<Work> | null> {
  const begun = await changeJob(job, { state: 'running', dueAt: dueAt(now) });
  if (begun) await queueJob(begun);
  return begun;
}

/** A failure is only logged: the sweeper queues every job that is due. */
async function queueJob({ workspaceId, id }: Job): Promise<void> {
  try {
    await sendJobMessage({ kind: 'job', workspace_id: workspaceId, job_id: id });
  } catch (error) {
    logger.error('A job could not be queued; the sweeper will queue it.', { error: error as Error, job_id: id });
  }
}

const dueAt = (now: Date): string => addSeconds(now, messageSeconds).toISOString();

function newJob<Work extends JobWork>(
  { actor, workspaceId, language, now }: Context,
  work: Work,
  id: string,
): Job<Work> {
  return {
    workspaceId,
    id,
    state: 'preparing',
    work,
    ...starterOf(actor, work.kind),
    language,
    createdAt: now.toISOString(),
    endedAt: null,
    failure: null,
    holder: null,
    dueAt: null,
    tries: 0,
    revision: 1,
  };
}

function starterOf(actor: Actor, kind: JobKind): Pick<Job, 'by' | 'key'> {
  if (actor.kind === 'operator') return { by: { name: actor.name, role: actor.role } };
  if (actor.kind !== 'key') throw new Error('Only operators and keys start jobs.');
  // After a rollback, a release that knows no keys here runs the job as that of such an operator.
  const by = { name: nameOfKeyActor(actor), role: kind === 'erasure' ? ('owner' as const) : ('editor' as const) };
  return { by, key: { id: actor.keyId, name: actor.keyName, lastFour: actor.lastFour } };
}

/** The context in which a worker calls verbs for the operator or the key that started the job. */
export const contextOfJob = ({ workspaceId, id, by, key, language }: Job, now: Date): Context => ({
  actor: key
    ? { kind: 'key', keyId: key.id, keyName: key.name, lastFour: key.lastFour, scopes: [] }
    : { kind: 'operator', entryPoint: 'console', workspaceId: null, ...by },
  workspaceId,
  language,
  now,
  requestId: id,
});

/** A job with its progress, for one read unit. Throws `not_found`. */
export async function getJob(context: Context, { id }: { readonly id: string }): Promise<Job> {
  requireRole(context, 'read');
  const job = isId('job', id) ? await readJob(context.workspaceId, id) : null;
  if (!job || !maySee(context.actor, job.work.kind)) throw notFound('job');
  return job;
}

/** The scope with which a key begins jobs of a kind: for a key without it, they do not exist. */
export const scopeOfKind: Readonly<Record<JobKind, Scope>> = {
  import: 'subscribers:write',
  export: 'subscribers:read',
  personExport: 'subscribers:read',
  erasure: 'subscribers:erase',
};

const maySee = (actor: Actor, kind: JobKind): boolean =>
  actor.kind !== 'key' || actor.scopes.includes(scopeOfKind[kind]);

/** So many jobs are looked at for a page: a key may see few of many. */
const maxLookedAt = 500;

/** The jobs that the caller may see, newest first. `after` is the id of a job. */
export async function pageOfJobs(
  context: Context,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<Page<Job>> {
  requireRole(context, 'read');
  if (after !== undefined && !isId('job', after)) throw new ValidationError([{ path: 'after', text: texts.after }]);
  const entries: Job[] = [];
  let looked = 0;
  let last = after;
  for await (const job of jobsAfter(context.workspaceId, after)) {
    if (entries.length === limit || looked === maxLookedAt) return { entries, next: last ?? null };
    looked += 1;
    last = job.id;
    if (maySee(context.actor, job.work.kind)) entries.push(job);
  }
  return { entries, next: null };
}

/** A job of one kind, for other verbs: it checks no role. Throws `not_found`. */
export async function findJob<Kind extends JobKind>(
  workspaceId: string,
  id: string,
  kind: Kind,
): Promise<Job<Extract<JobWork, { readonly kind: Kind }>>> {
  const job = isId('job', id) ? await readJob(workspaceId, id) : null;
  if (job && isOfKind(job, kind)) return job;
  throw notFound('job');
}

const isOfKind = <Kind extends JobKind>(job: Job, kind: Kind): job is Job<Extract<JobWork, { readonly kind: Kind }>> =>
  job.work.kind === kind;

const maxListed = 100;

/** Those of the workspace's hundred newest jobs that are of these kinds, newest first. Jobs are kept for a month. */
export async function listJobs(context: Context, { kinds }: { readonly kinds: readonly JobKind[] }): Promise<Job[]> {
  requireOperator(context, 'read');
  return (await readJobs(context.workspaceId, maxListed)).filter(({ work }) => kinds.includes(work.kind));
}

/**
 * Stops a job; what it has done stays done. One that ended stays as it is, which a key is told. Throws `not_found`,
 * `conflict` for erasures and for a key's call about a job that ended otherwise.
 */
export const cancelJob = /* @__PURE__ */ operatorVerb(
  { action: 'job.cancel', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  (context: Context, { id }: { readonly id: string }) =>
    untilSettled(async () => {
      const job = await getJob(context, { id });
      const isOpen = job.state === 'preparing' || job.state === 'running';
      const isToldOfEnd = context.actor.kind === 'key' && job.state !== 'canceled';
      if (!isOpen && isToldOfEnd) throw new ServiceError('conflict', { text: texts.ended });
      if (!isOpen) return job;
      if (job.work.kind === 'erasure') throw new ServiceError('conflict', { text: texts.erasing });
      const ended = { state: 'canceled', holder: null, dueAt: null, endedAt: context.now.toISOString() } as const;
      return (await changeJob(job, { ...ended, work: endedWork(job.work) })) ?? overtaken;
    }),
);

const texts = textsOf({
  erasing: {
    en: 'An erasure cannot be cancelled, because what is erased cannot be restored.',
    fr: 'Un effacement ne peut pas être annulé, car ce qui est effacé ne peut pas être rétabli.',
  },
  ended: { en: 'This job has ended already.', fr: 'Cette tâche est déjà terminée.' },
  after: { en: 'is not the id of a job', fr: 'n’est pas l’identifiant d’une tâche' },
  tooMany: {
    en: `The keys of a workspace may have ${maxOpen} open jobs at a time: wait for some of them to end.`,
    fr: `Les clés d’un espace peuvent avoir ${maxOpen} tâches ouvertes à la fois : attendez que certaines se terminent.`,
  },
});
