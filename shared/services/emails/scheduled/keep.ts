import { ServiceError } from '../../../contract/errors.ts';
import { monthOf, plans, quotaResetsAt } from '../../../domain/sending/plan.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import { putBody } from '../../../store/files/bodies.ts';
import { addScheduled } from '../../../store/scheduled/scheduledEmails.ts';
import type { NewScheduledEmail } from '../../../store/scheduled/scheduledItem.ts';
import { getUsed } from '../../../store/sending/usage.ts';
import type { Context } from '../../context.ts';
import type { Draft } from '../draft.ts';
import { writtenBody } from './body.ts';
import { dueOf, expiryOf } from './moment.ts';

/** An email as it waits for its moment. */
export function scheduledEmail(
  { workspaceId, now }: Pick<Context, 'workspaceId' | 'now'>,
  { content }: Draft,
  id: string,
  at: Date,
): NewScheduledEmail {
  return {
    workspaceId,
    id,
    content,
    state: 'scheduled',
    scheduledAt: at.toISOString(),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    expiresAt: expiryOf(at),
    inDoubt: [],
    tries: 0,
  };
}

/** Its body: without a record, which says when, nobody sends it, and it expires. */
export const keepBody = ({ workspaceId, id }: NewScheduledEmail, { body }: Draft): Promise<void> =>
  putBody(workspaceId, id, writtenBody(body));

/** Its record, which is what makes it scheduled; false when a twin under the same key has written it. */
export const keepRecord = (email: NewScheduledEmail, now: Date): Promise<boolean> =>
  addScheduled(email, dueOf(new Date(email.scheduledAt), now));

/** It counts in the month in which it goes out: if that is this one, there must be room today already. */
export async function checkRoom({ id, plan }: Workspace, requested: number, at: Date, now: Date): Promise<void> {
  if (monthOf(at) !== monthOf(now)) return;
  const limit = plans[plan].monthlyQuota;
  const used = await getUsed(id, monthOf(now));
  if (used + requested <= limit) return;
  throw new ServiceError('quota_exceeded', { details: { limit, used, requested, resets_at: quotaResetsAt(now) } });
}
