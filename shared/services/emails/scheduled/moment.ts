import { ValidationError } from '../../../contract/errors.ts';
import { momentProblem } from '../../../domain/sending/scheduled.ts';
import { addSeconds, epochSeconds, secondsInDay } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import { logger } from '../../../platform/logger.ts';
import { longestDelaySeconds } from '../../../queue/delay.ts';
import { sendScheduledMessages } from '../../../queue/scheduledEmail.ts';
import type { Due } from '../../../store/scheduled/scheduledEmails.ts';
import type { NewScheduledEmail } from '../../../store/scheduled/scheduledItem.ts';

/** How long after its moment an email that was queued for it is looked for. */
export const lateSeconds = 60;

/** Throws what is wrong with the moment that a request names. */
export function checkMoment(at: Date, now: Date): void {
  const problem = momentProblem(at, now);
  if (problem) throw new ValidationError([{ path: 'scheduled_at', text: problem }]);
}

/** How long what is kept of it is kept: as of any email, from the moment that it goes out at. */
export const expiryOf = (at: Date): number => epochSeconds(at) + config('EMAIL_RETENTION_DAYS') * secondsInDay;

const isNear = (at: Date, now: Date): boolean => at.getTime() - now.getTime() <= longestDelaySeconds * 1000;

/** Within the longest delay of the queue a message waits there, exact to some seconds; beyond it the sweeper queues it. */
export const dueOf = (at: Date, now: Date): Due =>
  isNear(at, now) ? { stage: 'queued', at: addSeconds(at, lateSeconds) } : { stage: 'far', at };

/** Queues what is near. Its record says when; should this fail, the sweeper finds it a minute late. */
export async function queueIfNear(
  emails: readonly Pick<NewScheduledEmail, 'workspaceId' | 'id' | 'scheduledAt'>[],
  now: Date,
): Promise<void> {
  const messages = emails.flatMap(({ workspaceId, id, scheduledAt }) => {
    const at = new Date(scheduledAt);
    const entry = { kind: 'send' as const, workspace_id: workspaceId, email_id: id, scheduled_at: scheduledAt };
    return isNear(at, now) ? { entry, delaySeconds: (at.getTime() - now.getTime()) / 1000 } : [];
  });
  if (messages.length === 0) return;
  try {
    await sendScheduledMessages(messages);
  } catch (error) {
    logger.error('Scheduled emails could not be queued; the sweeper will.', {
      error: error as Error,
      emails: messages.map(({ entry }) => entry.email_id),
    });
  }
}
