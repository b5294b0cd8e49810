import { ServiceError } from '../../contract/errors.ts';
import type { Input, Result } from '../../contract/route.ts';
import type { sendEmailRoute } from '../../contract/routes/emails.ts';
import type { SendEmailRequest } from '../../contract/schemas/email.ts';
import { addressKey, type Mailbox, parseMailbox } from '../../domain/address/address.ts';
import { distinctAddresses } from '../../domain/sending/envelope.ts';
import { trackingOf } from '../../domain/sending/tracking.ts';
import { createId } from '../../domain/token/identifier.ts';
import { composeMime } from '../../email/mime.ts';
import { findSuppressions } from '../../store/suppression/suppression.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { checkDomain, checkMessageSize, checkSuppressions, checkSuspension } from './checks.ts';
import { deliver, newEmail, type Outgoing } from './deliver.ts';
import { type EarlyReservation, reserveEarly } from './earlyReservation.ts';
import { claimKeyOf, freeClaim, type HeldClaim, isStillOurs, replayOf } from './idempotency.ts';
import { sentEmailOf } from './reply.ts';

/** Sends one email to all its recipients or to none; see docs/decisions/0001-shape.md for what a crash leaves behind. */
export async function sendEmail(
  context: Context,
  { idempotencyKey, ...body }: Input<typeof sendEmailRoute>,
): Promise<Result<typeof sendEmailRoute>> {
  const { workspaceId, now } = context;
  const headers = recipientsOf(body);
  const addresses = distinctAddresses([...headers.to, ...headers.cc, ...headers.bcc].map(({ address }) => address));
  const emailId = createId('email', now);
  const unclaimed = { kind: 'none', emailId } as const;
  // Under a key it is not known yet which email this is.
  const early =
    idempotencyKey === undefined
      ? reserveEarly(newEmail(outgoing(context, body, unclaimed, addresses)), addresses, now)
      : null;
  return givingBack(early, async () => {
    const [workspace, suppressions, claim] = await Promise.all([
      getWorkspace(workspaceId),
      findSuppressions(workspaceId, addresses.map(addressKey)),
      idempotencyKey === undefined ? unclaimed : claimKeyOf(workspaceId, idempotencyKey, body, emailId, now),
    ]);
    if (claim.kind === 'taken') {
      return { outcome: 'replayed', output: await replayOf(workspaceId, claim.emailId, body) };
    }
    return whileHolding(claim, async () => {
      if (!workspace) throw new ServiceError('internal_error');
      checkDomain(body.from, mailbox(body.from).address, workspace.domains);
      checkSuspension(workspace.suspension);
      checkSuppressions(suppressions, claim.kind === 'resumed');
      const mime = await compose(body, headers);
      checkMessageSize(mime.length, body.attachments ?? []);
      const tracking = trackingOf(workspace, body.track);
      const email = await deliver({ ...outgoing(context, body, claim, addresses), early, tracking }, mime, workspace);
      return { outcome: 'accepted', output: sentEmailOf(email.id, body, email.createdAt) };
    });
  });
}

const compose = (body: SendEmailRequest, headers: ReturnType<typeof recipientsOf>): Promise<Uint8Array> =>
  composeMime({
    ...headers,
    from: mailbox(body.from),
    subject: body.subject,
    html: body.html,
    text: body.text,
    headers: body.headers ?? {},
    unsubscribeUrl: body.unsubscribe_url,
    attachments: body.attachments ?? [],
  });

/** A call that is refused gives back what it reserved early. */
async function givingBack<T>(early: EarlyReservation | null, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    await early?.giveBack();
    throw error;
  }
}

/** A refusal frees the Idempotency-Key, so that the call can be corrected; what may have gone out keeps it. */
async function whileHolding<T>(claim: HeldClaim, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    await freeClaim(claim, error);
    throw error;
  }
}

const attempts = { none: 'only', fresh: 'first', resumed: 'later' } as const;

function outgoing(
  { workspaceId, now }: Context,
  body: SendEmailRequest,
  claim: HeldClaim,
  addresses: readonly string[],
): Omit<Outgoing, 'tracking'> {
  const list = (value: string | string[] | undefined) => (value === undefined ? [] : [value].flat());
  return {
    workspaceId,
    emailId: claim.emailId,
    attempt: attempts[claim.kind],
    inDoubt: claim.kind === 'none' ? [] : claim.claim.inDoubt,
    isStillOurs: () => isStillOurs(claim),
    addresses,
    content: {
      from: body.from,
      to: list(body.to),
      cc: list(body.cc),
      bcc: list(body.bcc),
      replyTo: list(body.reply_to ?? body.replyTo),
      subject: body.subject,
      tags: body.tags ?? [],
    },
    now,
  };
}

function recipientsOf(body: SendEmailRequest) {
  const list = (value: string | string[] | undefined) => (value === undefined ? [] : [value].flat().map(mailbox));
  return { to: list(body.to), cc: list(body.cc), bcc: list(body.bcc), replyTo: list(body.reply_to ?? body.replyTo) };
}

/** The request was validated: what does not parse here is a fault of ours. */
function mailbox(text: string): Mailbox {
  const result = parseMailbox(text);
  if (!result.ok) throw new Error(`A validated mailbox did not parse: ${result.problem}`);
  return result.mailbox;
}
