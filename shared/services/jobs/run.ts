import { ServiceError } from '../../contract/errors.ts';
import { mostTries } from '../../domain/job/job.ts';
import type { JobKind, JobWork } from '../../domain/job/work.ts';
import { text } from '../../language/text.ts';
import { addLogFields } from '../../platform/logContext.ts';
import { logger } from '../../platform/logger.ts';
import { type JobMessage, sendJobMessage } from '../../queue/job.ts';
import { getJob } from '../../store/job/jobs.ts';
import { runExport } from '../exports/job.ts';
import { runImport } from '../imports/background/run.ts';
import { runErasure, runPersonExport } from '../rights/jobs.ts';
import { LostJob, type Outcome, Turn } from './turn.ts';

type Runner<Work extends JobWork> = (turn: Turn<Work>) => Promise<Outcome<Work>>;

const runners: { readonly [Kind in JobKind]: Runner<Extract<JobWork, { readonly kind: Kind }>> } = {
  import: runImport,
  export: runExport,
  personExport: runPersonExport,
  erasure: runErasure,
};

/** Until another takes up what went wrong. */
const afterFaultSeconds = 30;

/**
 * A turn at a job. One that was done, that somebody is at, or that came twice is left alone. What went wrong is tried
 * again by the sweeper; a job that gets nowhere five times in a row has failed, whether that was told by an error or not.
 */
export async function runJob({ workspace_id, job_id }: JobMessage): Promise<void> {
  addLogFields({ workspace_id, job_id });
  const job = await getJob(workspace_id, job_id);
  const turn = job && (await Turn.take(job));
  if (!job || !turn) return;
  try {
    if (turn.job.tries > mostTries) await giveUp(turn);
    else await goOn(turn);
  } catch (error) {
    if (error instanceof LostJob) return;
    await fault(turn, error);
  }
}

async function goOn(turn: Turn<JobWork>): Promise<void> {
  const run = runners[turn.job.work.kind] as Runner<JobWork>;
  const outcome = await turn.whileHeld(() => run(turn));
  if (!outcome.isDone) {
    await turn.pause(outcome.work);
    const { workspaceId: workspace_id, id: job_id } = turn.job;
    await sendJobMessage({ kind: 'job', workspace_id, job_id });
    return;
  }
  await turn.end('done', { work: outcome.work });
  await outcome.settle?.().catch((error: unknown) => {
    logger.warn('What a job left could not be cleared; it ends by itself.', { error: error as Error });
  });
}

/** A refusal is the end of it, in its own words; anything else may pass. */
async function fault(turn: Turn<JobWork>, error: unknown): Promise<void> {
  if (error instanceof ServiceError && error.code !== 'internal_error') {
    await turn.end('failed', { failure: error.text[turn.job.language] }).catch(passed);
    return;
  }
  const isLast = turn.job.tries >= mostTries;
  await (isLast ? giveUp(turn) : turn.release(afterFaultSeconds)).catch(passed);
  throw error;
}

async function giveUp(turn: Turn<JobWork>): Promise<void> {
  const { work, tries, language } = turn.job;
  logger.error('A job was given up.', { job_kind: work.kind, tries });
  await turn.end('failed', { failure: givenUp[language] });
}

/** Cancelled meanwhile, or out of reach: then the lease ends by itself. */
const passed = (error: unknown): void => {
  logger.warn('A job could not be let go of.', { error: error as Error });
};

const givenUp = text({
  en: 'Every try broke off, and it was given up. The log of the service says why.',
  fr: 'Chaque tentative s’est interrompue, et l’opération a été abandonnée. Le journal du service dit pourquoi.',
});
