import { randomUUID } from 'node:crypto';
import type { Job } from '../../domain/job/job.ts';
import { type JobWork, overWork } from '../../domain/job/work.ts';
import { addSeconds, now, stopwatch } from '../../platform/clock.ts';
import { remainingMilliseconds } from '../../platform/deadline.ts';
import { changeJob } from '../../store/job/jobs.ts';

/** Who dies at work is in nobody's way for longer. */
const leaseSeconds = 120;
/** Whoever lives renews the lease so often, however long a step of theirs takes: two renewals may fail. */
const renewSeconds = 30;
/** What a turn keeps of its function's time for the step that it is in. */
const reserveMilliseconds = 60_000;
/** What does not have to be noted is, so often: to be seen. */
const noteMilliseconds = 2_000;

/** The job was cancelled, or somebody else is at it. */
export class LostJob extends Error {
  override readonly name = 'LostJob';
}

/** What became of a turn; `settle` is done when the end is written, and may be left undone. */
export type Outcome<Work> =
  | { readonly isDone: false; readonly work: Work }
  | { readonly isDone: true; readonly work: Work; readonly settle?: () => Promise<void> };

/** Work on a job by one who alone may do it. */
export class Turn<Work extends JobWork> {
  #job: Job<Work>;
  #sinceNote = stopwatch();
  /** Changes are made one after the other, since each rests on the one before. */
  #changes: Promise<unknown> = Promise.resolve();

  private constructor(job: Job<Work>) {
    this.#job = job;
  }

  /** Takes a job that nobody is at; null when somebody is, or was quicker. */
  static async take<Work extends JobWork>(job: Job<Work>): Promise<Turn<Work> | null> {
    const isHeld = job.holder !== null && job.dueAt !== null && job.dueAt > now().toISOString();
    if (job.state !== 'running' || isHeld) return null;
    const taken = await changeJob(job, { holder: randomUUID(), dueAt: leaseEnd(), tries: job.tries + 1 });
    return taken && new Turn(taken);
  }

  get job(): Job<Work> {
    return this.#job;
  }

  /** Whether what is left should be left to the next turn. */
  isOver(): boolean {
    return remainingMilliseconds() < reserveMilliseconds;
  }

  /** Does the work of the turn, and keeps the lease until it ends. */
  async whileHeld<Result>(work: () => Promise<Result>): Promise<Result> {
    // Whoever lost the job hears of it at their next change.
    const renew = () => this.#change({ dueAt: leaseEnd() }).catch(() => {});
    const renewal = setInterval(renew, renewSeconds * 1000);
    try {
      return await work();
    } finally {
      clearInterval(renewal);
    }
  }

  /** Writes how far it is, which is where the next turn goes on: it got somewhere. Throws `LostJob`. */
  async note(work: Work): Promise<void> {
    await this.#change({ work, dueAt: leaseEnd(), tries: 0 });
    this.#sinceNote = stopwatch();
  }

  /**
   * Shows how far it is, from time to time, for steps that come by the hundred. Another turn may begin anew, so that it
   * counts for nothing: what ends in a fault each time is given up, whatever was shown meanwhile. Throws `LostJob`.
   */
  async noteSometimes(work: Work): Promise<void> {
    if (this.#sinceNote() < noteMilliseconds) return;
    await this.#change({ work, dueAt: leaseEnd() });
    this.#sinceNote = stopwatch();
  }

  /** Leaves the rest to the next turn, which goes on from here. */
  async pause(work: Work): Promise<void> {
    await this.#change({ work, holder: null, dueAt: now().toISOString(), tries: 0 });
  }

  /** Lets go of what went wrong, for another to take up after a while. */
  async release(afterSeconds: number): Promise<void> {
    await this.#change({ holder: null, dueAt: addSeconds(now(), afterSeconds).toISOString() });
  }

  async end(state: 'done' | 'failed', change: Partial<Pick<Job<Work>, 'work' | 'failure'>>): Promise<void> {
    const { failure = null, work = this.#job.work } = change;
    const over = { state, holder: null, dueAt: null, endedAt: now().toISOString() };
    await this.#change({ ...over, failure, work: overWork(work) });
  }

  #change(change: Parameters<typeof changeJob<Job<Work>>>[1]): Promise<void> {
    const changed = this.#changes.then(async () => {
      const job = await changeJob(this.#job, change);
      if (!job) throw new LostJob();
      this.#job = job;
    });
    this.#changes = changed.catch(() => {});
    return changed;
  }
}

const leaseEnd = (): string => addSeconds(now(), leaseSeconds).toISOString();
