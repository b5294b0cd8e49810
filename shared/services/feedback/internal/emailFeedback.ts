import { addressKey, isSimulatorAddress } from '../../../domain/address.ts';
import { counterNames, type MailCount } from '../../../domain/automation/tally.ts';
import { isAlias } from '../../../domain/person/erased.ts';
import { isLateReport, outcomeUntil } from '../../../domain/sending/archive.ts';
import type { EmailStatus } from '../../../domain/sending/email.ts';
import {
  countsAgainstReputation,
  type FailureEvent,
  type FeedbackEvent,
  type FeedbackEventOf,
  isProxiedOpen,
  isRobotClick,
  meaningOf,
} from '../../../domain/sending/feedbackEvent.ts';
import { isOpen } from '../../../domain/sending/settlement.ts';
import type { EmailFeedback } from '../../../email/feedbackEvent.ts';
import { type EmailOrigin, runOfOrigin } from '../../../email/feedbackTags.ts';
import { epochSeconds, secondsInDay } from '../../../platform/clock.ts';
import { config, keepsRecipients } from '../../../platform/config.ts';
import { logger } from '../../../platform/logger.ts';
import type { RunMailMessage } from '../../../queue/automation.ts';
import { tallyShardOf } from '../../../store/automation/tallies.ts';
import { type Email, findEmail, findReported } from '../../../store/emails/email.ts';
import { listingsOf, statusListing } from '../../../store/emails/emailLists.ts';
import { keepNote, type Note } from '../../../store/emails/outcomeEvents.ts';
import {
  type DeliveryCount,
  type OutcomeChange,
  type OutcomeExpiry,
  recordCountedOutcome,
  recordOutcome,
} from '../../../store/emails/outcomes.ts';
import { findSend } from '../../../store/quota/attempts.ts';
import { countLate } from '../../../store/quota/reservations.ts';
import { recordAcceptance } from '../../../store/quota/settlement.ts';
import { type ServiceMailCounts, serviceMailPart } from '../../../store/serviceMail.ts';
import { findAlias } from '../../../store/suppression/platformSuppression.ts';
import { bounceOrComplaintPart } from '../../../store/usage.ts';
import { serviceMailDays } from '../../confirmations/serviceMailDays.ts';
import { type Batch, countInTurn, listenersOf, noteFailure } from '../batch.ts';
import { applyMeaning, type ByEventType, handlerOf } from './effects.ts';
import { noteMailActivity } from './mailActivity.ts';

/**
 * Records an event of a single email. Resolves with the time of the first report where that is stored, so that a
 * repeated report has the same effects; else with null.
 */
export type EmailRecorders = ByEventType<[feedback: EmailFeedback, batch: Batch], Promise<Date | null>>;

export const emailRecorders: EmailRecorders = {
  accepted: recordAccepted,
  delivered: recordDelivered,
  bounced: recordFailure,
  complained: recordFailure,
  opened: recordOpened,
  clicked: async ({ recipient, at, url }, feedback, batch) => {
    const isFirst = await noteEvent(feedback, recipient, { kind: 'clicks', at, text: url }, batch);
    if (isFirst) countForRun(feedback.origin, 'clicked', batch);
    tellRun(feedback.origin, 'clicked', at, batch);
    return null;
  },
  delayed: async ({ recipient, at, reason }, feedback, batch) => {
    logger.info('A delivery is delayed.', { email_id: feedback.origin.id, delay_type: reason });
    await noteEvent(feedback, recipient, { kind: 'delays', at, text: reason }, batch);
    return null;
  },
  // The status of the email stays: after a soft bounce the address may still work.
  undelivered: async () => null,
  dropped: logDropped,
};

export async function recordEmailFeedback(feedback: EmailFeedback, batch: Batch): Promise<void> {
  await Promise.all(
    feedback.events.map(async (event) => {
      const firstAt = await handlerOf(emailRecorders, event)(feedback, batch);
      await applyMeaning(feedback, event, firstAt, batch);
      if (!isServiceMail(feedback) && !isByRobot(event, feedback)) noteMailActivity(feedback, event, batch);
    }),
  );
  // Campaign mail has its own watermark: its events arrive through another queue, which may be ahead of this one.
  if (feedback.events.some((event) => meaningOf(event).movesWatermark)) {
    batch.acceptedSentAt.push(feedback.message.sentAt);
  }
}

/** As for campaigns, though no earlier open of a single email tells a quick reader from a scanner. */
const isByRobot = (event: FeedbackEvent, { message: { sentAt } }: EmailFeedback): boolean =>
  event.type === 'clicked'
    ? isRobotClick(event, { sentAt, hasOpenedInPerson: false })
    : event.type === 'opened' && event.isBot;

/**
 * The acceptance is mostly known already from the answer to the send: then this costs half a read unit, and a write only
 * for lists. After a lost answer or a crash this event is the only record of it.
 */
