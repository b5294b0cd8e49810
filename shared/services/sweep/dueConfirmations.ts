import { inParallel } from '../../platform/parallel.ts';
import { listDueConfirmations } from '../../store/person/dueConfirmations.ts';
import { queueConfirmation } from '../confirmations/queue.ts';

const limitOfShard = 250;
const messagesAtOnce = 10;

/**
 * Queues again what was asked for and never sent: its message was lost, its worker died, or its hour of waiting is over.
 * A confirmation stays due until a worker claims it, so one that the next minute queues again is still sent once.
 */
export async function sweepDueConfirmations(now: Date): Promise<void> {
  const due = await listDueConfirmations(now, limitOfShard);
  await inParallel(messagesAtOnce, due, ({ workspaceId, email }) => queueConfirmation(workspaceId, email));
}
