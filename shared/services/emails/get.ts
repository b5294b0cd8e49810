import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { getEmailRoute } from '../../contract/routes/emailRecords.ts';
import { isId } from '../../domain/token/identifier.ts';
import { getScheduled } from '../../store/scheduled/scheduledEmails.ts';
import { readEmail } from '../../store/sending/emails.ts';
import { outcomeWithStoryOf } from '../../store/sending/story.ts';
import type { Context } from '../context.ts';
import { detailOf } from './reading/shown.ts';
import { shownScheduled } from './scheduled/shown.ts';

/** One email with what became of each recipient. One that nobody has accepted yet does not exist, unless it is scheduled. */
export async function getEmail(
  { workspaceId }: Context,
  { id }: Input<typeof getEmailRoute>,
): Promise<Output<typeof getEmailRoute>> {
  const found = isId('email', id) ? await readEmail(workspaceId, id, outcomeWithStoryOf) : null;
  if (found?.messageIds.some(Boolean) || found?.outcomes.length) return detailOf(found);
  const scheduled = isId('email', id) ? await getScheduled({ workspaceId, id }) : null;
  if (!scheduled) throw new ServiceError('not_found');
  return shownScheduled(scheduled);
}
