import { ServiceError } from '../../contract/errors.ts';
import { addressKey, formatMailbox } from '../../domain/address.ts';
import { derivedId } from '../../domain/identifier.ts';
import {
  awaitRelease,
  claimConfirmation,
  dropConfirmation,
  isClaimed,
  isLiftedByConsent,
  isOutdated,
  markConfirmationSent,
  maxUnanswered,
  noteFailure,
  noteHold,
  noteRefusal,
  postponeConfirmation,
  silenceConfirmation,
  silentDays,
} from '../../domain/person/consent.ts';
import type { Confirmation, KnownAddress, Person } from '../../domain/person/person.ts';
import { type Tracking, untracked } from '../../domain/sending/email.ts';
import { defaultSender, isPaused, type Sender, type Workspace } from '../../domain/workspace/workspace.ts';
import { composeMime } from '../../email/composeMime.ts';
import { confirmationMessage } from '../../email/serviceMessages.ts';
import { addSeconds, secondsInDay, stopwatch } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { findEmail } from '../../store/emails/email.ts';
import { getMailbox, mailboxPart } from '../../store/person/mailboxes.ts';
import { getAddress } from '../../store/person/people.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { checkDomain, checkSuspension, RecipientCheck } from '../emails/checks.ts';
import { deliver } from '../emails/deliver.ts';
import { endOfCall } from '../emails/idempotency.ts';
import { SendFailure } from '../emails/sendFailure.ts';
import { changePerson, type Decision } from '../people.ts';
import { isOfHold, isSendingHeld } from '../sendingHold.ts';
import { createConfirmLink, declineLinkOf } from './confirmByLink.ts';
import { serviceMailDays } from './serviceMailDays.ts';

/** A round that this worker has claimed. */
interface ClaimedRound {
  readonly person: Person;
  readonly confirmation: Confirmation;
  /** True after an attempt whose outcome is unknown: its message may have been sent. */
  readonly resumed: boolean;
}

/**
 * Sends the confirmation that is due for a person. Idempotent: concurrent and repeated calls send it once. It is
 * postponed during a suspension or a pause or after a refusal of SES, and dropped when its link would have expired. While
 * all sending is held it stays due.
 */
export async function sendConfirmation(workspaceId: string, email: string, now: Date): Promise<void> {
  const workspace = await getWorkspace(workspaceId);
  const sender = workspace && sendableFrom(workspace);
  const may = {
    send: workspace !== null && sender !== null && !isPaused(workspace, now),
    isHeld: await isSendingHeld(),
  };
  const recipientCheck = new RecipientCheck(stopwatch(), () => lookAgain(workspaceId, email, now));
  const claimed = await changePerson({ workspaceId, email }, 'form', now, (address) => claimRound(address, may, now));
  if (!claimed || !workspace || !sender) return;
  const { id, round } = claimed.confirmation;
  const record = (change: (person: Person) => Person) =>
    changePerson({ workspaceId, email }, 'form', now, ({ person }) => ({ person: change(person), result: undefined }));
  const outcome = await deliverConfirmation({ ...claimed, recipientCheck }, workspace, sender, now).catch(
    async (error: unknown) => {
      // If this fails too, the outcome of the attempt counts as unknown.
      const isHeld = isOfHold(error);
      await record((person) => (isHeld ? noteHold : noteFailure)(person, id, round, now)).catch(() => {});
      if (isHeld) return 'held' as const;
      throw error;
    },
  );
  if (outcome === 'sent') await record((person) => markConfirmationSent(person, id, round, now));
  if (outcome === 'refused') await record((person) => noteRefusal(person, id, round, now));
}

/** The sender of the service's own mail; null when its domain is not verified or the workspace is suspended. */
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

/** Whether a confirmation may still be sent to an address; otherwise its round is dropped at the retry. */
async function lookAgain(workspaceId: string, email: string, now: Date): Promise<Tracking> {
  const [address, mailbox] = await Promise.all([getAddress(workspaceId, email), getMailbox(workspaceId, email, now)]);
  if (isBarred(address) || mailbox.blockedAt) throw new ServiceError('suppressed_recipient');
  return untracked;
}

const isBarred = ({ person: { suppression }, platform }: KnownAddress): boolean =>
  platform !== null || (suppression !== null && !isLiftedByConsent(suppression.reason));

