import { ServiceError } from '../../contract/errors.ts';
import type { Input, Result } from '../../contract/route.ts';
import type { sendEmailRoute } from '../../contract/routes/emails.ts';
import type { SendEmailRequest } from '../../contract/schemas/email/request.ts';
import { addressKey } from '../../domain/address/address.ts';
import { createId } from '../../domain/token/identifier.ts';
import { findStandings } from '../../store/suppression/suppression.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { completed } from './completing/complete.ts';
import { templatesOf } from './completing/template.ts';
import { uploadsOf } from './completing/uploads.ts';
import type { WholeEmail } from './completing/wholeEmail.ts';
import { deliver, newEmail, type Outgoing } from './deliver.ts';
import { composeChecked, type Draft, draftOf } from './draft.ts';
import { type EarlyReservation, reserveEarly } from './earlyReservation.ts';
import { claimKeyOf, type HeldClaim, isStillOurs, replayOf, whileHolding } from './idempotency.ts';
import { sentEmailOf } from './reply.ts';
import { replayScheduled, scheduleEmail } from './scheduled/schedule.ts';

/** Sends one email to all its recipients or to none; see docs/decisions/0001-shape.md for what a crash leaves behind. */
export async function sendEmail(
  context: Context,
  { idempotencyKey, ...body }: Input<typeof sendEmailRoute>,
): Promise<Result<typeof sendEmailRoute>> {
  let whole: WholeEmail;
  try {
    whole = await completed(body, lookupsOf(context));
  } catch (error) {
    return replayOrRefuse(context, idempotencyKey, body, error);
  }
  return sendWhole(context, idempotencyKey, body, whole);
}

const lookupsOf = ({ workspaceId, now }: Context) => ({
  templates: templatesOf(workspaceId),
  uploads: uploadsOf(workspaceId, now),
});

/** What cannot be made whole any more, since a template or a file is gone, may have been sent before under the same key. */
async function replayOrRefuse(
  context: Context,
  idempotencyKey: string | undefined,
  body: SendEmailRequest,
  refusal: unknown,
): Promise<Result<typeof sendEmailRoute>> {
  const { workspaceId, now } = context;
  if (idempotencyKey === undefined) throw refusal;
  if (body.scheduled_at !== undefined) return replayScheduled(context, idempotencyKey, body, refusal);
  const claim = await claimKeyOf(workspaceId, idempotencyKey, body, createId('email', now), now);
  if (claim.kind === 'taken') {
    return { outcome: 'replayed', output: await replayOf(workspaceId, claim.emailId, body) };
  }
  return whileHolding(claim, () => Promise.reject(refusal));
}

/** What was asked tells two calls under one key apart; what it was made into is sent. */
async function sendWhole(
  context: Context,
  idempotencyKey: string | undefined,
  body: SendEmailRequest,
  whole: WholeEmail,
): Promise<Result<typeof sendEmailRoute>> {
  const { workspaceId, now } = context;
  const draft = draftOf(whole);
  const { scheduled_at: scheduledAt } = body;
  if (scheduledAt !== undefined) return scheduleEmail(context, idempotencyKey, body, { ...draft, scheduledAt });
  const { addresses } = draft;
  const emailId = createId('email', now);
  const unclaimed = { kind: 'none', emailId } as const;
  // Under a key it is not known yet which email this is.
  const early =
    idempotencyKey === undefined ? reserveEarly(newEmail(outgoing(context, draft, unclaimed)), addresses, now) : null;
  return givingBack(early, async () => {
    const [workspace, standings, claim] = await Promise.all([
      getWorkspace(workspaceId),
      findStandings(workspaceId, addresses.map(addressKey)),
      idempotencyKey === undefined ? unclaimed : claimKeyOf(workspaceId, idempotencyKey, body, emailId, now),
    ]);
    if (claim.kind === 'taken') {
      return { outcome: 'replayed', output: await replayOf(workspaceId, claim.emailId, body) };
    }
    return whileHolding(claim, async () => {
      if (!workspace) throw new ServiceError('internal_error');
      const { mime, tracking } = await composeChecked(draft, workspace, standings, claim.kind === 'resumed');
      const email = await deliver({ ...outgoing(context, draft, claim), early, tracking }, mime, workspace);
      return { outcome: 'accepted', output: sentEmailOf(email.id, whole, email.createdAt) };
    });
  });
}

/** A call that is refused gives back what it reserved early. */
async function givingBack<T>(early: EarlyReservation | null, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    await early?.giveBack();
    throw error;
  }
}

const attempts = { none: 'only', fresh: 'first', resumed: 'later' } as const;

function outgoing(
  { workspaceId, now }: Context,
  { addresses, content }: Draft,
  claim: HeldClaim,
): Omit<Outgoing, 'tracking'> {
  return {
    workspaceId,
    emailId: claim.emailId,
    attempt: attempts[claim.kind],
    inDoubt: claim.kind === 'none' ? [] : claim.claim.inDoubt,
    isStillOurs: () => isStillOurs(claim),
    addresses,
    content,
    now,
  };
}
