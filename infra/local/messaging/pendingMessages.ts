import type { SqsStore } from 'fauxqs/parts';
import type { PendingWork } from '../clock/due.ts';

/** What a queue holds, for the clock. Times are milliseconds since the epoch. */
export interface QueueContent {
  readonly name: string;
  /** Messages that a receive would get now. */
  readonly ready: number;
  /** When delayed messages come, the first ones of them. */
  readonly delayed: readonly number[];
  /** Received and not deleted: in the hands of a worker, or put off by one. */
  readonly taken: readonly { readonly id: string; readonly visibleAt: number }[];
}

/** The queues as a part of the clock cannot judge them alone: `queuesPart` knows which have a consumer. */
export interface PendingMessages extends PendingWork {
  readonly queues: readonly QueueContent[];
}

const longestList = 500;

export function pendingMessages(store: SqsStore): PendingMessages {
  const queues = [...store.allQueues()].map((queue) => {
    // What has become due meanwhile counts as ready.
    queue.processTimers();
    const { ready, delayed, inflight } = queue.inspectMessages();
    const times = delayed.map(({ delayUntil = 0 }) => delayUntil).sort((one, other) => one - other);
    return {
      name: queue.name,
      ready: ready.length,
      delayed: times.slice(0, longestList),
      taken: inflight.map(({ message, visibilityDeadline }) => ({
        id: message.messageId,
        visibleAt: visibilityDeadline,
      })),
    };
  });
  return {
    busy: [],
    due: [],
    done: {},
    queues: queues.filter((queue) => queue.ready + queue.delayed.length + queue.taken.length > 0),
  };
}
