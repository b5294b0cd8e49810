import { ServiceError } from '../../contract/errors.ts';
import type { Input, Output, Result } from '../../contract/route.ts';
import type { sendEmailRoute } from '../../contract/routes/emails.ts';
import type { SendEmailRequest } from '../../contract/schemas/emailRequest.ts';
import { addressKey } from '../../domain/address.ts';
import { createId } from '../../domain/identifier.ts';
import { stopwatch } from '../../platform/clock.ts';
import { findEmail } from '../../store/emails/email.ts';
import { findRecipientStates } from '../../store/person/suppressions.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { isSendingHeld } from '../sendingHold.ts';
import { deliver } from './deliver.ts';
import { claimKeyOf, isStillOurs, whileHolding } from './idempotency.ts';
import { type CompleteEmail, completeEmail, isComplete, templatesOf, uploadsOf } from './internal/completeEmail.ts';
import { composeChecked, draftOf, sentEmailOf } from './internal/draft.ts';
import { keepingForRate } from './internal/keepForRate.ts';
import { replayScheduled, scheduleEmail, storedAs } from './internal/scheduleEmail.ts';

/**
 * Sends one email to all its recipients or to none, or keeps it until its `scheduled_at`, or until SES's rate allows it. `shared/http/endpoint.ts` has
 * authorised the caller and parsed the request. The steps here: complete the request, claim its Idempotency-Key, check
 * the rules, deliver. What a crash leaves behind is described in docs/design/sending.md.
 */
export async function sendEmail(
  context: Context,
  { idempotencyKey, ...request }: Input<typeof sendEmailRoute>,
): Promise<Result<typeof sendEmailRoute>> {
  const { workspaceId, now } = context;
  if (isComplete(request)) return sendComplete(context, idempotencyKey, request, request);
  const lookups = { templates: templatesOf(workspaceId), uploads: uploadsOf(workspaceId, now) };
  let email: CompleteEmail;
  try {
    email = await completeEmail(request, lookups);
  } catch (error) {
    return replayOrThrow(context, idempotencyKey, request, error);
  }
  return sendComplete(context, idempotencyKey, request, email);
}

/** If a template or file no longer exists, the same request may have been sent before: then its result is replayed. */
async function replayOrThrow(
  context: Context,
  idempotencyKey: string | undefined,
  request: SendEmailRequest,
  error: unknown,
): Promise<Result<typeof sendEmailRoute>> {
  const { workspaceId, now } = context;
  if (idempotencyKey === undefined) throw error;
  if (request.scheduled_at !== undefined) return replayScheduled(context, idempotencyKey, request, error);
  const claim = await claimKeyOf(workspaceId, idempotencyKey, request, createId('email', now), now);
  if (claim.kind === 'taken') {
    return { outcome: 'replayed', output: await replayOf(workspaceId, claim.emailId, request) };
  }
  return whileHolding(claim, () => Promise.reject(error));
}

/** A repeated call is recognised by the original request; the completed email is what is sent. */
async function sendComplete(
  context: Context,
  idempotencyKey: string | undefined,
  request: SendEmailRequest,
  email: CompleteEmail,
): Promise<Result<typeof sendEmailRoute>> {
  const { workspaceId, now } = context;
  const draft = draftOf(email);
  const { scheduled_at: scheduledAt } = request;
  if (scheduledAt !== undefined) return scheduleEmail(context, idempotencyKey, request, { ...draft, scheduledAt });
  const emailId = createId('email', now);
  const age = stopwatch();
  const [workspace, recipients, claim] = await Promise.all([
    getWorkspace(workspaceId),
    findRecipientStates(workspaceId, draft.addresses.map(addressKey)),
    idempotencyKey === undefined
      ? ({ kind: 'none', emailId } as const)
      : claimKeyOf(workspaceId, idempotencyKey, request, emailId, now),
    // Asked for together with the rest, and used by `deliver`.
    isSendingHeld(),
  ]);
  if (claim.kind === 'taken') {
    return { outcome: 'replayed', output: await replayOf(workspaceId, claim.emailId, request) };
  }
  return whileHolding(claim, async () => {
    if (!workspace) throw new ServiceError('internal_error');
    const isLaterCall = claim.kind === 'resumed';
    const { mime, tracking, recipientCheck } = await composeChecked(draft, workspace, recipients, { isLaterCall, age });
    const outgoing = {
      workspaceId,
      emailId: claim.emailId,
      attempt: attemptKinds[claim.kind],
      inDoubt: claim.kind === 'none' ? [] : claim.claim.inDoubt,
      isStillOurs: () => isStillOurs(claim),
      addresses: draft.addresses,
      content: draft.content,
      tracking,
      recipientCheck,
      deferral: keepingForRate(draft, now),
      now,
    };
    const { id, createdAt, wasSent } = await deliver(outgoing, mime, workspace);
    // Its Send event came after the key was read.
    if (wasSent) return { outcome: 'replayed', output: await replayOf(workspaceId, id, request) };
    return { outcome: 'accepted', output: sentEmailOf(id, email, createdAt) };
  });
}

const attemptKinds = { none: 'only', fresh: 'first', resumed: 'later' } as const;

/** The result of the earlier call, rebuilt from its email, which is sent or kept. */
async function replayOf(
  workspaceId: string,
  emailId: string,
  request: SendEmailRequest,
): Promise<Output<typeof sendEmailRoute>> {
  const known = (await findEmail(workspaceId, emailId))?.email ?? (await storedAs(workspaceId, emailId));
  if (!known) throw new ServiceError('internal_error');
  // Without a subject in the request it came from the template, which may have changed since.
  const subject = request.subject ?? known.subject;
  return sentEmailOf(emailId, { ...request, subject }, known.createdAt);
}
