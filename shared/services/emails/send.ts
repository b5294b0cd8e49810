import { ServiceError } from '../../contract/errors.ts';
import type { Input, Result } from '../../contract/route.ts';
import type { sendEmailRoute } from '../../contract/routes/emails.ts';
import type { SendEmailRequest } from '../../contract/schemas/email.ts';
import { addressKey, type Mailbox, parseMailbox } from '../../domain/address/address.ts';
import { distinctAddresses } from '../../domain/sending/envelope.ts';
import { trackingOf } from '../../domain/sending/tracking.ts';
import { createId } from '../../domain/token/identifier.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { composeMime } from '../../email/mime.ts';
import { findSuppressions } from '../../store/person/suppression.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { checkDomain, checkMessageSize, checkSuppressions, checkSuspension } from './checks.ts';
import { deliver, type Outgoing } from './deliver.ts';
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
  const [workspace, suppressions, claim] = await Promise.all([
    getWorkspace(workspaceId),
    findSuppressions(workspaceId, addresses.map(addressKey)),
    claimKeyOf(workspaceId, idempotencyKey, body, createId('email', now), now),
  ]);
  if (claim.kind === 'taken') {
    return { outcome: 'replayed', output: await replayOf(workspaceId, claim.emailId, body) };
  }
  return whileHolding(claim, async () => {
    if (!workspace) throw new ServiceError('internal_error');
    const from = mailbox(body.from);
    checkDomain(body.from, from.address, workspace.domains);
    checkSuspension(workspace.suspension);
    checkSuppressions(suppressions, claim.kind === 'resumed');
    const mime = await composeMime({
      ...headers,
      from,
      subject: body.subject,
      html: body.html,
      text: body.text,
      headers: body.headers ?? {},
      unsubscribeUrl: body.unsubscribe_url,
      attachments: body.attachments ?? [],
    });
    checkMessageSize(mime.length, body.attachments ?? []);
    const email = await deliver(outgoing(context, body, claim, addresses, workspace), mime, workspace);
    return { outcome: 'accepted', output: sentEmailOf(email.id, body, email.createdAt) };
  });
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
  workspace: Workspace,
): Outgoing {
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
    tracking: trackingOf(workspace, body.track),
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