async function recordAccepted(
  _event: FeedbackEventOf<'accepted'>,
  { origin, message }: EmailFeedback,
  batch: Batch,
): Promise<null> {
  const { workspaceId, id, envelope, minute, list } = origin;
  const names = { workspace_id: workspaceId, email_id: id };
  const known = await findReported(workspaceId, id, envelope);
  const messageId = known?.messageIds[envelope];
  if (known && messageId) {
    await listAccepted(known.email, envelope, batch);
    if (messageId !== message.id) logger.warn('A message went out twice.', { ...names, envelope });
    // The worker may have crashed between this record and its run's next write. An event that comes at once has no news.
    if (batch.now.getTime() - message.sentAt.getTime() > lateEventMilliseconds)
      tellRun(origin, 'accepted', batch.now, batch);
    return null;
  }
  const found = known?.email ?? (await findSend(workspaceId, minute, id, list));
  if (!found?.envelopes[envelope]) {
    logger.warn('A Send event belongs to no email.', names);
    return null;
  }
  // Too late for a copy: it stays in the table.
  const email = isLateReport(id, batch.now) ? { ...found, expiresAt: found.keptUntil ?? found.expiresAt } : found;
  await recordAcceptance(email, envelope, message.id, minute, batch.now);
  tellRun(origin, 'accepted', batch.now, batch);
  await listAccepted(email, envelope, batch);
  return null;
}

const lateEventMilliseconds = 30_000;

/** Keeps the item of the outcome below 1 KB, which is one write unit. */
const longestAnswer = 200;
const longestDiagnostic = 500;

async function recordDelivered(
  { recipient, at: reportedAt, answer }: FeedbackEventOf<'delivered'>,
  feedback: EmailFeedback,
  batch: Batch,
): Promise<Date> {
  const details = { answer: answer?.slice(0, longestAnswer) ?? null };
  const outcome = outcomeOf(feedback, { recipient, status: 'delivered', at: reportedAt, details }, batch);
  if (isServiceMail(feedback)) {
    const isCounted = !isSimulatorAddress(recipient);
    return recordServiceOutcome(outcome, isCounted ? { delivered: 1 } : null, batch);
  }
  const count = await countOf(feedback, recipient, batch);
  const { at, changed } = await recordOutcome({ ...outcome, ...(count && { count }) });
  if (changed) countForRun(feedback.origin, 'delivered', batch);
  return at;
}

/**
 * The settlement bucket that counts a delivery: that of the send while it is open, else the current one. The choice is
 * stored with the outcome, so that each delivery counts once.
 */
async function countOf({ origin }: EmailFeedback, recipient: string, { now }: Batch): Promise<DeliveryCount | null> {
  if (isSimulatorAddress(recipient)) return null;
  const { workspaceId, id, minute } = origin;
  if (isOpen(minute, now)) return { minute, isLate: false };
  return { minute: await countLate(workspaceId, id, recipient, now), isLate: true };
}

async function recordFailure(event: FailureEvent, feedback: EmailFeedback, batch: Batch): Promise<Date> {
  const { type: status, recipient } = event;
  const outcome = outcomeOf(feedback, { recipient, status, at: event.at, details: storedDetails(event) }, batch);
  await listStatus({ ...outcome, expiresAt: keptUntil(feedback, batch) }, status, batch);
  const { workspaceId } = feedback.origin;
  const counts = countsAgainstReputation(event) ? { [status]: 1 } : null;
  if (isServiceMail(feedback)) return recordServiceOutcome(outcome, counts, batch);
  const { at, changed } = await countInTurn(batch, workspaceId, () =>
    recordCountedOutcome(outcome, counts && bounceOrComplaintPart(workspaceId, dayOf(batch), counts)),
  );
  if (changed) countForRun(feedback.origin, status, batch);
  if (counts && changed) noteFailure(batch, workspaceId, status);
  return at;
}

const dayOf = ({ now }: Batch): string => now.toISOString().slice(0, 10);

const isServiceMail = ({ origin }: EmailFeedback): boolean => origin.purpose === 'service';

/** The service's own mail is counted separately, since strangers can cause it: its deliveries count at once too. */
async function recordServiceOutcome(
  outcome: OutcomeChange,
  counts: Partial<ServiceMailCounts> | null,
  batch: Batch,
): Promise<Date> {
  const { workspaceId } = outcome;
  const { at } = await countInTurn(batch, workspaceId, () =>
    recordCountedOutcome(outcome, counts && serviceMailPart(workspaceId, dayOf(batch), counts)),
  );
  return at;
}

function storedDetails(event: FailureEvent): Details {
  if (event.type === 'complained') return { feedback_type: event.complaint.feedbackType };
  const { type, subtype, diagnostic } = event.bounce;
  return { type, subtype, diagnostic: diagnostic?.slice(0, longestDiagnostic) ?? null };
}

