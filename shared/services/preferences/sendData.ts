import { addressKey, formatMailbox } from '../../domain/address/address.ts';
import { isLiftedByConsent } from '../../domain/person/consent.ts';
import type { KnownAddress } from '../../domain/person/subscriber.ts';
import { untracked } from '../../domain/sending/tracking.ts';
import { createId } from '../../domain/token/identifier.ts';
import type { Sender, Workspace } from '../../domain/workspace/workspace.ts';
import { dataMessage } from '../../email/dataMessage.ts';
import { composeMime } from '../../email/mime/compose.ts';
import { gatewayMilliseconds, withDeadline } from '../../platform/deadline.ts';
import { logger } from '../../platform/logger.ts';
import type { AskedForData } from '../../queue/confirmation.ts';
import { getAddress } from '../../store/person/people.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { sendableFrom } from '../confirmations/send.ts';
import { deliver } from '../emails/deliver.ts';
import { claimKeyOf, type HeldClaim, isStillOurs, whileHolding } from '../emails/idempotency.ts';
import { shownPerson } from '../rights/shown.ts';

/**
 * Sends somebody what is stored of them, as they asked by their link. Like a confirmation it is an answer to the person
 * themselves, so that having left does not stand against it, while a dead address, a complaint and the platform's list
 * do. However often a message comes, and to however many workers at once, one mail goes out: what was asked for is
 * claimed as an Idempotency-Key is. Throws `conflict` while another is at work on it, or the provider's word on what they
 * did may still come: the queue brings it again.
 */
export async function sendData(asked: AskedForData, now: Date): Promise<void> {
  const { workspaceId, email } = asked;
  const [workspace, known] = await Promise.all([getWorkspace(workspaceId), getAddress(workspaceId, email)]);
  const sender = workspace && sendableFrom(workspace);
  if (!workspace || !sender || !mayGet(known)) {
    logger.info('What is stored of somebody was asked for, and is not sent.');
    return;
  }
  const claim = await claimKeyOf(workspaceId, keyOf(asked), asked, createId('email', now), now);
  if (claim.kind === 'taken') return;
  if (claim.claim.inDoubt.length > 0) {
    logger.warn('What is stored of somebody may have been sent, and is not sent again.', { email_id: claim.emailId });
    return;
  }
  // What a claim is taken over by rests on: whoever holds one sends within the time of a call, or not at all.
  await withDeadline(gatewayMilliseconds, () =>
    whileHolding(claim, () => deliverData({ known, workspace, sender, claim, now })),
  );
}

/** What no caller's Idempotency-Key can be: theirs are printable. */
const keyOf = ({ kind, email, askedAt }: AskedForData): string => [kind, email, askedAt].join('\n');

interface DataToSend {
  readonly known: KnownAddress;
  readonly workspace: Workspace;
  readonly sender: Sender;
  readonly claim: HeldClaim;
  readonly now: Date;
}

async function deliverData({ known, workspace, sender, claim, now }: DataToSend): Promise<void> {
  const { workspaceId, email } = known.person;
  const from = { name: sender.name ?? workspace.name, address: sender.email };
  const head = { object: 'person', email, workspace: workspace.name, exported_at: now.toISOString() };
  const stored = { ...head, ...(await shownPerson(known)) };
  const message = dataMessage(workspace.language, workspace.name, email, stored);
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
    workspaceId,
    emailId: claim.emailId,
    attempt: claim.kind === 'fresh' ? ('first' as const) : ('later' as const),
    inDoubt: [],
    isStillOurs: () => isStillOurs(claim),
    addresses: [addressKey(email)],
    content: { ...content, tags: [] },
    isQuotaExempt: true,
    tracking: untracked,
    now,
  };
  await deliver(outgoing, mime, workspace);
}

function mayGet({ person: { suppression }, platform }: KnownAddress): boolean {
  if (platform || suppression?.isErased) return false;
  return suppression === null || isLiftedByConsent(suppression.reason);
}
