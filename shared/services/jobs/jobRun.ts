import { randomUUID } from 'node:crypto';
import { endedWork, type Job, type JobWork } from '../../domain/job.ts';
import type { Delivery } from '../../domain/webhook/delivery.ts';
import { addSeconds, now, stopwatch } from '../../platform/clock.ts';
import { remainingMilliseconds } from '../../platform/deadline.ts';
import { changeJob } from '../../store/jobs.ts';

/** A crashed worker blocks its job for this long. */
const leaseSeconds = 120;
/** A worker renews its lease this often, however long a step takes. Two renewals may fail. */
const renewSeconds = 30;
/** The part of an invocation's time that is reserved for the current step. */
const reserveMilliseconds = 60_000;
/** The interval of progress that is written for display only. */
const displayMilliseconds = 2_000;

/** The job was cancelled, or another worker has claimed it. */
export class LostJob extends Error {
  override readonly name = 'LostJob';
}

/** The result of one run. `cleanUp` runs once the end of the job is stored; it is optional work and may fail. */
export type JobRunResult<Work> =
  | { readonly isDone: false; readonly work: Work }
  | { readonly isDone: true; readonly work: Work; readonly cleanUp?: () => Promise<void> };

/** One worker's claim on a job. A long job takes several runs, one invocation after the other. */
export class JobRun<Work extends JobWork> {
  #job: Job<Work>;
  #sinceWrite = stopwatch();
  /** Changes are made one after another, as each is conditional on the revision that the one before wrote. */
  #changes: Promise<unknown> = Promise.resolve();

  private constructor(job: Job<Work>) {
    this.#job = job;
  }

  /** Claims a job that no worker holds; null when one does, or was faster. */
  static async claim<Work extends JobWork>(job: Job<Work>): Promise<JobRun<Work> | null> {
    const isHeld = job.holder !== null && job.dueAt !== null && job.dueAt > now().toISOString();
    if (job.state !== 'running' || isHeld) return null;
    const begunAt = job.begunAt ?? now().toISOString();
    const claimed = await changeJob(job, { holder: randomUUID(), dueAt: leaseEnd(), tries: job.tries + 1, begunAt });
    return claimed && new JobRun(claimed);
  }

  get job(): Job<Work> {
    return this.#job;
  }

  /** Whether the rest should be left to the next run. */
  isOutOfTime(): boolean {
    return remainingMilliseconds() < reserveMilliseconds;
  }

  /** Runs `work` and renews the lease until it ends. */
  async withLease<Result>(work: () => Promise<Result>): Promise<Result> {
    // A run that has lost its job fails with its next change.
    const renew = () => this.#change({ dueAt: leaseEnd() }).catch(() => {});
    const renewal = setInterval(renew, renewSeconds * 1000);
    try {
      return await work();
    } finally {
      clearInterval(renewal);
    }
  }

  /** Stores the position from which the next run continues, and resets the failed tries. Throws `LostJob`. */
  async saveProgress(work: Work): Promise<void> {
    await this.#change({ work, dueAt: leaseEnd(), tries: 0 });
    this.#sinceWrite = stopwatch();
  }

  /**
   * Stores progress for display, at most every two seconds. It does not reset the failed tries, because the next run
   * may start from the beginning: a job that always fails is given up whatever progress it showed. Throws `LostJob`.
   */
  async showProgress(work: Work): Promise<void> {
    if (this.#sinceWrite() < displayMilliseconds) return;
    await this.#change({ work, dueAt: leaseEnd() });
    this.#sinceWrite = stopwatch();
  }

  /** Leaves the rest to the next run, which continues from here. */
  async pause(work: Work): Promise<void> {
    await this.#change({ work, holder: null, dueAt: now().toISOString(), tries: 0 });
  }

  /** Gives the claim back after a failure, for another run after some time. */
  async release(afterSeconds: number): Promise<void> {
    await this.#change({ holder: null, dueAt: addSeconds(now(), afterSeconds).toISOString() });
  }

  /** `report` makes what tells webhooks of the end, of the job as it ends; both are written together. */
  async end(
    state: 'done' | 'failed',
    change: Partial<Pick<Job<Work>, 'work' | 'failure'>>,
    report: (ended: Job<Work>) => Promise<readonly Delivery[]> = async () => [],
  ): Promise<readonly Delivery[]> {
    const { failure = null, work = this.#job.work } = change;
    const ended = { state, holder: null, dueAt: null, endedAt: now().toISOString(), failure, work: endedWork(work) };
    const deliveries = await report({ ...this.#job, ...ended });
    await this.#change(ended, deliveries);
    return deliveries;
  }

  #change(change: Parameters<typeof changeJob<Job<Work>>>[1], deliveries: readonly Delivery[] = []): Promise<void> {
    const changed = this.#changes.then(async () => {
      const job = await changeJob(this.#job, change, deliveries);
      if (!job) throw new LostJob();
      this.#job = job;
    });
    this.#changes = changed.catch(() => {});
    return changed;
  }
}

const leaseEnd = (): string => addSeconds(now(), leaseSeconds).toISOString();
