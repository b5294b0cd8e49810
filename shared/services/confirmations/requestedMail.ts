import { ServiceError } from '../../contract/errors.ts';
import { addressKey, formatMailbox } from '../../domain/address.ts';
import { createId } from '../../domain/identifier.ts';
import { isLiftedByConsent } from '../../domain/person/consent.ts';
import type { KnownAddress } from '../../domain/person/person.ts';
import { untracked } from '../../domain/sending/email.ts';
import type { Sender, Workspace } from '../../domain/workspace/workspace.ts';
import { composeMime } from '../../email/composeMime.ts';
import { stopwatch } from '../../platform/clock.ts';
import { gatewayMilliseconds, withDeadline } from '../../platform/deadline.ts';
import { logger } from '../../platform/logger.ts';
import type { AskedForData, AskedToReturn } from '../../queue/confirmation.ts';
import { getAddress } from '../../store/person/people.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { RecipientCheck } from '../emails/checks.ts';
import { deliver } from '../emails/deliver.ts';
import { claimKeyOf, isStillOurs, type SendClaim, whileHolding } from '../emails/idempotency.ts';
import { sendableFrom } from './sendConfirmation.ts';
import { serviceMailDays } from './serviceMailDays.ts';

type Request = AskedForData | AskedToReturn;

interface Requester {
  readonly workspace: Workspace;
  readonly known: KnownAddress;
}

interface RequestedMessage {
  readonly subject: string;
  readonly text: string;
  readonly attachments: Parameters<typeof composeMime>[0]['attachments'];
}

/**
 * Mails what a person requested by their link. It is also sent to a person who has unsubscribed, but not after a bounce
 * or complaint, or to an address on the platform's list. The request is claimed like an Idempotency-Key, so repeated and
 * concurrent messages send one mail. Throws `conflict` while another worker holds the claim or SES's events on its
 * attempt may still arrive; the queue then delivers the message again.
 */
export async function sendRequested(
  request: Request,
  now: Date,
  write: (requester: Requester) => Promise<RequestedMessage>,
): Promise<void> {
  const { workspaceId, email, kind } = request;
  const recipientCheck = new RecipientCheck(stopwatch(), async () => {
    if (!mayReceive(await getAddress(workspaceId, email))) throw new ServiceError('suppressed_recipient');
    return untracked;
  });
  const [workspace, known] = await Promise.all([getWorkspace(workspaceId), getAddress(workspaceId, email)]);
  const sender = workspace && sendableFrom(workspace);
  if (!workspace || !sender || !mayReceive(known)) {
    logger.info('What a person requested is not sent.', { kind });
    return;
  }
  const claim = await claimKeyOf(workspaceId, keyOf(request), request, createId('email', now), now);
  if (claim.kind === 'taken') return;
  if (claim.claim.inDoubt.length > 0) {
    logger.warn('What a person requested may have been sent, and is not sent again.', {
      email_id: claim.emailId,
      kind,
    });
    return;
  }
  // Another worker may take over a claim after the time of an API call, so nothing may be sent later than that.
  await withDeadline(gatewayMilliseconds, () =>
    whileHolding(claim, async () => {
      const message = await write({ workspace, known });
      await deliverMessage(message, { workspace, sender, email, claim, recipientCheck, now });
    }),
  );
}

/** Contains line breaks, so that it is never equal to a caller's Idempotency-Key. */
const keyOf = ({ kind, email, askedAt }: Request): string => [kind, email, askedAt].join('\n');

interface MessageToSend {
  readonly workspace: Workspace;
  readonly sender: Sender;
  readonly email: string;
  readonly claim: SendClaim;
  readonly recipientCheck: RecipientCheck;
  readonly now: Date;
}

async function deliverMessage(
  message: RequestedMessage,
  { workspace, sender, email, claim, recipientCheck, now }: MessageToSend,
): Promise<void> {
  const from = { name: sender.name ?? workspace.name, address: sender.email };
  const mime = await composeMime({
    ...message,
    from,
    to: [{ name: null, address: email }],
    cc: [],
    replyTo: [],
    html: undefined,
    headers: { 'Auto-Submitted': 'auto-replied' },
    unsubscribeUrl: undefined,
  });
  const content = { from: formatMailbox(from), to: [email], cc: [], bcc: [], replyTo: [], subject: message.subject };
  const outgoing = {
    workspaceId: workspace.id,
    emailId: claim.emailId,
    attempt: claim.kind === 'fresh' ? ('first' as const) : ('later' as const),
    inDoubt: [],
    isStillOurs: () => isStillOurs(claim),
    addresses: [addressKey(email)],
    content: { ...content, tags: [] },
    isQuotaExempt: true,
    keptDays: serviceMailDays(),
    tracking: untracked,
    recipientCheck,
    now,
  };
  await deliver(outgoing, mime, workspace);
}

function mayReceive({ person: { suppression }, platform }: KnownAddress): boolean {
  if (platform || suppression?.isErased) return false;
  return suppression === null || isLiftedByConsent(suppression.reason);
}
