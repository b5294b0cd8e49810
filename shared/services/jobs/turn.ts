import { randomUUID } from 'node:crypto';
import type { Job } from '../../domain/job/job.ts';
import type { JobWork } from '../../domain/job/work.ts';
import { addSeconds, now, stopwatch } from '../../platform/clock.ts';
import { remainingMilliseconds } from '../../platform/deadline.ts';
import { changeJob } from '../../store/job/jobs.ts';

/** Far longer than the longest step takes: who dies at work is in nobody's way for longer. */
const leaseSeconds = 120;
/** What a turn keeps of its function's time for the step that it is in. */
const reserveMilliseconds = 60_000;
/** What does not have to be noted is, so often: to be seen, and to keep the lease. */
const noteMilliseconds = 2_000;

/** The job was cancelled, or somebody else is at it. */
export class LostJob extends Error {
  override readonly name = 'LostJob';
}

/** What became of a turn; `settle` is done when the end is written, and may be left undone. */
export type Outcome<Work> =
  | { readonly isDone: false }
  | { readonly isDone: true; readonly work: Work; readonly settle?: () => Promise<void> };

/** Work on a job by one who alone may do it. */
export class Turn<Work extends JobWork> {
  #job: Job<Work>;
  #sinceNote = stopwatch();

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

  /** Writes how far it is. Throws `LostJob`. */
  async note(work: Work): Promise<void> {
    await this.#change({ work, dueAt: leaseEnd(), tries: 0 });
    this.#sinceNote = stopwatch();
  }

  /** The same from time to time, for steps that come by the hundred. */
  async noteSometimes(work: Work): Promise<void> {
    if (this.#sinceNote() >= noteMilliseconds) await this.note(work);
  }

  /** Lets go of it, for another to take up at once or after a while. */
  async release(afterSeconds: number): Promise<void> {
    await this.#change({ holder: null, dueAt: addSeconds(now(), afterSeconds).toISOString() });
  }

  async end(state: 'done' | 'failed', change: Partial<Pick<Job<Work>, 'work' | 'failure'>>): Promise<void> {
    await this.#change({ ...change, state, holder: null, dueAt: null, endedAt: now().toISOString() });
  }

  async #change(change: Parameters<typeof changeJob<Job<Work>>>[1]): Promise<void> {
    const changed = await changeJob(this.#job, change);
    if (!changed) throw new LostJob();
    this.#job = changed;
  }
}

const leaseEnd = (): string => addSeconds(now(), leaseSeconds).toISOString();
