import { addressKey, formatMailbox } from '../../domain/address/address.ts';
import {
  claimConfirmation,
  dropConfirmation,
  isClaimed,
  isOutdated,
  markConfirmationSent,
  noteFailure,
  noteRefusal,
  postponeConfirmation,
} from '../../domain/person/confirmation.ts';
import { isLiftedByConsent } from '../../domain/person/consent.ts';
import type { Confirmation, KnownAddress, Person } from '../../domain/person/subscriber.ts';
import { untracked } from '../../domain/sending/tracking.ts';
import type { Sender, Workspace } from '../../domain/workspace/workspace.ts';
import { confirmationMessage } from '../../email/confirmationMessage.ts';
import { composeMime } from '../../email/mime/compose.ts';
import { logger } from '../../platform/logger.ts';
import { findEmail } from '../../store/sending/emails.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { checkDomain, checkSuspension } from '../emails/checks.ts';
import { deliver } from '../emails/deliver.ts';
import { endOf } from '../emails/idempotency.ts';
import { SendFailure } from '../emails/sendFailure.ts';
import { changePerson } from '../subscribers/change.ts';
import { confirmationEmailId } from './identifier.ts';
import { createConfirmLink } from './link.ts';
import { defaultSender } from './sender.ts';

/** What a worker may send: it holds the claim on this round. */
interface Held {
  readonly person: Person;
  readonly confirmation: Confirmation;
  /** True when an earlier worker died with the claim: its message may be out. */
  readonly resumed: boolean;
}

/**
 * Sends the confirmation that a person is owed, once, however often and by however many workers this is begun. What
 * cannot leave now (a suspension, a refusal of the provider) is put off, and given up when its link would have expired.
 */
export async function sendConfirmation(workspaceId: string, email: string, now: Date): Promise<void> {
  const workspace = await getWorkspace(workspaceId);
  const sender = workspace && sendableFrom(workspace);
  const held = await changePerson({ workspaceId, email }, 'form', now, (address) =>
    take(address, sender !== null, now),
  );
  if (!held || !workspace || !sender) return;
  const { id, round } = held.confirmation;
  const note = (how: (person: Person) => Person) =>
    changePerson({ workspaceId, email }, 'form', now, ({ person }) => ({ person: how(person), result: undefined }));
  const outcome = await deliverConfirmation(held, workspace, sender, now).catch(async (error: unknown) => {
    // When this fails too, the try counts as one of unknown end.
    await note((person) => noteFailure(person, id, round)).catch(() => {});
    throw error;
  });
  if (outcome === 'sent') await note((person) => markConfirmationSent(person, id, round, now));
  if (outcome === 'refused') await note((person) => noteRefusal(person, id, round, now));
}

/** Who a message of the service's own comes from: rules 1 and 4 hold for these too. Null when none may go out. */
export function sendableFrom(workspace: Workspace): Sender | null {
  const sender = defaultSender(workspace);
  try {
    if (sender) checkDomain(sender.email, sender.email, workspace.domains);
    checkSuspension(workspace.suspension);
    return sender;
  } catch {
    return null;
  }
}

/** Claims the round, puts it off, or drops it: whatever else, one decision and one write. */
async function take(
  { person, platform }: KnownAddress,
  maySend: boolean,
  now: Date,
): Promise<{ person: Person; result: Held | null }> {
  const { confirmation, suppression } = person;
  if (!confirmation || confirmation.sentAt) return { person, result: null };
  if (platform || (suppression && !isLiftedByConsent(suppression.reason))) {
    return { person: dropConfirmation(person), result: null };
  }
  if (isOutdated(new Date(confirmation.requestedAt), now)) return { person: dropConfirmation(person), result: null };
  if (!maySend) return { person: postponeConfirmation(person, confirmation, now), result: null };
  if (isClaimed(confirmation, now)) return { person, result: null };
  const end = await endOfTry(confirmation, now);
  if (end === 'given up' && confirmation.isRepeated) {
    return { person: await awaitWord(person, confirmation, now), result: null };
  }
  const isRepeated = end === 'given up' || (end === 'known' && confirmation.isRepeated === true);
  const claimed = claimConfirmation(person, confirmation, isRepeated, now);
  return { person: claimed, result: { person, confirmation, resumed: confirmation.claimedAt !== null } };
}

/** What is known of the worker before. */
async function endOfTry({ claimedAt, isEndKnown }: Confirmation, now: Date) {
  return claimedAt === null || isEndKnown ? 'known' : endOf(Date.parse(claimedAt), now);
}

/** Two messages may be out: there is no third, unless the provider's words on later ones show that neither is. */
async function awaitWord(person: Person, confirmation: Confirmation, now: Date): Promise<Person> {
  const { id, round } = confirmation;
  const known = await findEmail(person.workspaceId, confirmationEmailId(person, confirmation));
  return known ? markConfirmationSent(person, id, round, now) : postponeConfirmation(person, confirmation, now);
}

async function deliverConfirmation(
  { person, confirmation, resumed }: Held,
  workspace: Workspace,
  sender: Sender,
  now: Date,
): Promise<'sent' | 'refused' | 'unknown'> {
  const { workspaceId, email } = person;
  const from = { name: sender.name ?? workspace.name, address: sender.email };
  const link = await createConfirmLink(person, confirmation);
  const message = confirmationMessage(workspace.language, workspace.name, link);
  const mime = await composeMime({
    ...message,
    from,
    to: [{ name: null, address: email }],
    cc: [],
    replyTo: [],
    headers: { 'Auto-Submitted': 'auto-generated' },
    unsubscribeUrl: undefined,
    attachments: [],
  });
  const emailId = confirmationEmailId(person, confirmation);
  const outgoing = {
    workspaceId,
    emailId,
    attempt: resumed ? ('later' as const) : ('first' as const),
    // Nobody is told how it ended: what is refused now is put off, whatever an earlier worker left in doubt.
    inDoubt: [],
    isStillOurs: async () => true,
    addresses: [addressKey(email)],
    content: {
      from: formatMailbox(from),
      to: [email],
      cc: [],
      bcc: [],
      replyTo: [],
      subject: message.subject,
      tags: [],
    },
    isQuotaExempt: true,
    tracking: untracked,
    now,
  };
  try {
    await deliver(outgoing, mime, workspace);
    return 'sent';
  } catch (error) {
    if (!(error instanceof SendFailure)) throw error;
    logger.warn('A confirmation did not go out.', { email_id: emailId, extent: error.extent, ...error.details });
    return error.extent === 'unknown' ? 'unknown' : 'refused';
  }
}
