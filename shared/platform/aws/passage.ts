import { AsyncLocalStorage } from 'node:async_hooks';
import { currentDeadline, DeadlineExceeded } from '../deadline.ts';

/** Where a request is. Until `answering` begins, not one byte of it has gone out. */
export type Phase = 'waiting' | 'connecting' | 'answering' | 'reading';

/** Milliseconds that each phase may last; the time spent in one is not charged to another. */
export type Limits = Readonly<Record<Phase, number>>;

const phases: Record<Phase, { readonly code: string; readonly text: string }> = {
  waiting: { code: 'ConnectionPoolTimeout', text: 'No connection of the pool came free' },
  connecting: { code: 'ConnectionTimeout', text: 'The connection was not established' },
  answering: { code: 'TimeoutError', text: 'The answer did not begin' },
  reading: { code: 'TimeoutError', text: 'The answer did not end' },
};

/** The SDK knows by the name of this error that its request may be tried again. */
class PhaseTimeout extends Error {
  override readonly name = 'TimeoutError';
  readonly code: string;

  constructor(phase: Phase, milliseconds: number) {
    super(`${phases[phase].text} within ${milliseconds} ms.`);
    this.code = phases[phase].code;
  }
}

/** Nobody knows what became of the request. The SDK knows by this code that it may be tried again. */
export class ConnectionClosed extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('The connection was closed before the answer was read.');
  }
}

/** One request on its way to AWS. */
export class Passage {
  readonly #limits: Limits;
  readonly #deadline = currentDeadline();
  readonly #controller = new AbortController();
  /** Ends the request: a phase lasted too long, the deadline came, or the connection closed without an answer. */
  readonly signal = this.#controller.signal;
  #phase: Phase | 'ended' = 'waiting';
  #isOut = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
    // `AbortSignal.any` is dearer than all else here, and leaves its work to the garbage collector.
    if (this.#deadline.signal?.aborted) this.#expire();
    else this.#deadline.signal?.addEventListener('abort', this.#expire);
    this.#watch('waiting');
  }

  /** True once bytes of the request may have gone out. */
  get isOut(): boolean {
    return this.#isOut;
  }

  /**
   * A request whose time is over meanwhile ends here, before anything of it goes out. An answer that is here is read all
   * the same, and what does not come of it ends with the deadline's own timer: whoever has a half-read answer taken from
   * under him waits for ever, or takes it for an empty one.
   */
  enter(phase: Phase): void {
    if (this.#phase === 'ended') return;
    if (phase !== 'reading' && this.#deadline.remainingMilliseconds() <= 0) {
      this.#controller.abort(new DeadlineExceeded());
      return;
    }
    this.#phase = phase;
    this.#isOut ||= phase === 'answering';
    this.#watch(phase);
  }

  /** The request is over. Node says nothing more of one that was answered by a change of protocol (101). */
  end(): void {
    if (this.#phase !== 'reading' && this.#phase !== 'ended') this.#controller.abort(new ConnectionClosed());
    this.#phase = 'ended';
    clearTimeout(this.#timer);
    this.#deadline.signal?.removeEventListener('abort', this.#expire);
  }

  readonly #expire = () => this.#controller.abort(this.#deadline.signal?.reason);

  /** What has arrived is read first: that this process was busy or frozen does not make the other side late. */
  #watch(phase: Phase): void {
    const limit = this.#limits[phase];
    const expire = () => {
      if (this.#phase === phase) this.#controller.abort(new PhaseTimeout(phase, limit));
    };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => setImmediate(expire), limit);
  }
}

/** The request that is being made: the handler opens it, the agent that finds its connection follows it. */
export const passages = new AsyncLocalStorage<Passage>();
