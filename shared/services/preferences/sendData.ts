import { addressKey, formatMailbox } from '../../domain/address/address.ts';
import { isLiftedByConsent } from '../../domain/person/consent.ts';
import type { KnownAddress } from '../../domain/person/subscriber.ts';
import { untracked } from '../../domain/sending/tracking.ts';
import { derivedIdAt } from '../../domain/token/identifier.ts';
import { dataMessage } from '../../email/dataMessage.ts';
import { composeMime } from '../../email/mime/compose.ts';
import { logger } from '../../platform/logger.ts';
import type { AskedForData } from '../../queue/confirmation.ts';
import { getAddress } from '../../store/person/people.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { sendableFrom } from '../confirmations/send.ts';
import { deliver } from '../emails/deliver.ts';
import { SendFailure } from '../emails/sendFailure.ts';
import { shownPerson } from '../rights/shown.ts';

/**
 * Sends somebody what is stored of them, as they asked by their link; a message that comes twice sends it once. Like a
 * confirmation it is an answer to the person themselves, so that having left does not stand against it, while a dead
 * address, a complaint and the platform's list do.
 */
export async function sendData({ workspaceId, email, askedAt }: AskedForData, now: Date): Promise<void> {
  const [workspace, known] = await Promise.all([getWorkspace(workspaceId), getAddress(workspaceId, email)]);
  const sender = workspace && sendableFrom(workspace);
  if (!workspace || !sender || !mayGet(known)) {
    logger.info('What is stored of somebody was asked for, and is not sent.');
    return;
  }
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
    emailId: derivedIdAt('email', new Date(askedAt), ['data', workspaceId, email].join('#')),
    attempt: 'later' as const,
    inDoubt: [],
    isStillOurs: async () => true,
    addresses: [addressKey(email)],
    content: { ...content, tags: [] },
    isQuotaExempt: true,
    tracking: untracked,
    now,
  };
  try {
    await deliver(outgoing, mime, workspace);
  } catch (error) {
    // What may be out is not sent again; what was refused the queue brings again.
    if (!(error instanceof SendFailure) || error.extent === 'nothing') throw error;
    logger.warn('What is stored of somebody may not have been sent.', { ...error.details });
  }
}

function mayGet({ person: { suppression }, platform }: KnownAddress): boolean {
  if (platform || suppression?.isErased) return false;
  return suppression === null || isLiftedByConsent(suppression.reason);
}
