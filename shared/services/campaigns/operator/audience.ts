import type { SubscriberStatus } from '../../../domain/person/subscriber.ts';
import type { ExclusionReason } from '../../../domain/segment/audience.ts';
import { pageOfSubscribers } from '../../../store/person/subscriberPages.ts';
import { breakDown } from '../../audience/breakdown.ts';
import { countAudience } from '../../audience/count.ts';
import type { Target } from '../../audience/select.ts';
import type { Context } from '../../context.ts';
import { requireOperator } from '../../requireOperator.ts';
import { findSegment } from '../../segments/find.ts';
import { existingWorkspace } from '../../workspaces/existing.ts';
import { offeredTag } from '../checkCampaign.ts';
import { findCampaign } from '../find.ts';

/** Somebody of the list, and why the campaign would not reach them; null where it would. */
export interface AudienceRow {
  readonly email: string;
  readonly reason: ExclusionReason | null;
}

interface Wanted {
  readonly id: string;
  readonly status?: SubscriberStatus | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * The people of the workspace, newest first, each with what a send now would make of them: judged by `select`, as the
 * send judges. A page costs the same whatever the length of the list.
 */
export async function pageOfAudience(
  context: Context,
  { id, ...wanted }: Wanted,
): Promise<{ readonly rows: readonly AudienceRow[]; readonly next: string | null }> {
  requireOperator(context, 'read');
  const { workspaceId, now } = context;
  const [target, page] = await Promise.all([targetOf(context, id), pageOfSubscribers(workspaceId, wanted)]);
  const emails = page.entries.map(({ person }) => person.email);
  const { excluded } = await breakDown({ ...target, to: emails }, now);
  const reasons = new Map(excluded.map(({ email, reason }) => [email, reason]));
  return { rows: emails.map((email) => ({ email, reason: reasons.get(email) ?? null })), next: page.next };
}

/** How many a campaign would reach now, whatever else stands in its way. */
export async function countOfCampaign(context: Context, { id }: { readonly id: string }): Promise<number> {
  requireOperator(context, 'read');
  return countAudience(await targetOf(context, id), context.now);
}

async function targetOf({ workspaceId }: Context, id: string): Promise<Target> {
  const [{ segmentId, tag }, workspace] = await Promise.all([
    findCampaign(workspaceId, id),
    existingWorkspace(workspaceId),
  ]);
  const segment = segmentId === null ? null : await findSegment(workspaceId, segmentId);
  return { workspaceId, rule: segment?.rule ?? null, to: null, tag: offeredTag(workspace, tag) };
}
