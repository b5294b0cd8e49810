import { ServiceError } from '../../../contract/errors.ts';
import type { Result } from '../../../contract/route.ts';
import type { sendEmailRoute } from '../../../contract/routes/emails.ts';
import type { SendEmailRequest } from '../../../contract/schemas/email/request.ts';
import { addressKey } from '../../../domain/address/address.ts';
import { createId } from '../../../domain/token/identifier.ts';
import { getScheduled } from '../../../store/scheduled/scheduledEmails.ts';
import type { ScheduledEmail } from '../../../store/scheduled/scheduledItem.ts';
import { findEmail } from '../../../store/sending/emails.ts';
import { findStandings } from '../../../store/suppression/suppression.ts';
import { getWorkspace } from '../../../store/workspace/workspaces.ts';
import type { Context } from '../../context.ts';
import { composeChecked, type Draft } from '../draft.ts';
import { claimOnce, whileHolding } from '../idempotency.ts';
import { sentEmailOf } from '../reply.ts';
import { checkRoom, keepBody, keepRecord, scheduledEmail } from './keep.ts';
import { checkMoment, queueIfNear } from './moment.ts';

/** A draft with the moment at which it is to go out. */
export interface TimedDraft extends Draft {
  readonly scheduledAt: string;
}

/**
 * Keeps an email until its moment: first its body, then its record, then a message for the queue. Whoever is killed
 * between the first two has scheduled nothing, and a body that nobody names expires; between the last two, the sweeper
 * queues it. It is checked as if it went out now; its quota is taken when it does.
 */
export async function scheduleEmail(
  context: Context,
  idempotencyKey: string | undefined,
  asked: SendEmailRequest,
  draft: TimedDraft,
): Promise<Result<typeof sendEmailRoute>> {
  const { workspaceId, now } = context;
  const { body, addresses } = draft;
  const at = new Date(draft.scheduledAt);
  const emailId = createId('email', now);
  const [workspace, standings, claim] = await Promise.all([
    getWorkspace(workspaceId),
    findStandings(workspaceId, addresses.map(addressKey)),
    idempotencyKey === undefined
      ? ({ kind: 'none', emailId } as const)
      : claimOnce(workspaceId, idempotencyKey, asked, emailId, now),
  ]);
  const known = claim.kind === 'standing' ? await acceptedAs(workspaceId, claim.emailId) : null;
  if (known) return { outcome: 'replayed', output: shownAs(known, asked, at) };
  const email = scheduledEmail(context, draft, claim.emailId, at);
  const keep = async (): Promise<Result<typeof sendEmailRoute>> => {
    // Only now: the moment of a call that is made again may be past.
    checkMoment(at, now);
    if (!workspace) throw new ServiceError('internal_error');
    await composeChecked(draft, workspace, standings, false);
    await checkRoom(workspace, addresses.length, at, now);
    await keepBody(email, draft);
    const own = { ...email, subject: body.subject };
    const isOurs = await keepRecord(email, now);
    if (isOurs) await queueIfNear([email], now);
    // A twin under the same key has written it, a moment before: both have the same answer.
    const kept = isOurs ? own : ((await acceptedAs(workspaceId, email.id)) ?? own);
    return { outcome: 'accepted', output: shownAs(kept, asked, at) };
  };
  return claim.kind === 'standing' ? keep() : whileHolding(claim, keep);
}

/**
 * The answer of an earlier call under the same key, for one that cannot be made whole any more: its template is gone.
 * Throws the refusal when there was none.
 */
export async function replayScheduled(
  { workspaceId, now }: Context,
  idempotencyKey: string,
  asked: SendEmailRequest,
  refusal: unknown,
): Promise<Result<typeof sendEmailRoute>> {
  const claim = await claimOnce(workspaceId, idempotencyKey, asked, createId('email', now), now);
  if (claim.kind !== 'standing') return whileHolding(claim, () => Promise.reject(refusal));
  const known = await acceptedAs(workspaceId, claim.emailId);
  if (!known) throw refusal;
  return { outcome: 'replayed', output: shownAs(known, asked, new Date(asked.scheduled_at ?? now)) };
}

/** An email that a call has accepted. */
type Accepted = Pick<ScheduledEmail, 'id' | 'createdAt'> & { readonly subject: string };

const shownAs = ({ id, createdAt, subject }: Accepted, asked: SendEmailRequest, at: Date) => ({
  ...sentEmailOf(id, { ...asked, subject: asked.subject ?? subject }, createdAt),
  scheduled_at: at.toISOString(),
});

/** What a call before this one has accepted; null when it died before. */
async function acceptedAs(workspaceId: string, id: string): Promise<Accepted | null> {
  const scheduled = await getScheduled({ workspaceId, id });
  if (scheduled) return { id, createdAt: scheduled.createdAt, subject: scheduled.content.subject };
  const sent = await findEmail(workspaceId, id);
  return sent && { id, createdAt: sent.email.createdAt, subject: sent.email.subject };
}