async function recordOpened(
  { recipient, at, userAgent }: FeedbackEventOf<'opened'>,
  feedback: EmailFeedback,
  batch: Batch,
): Promise<null> {
  const text = isProxiedOpen(userAgent) ? 'proxied' : '';
  const isFirst = await noteEvent(feedback, recipient, { kind: 'opens', at, text }, batch);
  if (isFirst) batch.counters.countOpened(feedback.origin.workspaceId, 1);
  if (isFirst) countForRun(feedback.origin, 'opened', batch);
  // A relay opens every message, so that it tells nothing.
  if (text === '') tellRun(feedback.origin, 'opened', at, batch);
  return null;
}

/** Counts what became of an automation's message, at the step that sent it. */
function countForRun(origin: EmailOrigin, count: MailCount, { runCounters }: Batch): void {
  const run = runOfOrigin(origin);
  if (!run) return;
  const { automationId, version, runId, step } = run;
  const position = { workspaceId: origin.workspaceId, automationId, version, shard: tallyShardOf(runId) };
  runCounters.add(position, { [counterNames.feedback(step, count)]: 1 });
}

/** A run may wait for this. */
function tellRun(origin: EmailOrigin, what: RunMailMessage['what'], at: Date, { runMail }: Batch): void {
  const run = runOfOrigin(origin);
  if (!run) return;
  const { automationId: automation_id, runId: run_id, step } = run;
  runMail.push({
    kind: 'mail',
    workspace_id: origin.workspaceId,
    automation_id,
    run_id,
    step,
    what,
    at: at.toISOString(),
  });
}

/** No address is at fault, but an operator should know about it. */
async function logDropped({ cause, reason }: FeedbackEventOf<'dropped'>, { origin }: EmailFeedback): Promise<null> {
  logger.warn('The provider dropped an accepted message.', {
    workspace_id: origin.workspaceId,
    email_id: origin.id,
    event_type: cause,
    reason,
  });
  return null;
}

type Details = Readonly<Record<string, string | null>>;

interface ReportedOutcome {
  readonly recipient: string;
  readonly status: EmailStatus;
  readonly at: Date;
  readonly details: Details;
}

/** What became of one recipient. */
function outcomeOf(
  feedback: EmailFeedback,
  { recipient, status, at, details }: ReportedOutcome,
  batch: Batch,
): OutcomeChange {
  const { workspaceId, id: emailId } = feedback.origin;
  const expiry = expiryOf(feedback, batch);
  return { workspaceId, emailId, address: recipient, status, at, details, ...expiry };
}

/** Unix seconds: kept as long as an email, counted from the report. */
const keptUntil = (feedback: EmailFeedback, { now }: Batch): number =>
  epochSeconds(now) + (isServiceMail(feedback) ? serviceMailDays() : config('EMAIL_RETENTION_DAYS')) * secondsInDay;

/**
 * The outcomes of an email that is copied leave the table with it, except what is reported too late to be in the copy:
 * that stays in the table, and is read together with the copy.
 */
function expiryOf(feedback: EmailFeedback, batch: Batch): OutcomeExpiry {
  const { id, until } = feedback.origin;
  const isLate = isLateReport(id, batch.now);
  const expiresAt = until === undefined || isLate ? keptUntil(feedback, batch) : outcomeUntil(until);
  return { expiresAt, isLate };
}

/**
 * Adds an event to the email's history, unless the deployment keeps no email list or the recipient was erased. Resolves
 * with true for the first event of its kind.
 */
async function noteEvent(
  feedback: EmailFeedback,
  recipient: string | null,
  note: Note,
  batch: Batch,
): Promise<boolean> {
  if (config('EMAIL_LIST') === 'none' || (recipient !== null && isAlias(recipient))) return false;
  const { workspaceId, id: emailId } = feedback.origin;
  return keepNote({ workspaceId, emailId, address: recipient, ...expiryOf(feedback, batch) }, note);
}

/** Adds an email to the lists by recipient and tag for an envelope, where the deployment keeps such lists. */
async function listAccepted(email: Email, envelope: number, batch: Batch): Promise<void> {
  const list = config('EMAIL_LIST');
  if (!keepsRecipients(list)) return;
  const addresses = (email.envelopes[envelope] ?? []).map(addressKey);
  const { hasErased } = await listenersOf(batch, email.workspaceId);
  const listed = hasErased ? await withoutErased(email.workspaceId, addresses) : addresses;
  batch.listings.push(...listingsOf(email, listed, { withTags: list === 'recipient-and-tag' }));
}

/** Leaves out persons who were erased after the email was sent. */
async function withoutErased(workspaceId: string, addresses: readonly string[]): Promise<string[]> {
  const isKept = await Promise.all(
    addresses.map(async (address) => !isAlias(address) && (await findAlias(workspaceId, address)) === null),
  );
  return addresses.filter((_, index) => isKept[index]);
}

/** Lists an email under a failure status, as long as it is kept. Few emails get one, so that the list costs little. */
async function listStatus(report: OutcomeChange, status: EmailStatus, batch: Batch): Promise<void> {
  if (config('EMAIL_LIST') === 'none') return;
  const known = await findEmail(report.workspaceId, report.emailId);
  batch.listings.push(statusListing(report, status, known?.email ?? null));
}