/** Claims, postpones or drops the round, in one decision and one write. */
async function claimRound(
  address: KnownAddress,
  may: { readonly send: boolean; readonly isHeld: boolean },
  now: Date,
): Promise<Decision<ClaimedRound | null>> {
  const { person } = address;
  const { confirmation } = person;
  if (!confirmation || confirmation.sentAt) return { person, result: null };
  if (isBarred(address)) return { person: dropConfirmation(person), result: null };
  if (isOutdated(new Date(confirmation.requestedAt), now)) return { person: dropConfirmation(person), result: null };
  // The sweeper queues it after the release.
  if (may.isHeld) return { person: awaitRelease(person, confirmation, now), result: null };
  if (!may.send) return { person: postponeConfirmation(person, confirmation, now), result: null };
  if (isClaimed(confirmation, now)) return { person, result: null };
  const mailbox = await getMailbox(person.workspaceId, person.email, now);
  if (mailbox.blockedAt) return { person: dropConfirmation(person), result: null };
  const isFirstClaim = confirmation.claimedAt === null;
  if (isFirstClaim && mailbox.unanswered >= maxUnanswered) {
    return { person: silenceConfirmation(person, confirmation), result: null };
  }
  const end = await endOfAttempt(confirmation, now);
  // The message may have been sent: its event is waited for until its link expires.
  if (end === 'unread' || (end === 'given up' && confirmation.isRepeated)) {
    return { person: await awaitFeedback(person, confirmation, now), result: null };
  }
  const isRepeated = end === 'given up' || (end === 'known' && confirmation.isRepeated === true);
  const claimed = claimConfirmation(person, confirmation, isRepeated, now);
  // Counted before the send, and once per round, so that a crash never adds a message.
  const unanswered = mailbox.unanswered + 1;
  const more = isFirstClaim ? mailboxPart(mailbox, { unanswered }, addSeconds(now, silentDays * secondsInDay)) : [];
  return { person: claimed, result: { person, confirmation, resumed: !isFirstClaim }, more };
}

/** Whether the outcome of the previous attempt is known. */
async function endOfAttempt({ claimedAt, isEndKnown }: Confirmation, now: Date) {
  return claimedAt === null || isEndKnown ? 'known' : endOfCall(Date.parse(claimedAt), now);
}

/** Two messages may have been sent. A third one is sent only when SES's events prove that neither of them was. */
async function awaitFeedback(person: Person, confirmation: Confirmation, now: Date): Promise<Person> {
  const { id, round } = confirmation;
  const sent = await findEmail(person.workspaceId, confirmationEmailId(person, confirmation));
  return sent ? markConfirmationSent(person, id, round, now) : postponeConfirmation(person, confirmation, now);
}

async function deliverConfirmation(
  { person, confirmation, resumed, recipientCheck }: ClaimedRound & { readonly recipientCheck: RecipientCheck },
  workspace: Workspace,
  sender: Sender,
  now: Date,
): Promise<'sent' | 'refused' | 'unknown'> {
  const { workspaceId, email } = person;
  const from = { name: sender.name ?? workspace.name, address: sender.email };
  const link = await createConfirmLink(person, confirmation);
  const links = { link, declineLink: declineLinkOf(link) };
  const message = confirmationMessage(workspace.language, workspace.name, links, workspace.mailBrand);
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
    // No caller waits for the outcome: a refusal postpones the round, whatever an earlier attempt left in doubt.
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
    keptDays: serviceMailDays(),
    tracking: untracked,
    recipientCheck,
    now,
  };
  try {
    await deliver(outgoing, mime, workspace);
    return 'sent';
  } catch (error) {
    if (!(error instanceof SendFailure) || isOfHold(error)) throw error;
    logger.warn('A confirmation was not sent.', { email_id: emailId, extent: error.extent, ...error.details });
    return error.extent === 'unknown' ? 'unknown' : 'refused';
  }
}

/** Every attempt at one round has the same email id, so that a later attempt finds what an earlier one sent. */
export function confirmationEmailId({ workspaceId, email }: Person, { id, round }: Confirmation): string {
  return derivedId('email', ['confirmation', workspaceId, email, id, round].join('#'));
}
