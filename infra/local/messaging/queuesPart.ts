import { stopwatch } from '../../../shared/platform/clock.ts';
import type { ClockedPart, DueMoment } from '../clock/due.ts';
import type { Consumer } from './consumers.ts';
import type { PendingMessages, QueueContent } from './pendingMessages.ts';

/** A message that was received and that no worker has had for this long lost its receiver: its queue shows it again. */
const lostMilliseconds = 2000;

/**
 * The queues with their consumers. Neither end knows alone whether a message is still worked on: one that was received is
 * in a worker's hands, or on its way there, until it is deleted or put off. Dead letters have no consumer and wait for nothing.
 */
export function queuesPart(messaging: ClockedPart, consumers: readonly Consumer[]): ClockedPart {
  const byName = new Map(consumers.map((consumer) => [consumer.name, consumer]));
  const unheld = new Map<string, () => number>();

  function contentOf(queue: QueueContent, consumer: Consumer): { readonly busy: boolean; readonly due: DueMoment[] } {
    const { isRunning, putOff } = consumer.progress();
    const kind = `message of ${consumer.name}`;
    const due = queue.delayed.map((at) => ({ at, kind }));
    let busy = isRunning || queue.ready > 0;
    for (const { id, visibleAt } of queue.taken) {
      const isPutOff = putOff.has(id);
      if (isPutOff || isLost(id, isRunning)) due.push({ at: visibleAt, kind: `failed ${kind}` });
      else busy = true;
    }
    return { busy, due };
  }

  function isLost(id: string, isRunning: boolean): boolean {
    if (isRunning) unheld.delete(id);
    const elapsed = unheld.get(id) ?? stopwatch();
    unheld.set(id, elapsed);
    return !isRunning && elapsed() > lostMilliseconds;
  }

  return {
    pending: async (withDue) => {
      const { queues } = (await messaging.pending(withDue)) as PendingMessages;
      const taken = new Set(queues.flatMap((queue) => queue.taken.map(({ id }) => id)));
      for (const id of unheld.keys()) if (!taken.has(id)) unheld.delete(id);
      const contents = queues.flatMap((queue) => {
        // The names of queues begin with that of the deployment.
        const consumer = byName.get(queue.name.slice(queue.name.indexOf('-') + 1));
        return consumer ? [{ name: consumer.name, ...contentOf(queue, consumer) }] : [];
      });
      const running = consumers.filter((consumer) => consumer.progress().isRunning).map(({ name }) => name);
      const waiting = contents.filter(({ busy }) => busy).map(({ name }) => name);
      return {
        busy: [...new Set([...running, ...waiting])].map((name) => `messages of ${name}`),
        due: contents.flatMap(({ due }) => due),
        done: Object.fromEntries(consumers.map(({ name, progress }) => [name, progress().handled])),
      };
    },
    look: (isEnd) => messaging.look(isEnd),
  };
}
