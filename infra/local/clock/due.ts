/** Something that is going to happen by itself. Times are milliseconds since the epoch. */
export interface DueMoment {
  readonly at: number;
  /** What it is, in a few words: `scheduled email`, `message of webhook-delivery`. */
  readonly kind: string;
  /** Since when it is due, of what was looked at in vain and is looked at again. */
  readonly since?: number;
}

/** What is under way in a part of the service, and what it is going to do. */
export interface PendingWork {
  /** What it is doing at this moment; empty when it is idle. */
  readonly busy: readonly string[];
  readonly due: readonly DueMoment[];
  /** Counts that only grow, by name: what was done since is their difference. */
  readonly done: Readonly<Record<string, number>>;
}

/** A part of the service that does things by itself when their time comes. */
export interface ClockedPart {
  /** `withDue` false: only whether it is idle is asked; it may leave out what is due. */
  pending(withDue: boolean): Promise<PendingWork>;
  /**
   * Called after the clock was moved: does what is due now. Need not wait for it. `isEnd`: the clock stops here, so that
   * what is only looked for now and then is looked for too.
   */
  look(isEnd: boolean): Promise<void>;
}
