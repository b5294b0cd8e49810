import type { SesContext } from '../context.ts';
import { SesError } from '../errors.ts';
import { requireConfigurationSet, topicsFor } from '../events/configurationSets.ts';
import { type EventDraft, newSesId, renderingFailure } from '../events/events.ts';
import type { CallingAccount } from '../events/mailObject.ts';
import { buildMail } from '../events/mailObject.ts';
import { isSimulator, simulate } from '../events/simulator.ts';
import { verifiedIdentityFor } from '../identities.ts';
import { parseMailboxes } from '../mime/addresses.ts';
import { decodeEncodedWords, type Header, headerValue, headerValues } from '../mime/headers.ts';
import type { MimePart } from '../mime/mimeStructure.ts';
import { applyByteEdits, type ByteEdit } from '../mime/mimeStructure.ts';
import type { TrackedLink } from '../tracking/trackedHtml.ts';
import { trackMessage } from '../tracking/trackedMessage.ts';
import { storeMessage } from './messages.ts';

export interface TrackingOverrides {
  readonly opens: boolean | null;
  readonly clicks: boolean | null;
}

/** A message whose form is checked, before the checks of its sender and of the account's limits. */
export interface Submission {
  readonly operation: 'SendEmail' | 'SendBulkEmail';
  readonly caller: CallingAccount;
  /** The envelope sender, as given. */
  readonly source: string;
  readonly recipients: readonly string[];
  readonly message: Buffer;
  readonly root: MimePart;
  /** Header fields as events show them. */
  readonly shownHeaders: readonly Header[];
  readonly tags: Readonly<Record<string, string>>;
  readonly configurationSet: string | null;
  readonly tracking: TrackingOverrides;
}

/** SES tracks this many links in a message. https://docs.aws.amazon.com/ses/latest/dg/faqs-metrics.html */
const maximumTrackedLinks = 250;

/** Accepts a message: checks sender and limits, stores it with its future events, and answers its id. */
export async function submit(context: SesContext, submission: Submission): Promise<string> {
  const identity = admit(context, submission);
  const acceptedAt = context.now();
  const messageId = newSesId(acceptedAt);
  const { source, links } = deliverable(context, submission, messageId, acceptedAt);
  const subject = decodeEncodedWords(headerValue(submission.root.headers, 'Subject') ?? '');
  const drafts = simulate({
    recipients: submission.recipients,
    infected: isInfected(submission.message),
    acceptedAt,
    delay: context.faults.state.event_delay_ms,
  });
  await store(context, submission, { messageId, acceptedAt, identity, subject, visible: true, links, source }, drafts);
  return messageId;
}

/** For a template that lacks data: SES accepts the message, sends nothing, and publishes the failure. */
export async function submitUnrendered(context: SesContext, submission: Submission, problem: string): Promise<string> {
  const identity = admit(context, submission);
  const acceptedAt = context.now();
  const messageId = newSesId(acceptedAt);
  const failure = renderingFailure(acceptedAt + context.faults.state.event_delay_ms, problem, '');
  const nothing = { subject: '', visible: false, links: [], source: Buffer.alloc(0) };
  await store(context, submission, { messageId, acceptedAt, identity, ...nothing }, [failure]);
  return messageId;
}

/** The identity that may send it. Throws SES's error when there is none, or when the account's limits are reached. */
function admit(context: SesContext, submission: Submission): string {
  const { database, limits } = context;
  if (submission.configurationSet !== null) requireConfigurationSet(database, submission.configurationSet);
  const senders = new Set([
    submission.source,
    ...['From', 'Sender', 'Return-Path'].flatMap((name) => headerValues(submission.root.headers, name)),
  ]);
  const addresses = [...senders].flatMap(parseMailboxes).map((mailbox) => mailbox.address);
  const failed = new Set(addresses.filter((address) => !verifiedIdentityFor(database, address)));
  if (addresses.length === 0 || failed.size > 0) {
    throw new SesError('MessageRejected', unverified(submission.caller.region, [...failed]));
  }
  limits.admit(submission.recipients.length, quotaCount(submission.recipients));
  return verifiedIdentityFor(database, parseMailboxes(submission.source)[0]?.address ?? '') ?? '';
}

/** https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html */
const unverified = (region: string, failed: readonly string[]) =>
  `Email address is not verified. The following identities failed the check in region ${region.toUpperCase()}: ${failed.join(', ')}`;

const quotaCount = (recipients: readonly string[]) => recipients.filter((recipient) => !isSimulator(recipient)).length;

function deliverable(context: SesContext, submission: Submission, messageId: string, acceptedAt: number) {
  const { message, root, caller, tracking, configurationSet: set } = submission;
  const opens = tracking.opens ?? topicsFor(context.database, set, 'Open').length > 0;
  const clicks = tracking.clicks ?? topicsFor(context.database, set, 'Click').length > 0;
  const links: TrackedLink[] = [];
  const track = (link: TrackedLink) => {
    if (!clicks || links.length >= maximumTrackedLinks) return null;
    links.push(link);
    return `${context.endpoint}/L0/${messageId}/${links.length - 1}`;
  };
  const openUrl = opens ? `${context.endpoint}/I0/${messageId}` : null;
  const changes = opens || clicks ? trackMessage(message, root, { openUrl, track }) : [];
  return { links, source: outgoingSource(message, root, { messageId, region: caller.region, acceptedAt }, changes) };
}

interface Outcome {
  readonly messageId: string;
  readonly acceptedAt: number;
  readonly identity: string;
  readonly subject: string;
  readonly visible: boolean;
  readonly links: readonly TrackedLink[];
  readonly source: Buffer;
}

async function store(
  context: SesContext,
  submission: Submission,
  outcome: Outcome,
  drafts: readonly EventDraft[],
): Promise<void> {
  const { identity, ...message } = outcome;
  const { recipients, configurationSet } = submission;
  const mail = buildMail({
    ...submission,
    ...outcome,
    destination: recipients,
    headers: submission.shownHeaders,
    source: submission.source,
  });
  await context.database.grouped(() => {
    const sender = headerValue(submission.root.headers, 'From') ?? submission.source;
    storeMessage(
      context.database,
      { ...message, sender: decodeEncodedWords(sender), recipients, configurationSet, mail },
      shuffled(context, drafts),
    );
    context.limits.record(quotaCount(recipients));
  });
  context.publisher.wake(outcome.acceptedAt + context.faults.state.event_delay_ms);
}

/** With the fault `shuffle_events` an event may overtake the one before it. */
function shuffled(context: SesContext, drafts: readonly EventDraft[]): readonly EventDraft[] {
  const { shuffle_events, event_delay_ms } = context.faults.state;
  if (!shuffle_events) return drafts;
  return drafts.map((draft) => ({
    ...draft,
    dueAt: draft.happenedAt + Math.round(Math.random() * 3 * event_delay_ms),
  }));
}

/** The harmless test file that every scanner knows, bare or in base64. https://www.eicar.org/download-anti-malware-testfile/ */
function isInfected(message: Buffer): boolean {
  return (
    message.includes('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR') ||
    message.includes('WDVPIVAlQEFQWzRcUFpYNTQoUF4pN0NDKTd9JEVJQ0FS')
  );
}

/** Fields that SES writes itself, and those that recipients must not see. */
const droppedHeaders = new Set(['bcc', 'date', 'message-id', 'return-path']);

/**
 * The bytes that each recipient gets: SES's own Date and Message-ID, no Bcc, no field addressed to SES.
 * https://docs.aws.amazon.com/ses/latest/dg/header-fields.html
 */
function outgoingSource(
  message: Buffer,
  root: MimePart,
  stamp: { messageId: string; region: string; acceptedAt: number },
  changes: readonly ByteEdit[],
): Buffer {
  const drops = root.headers
    .filter(({ name }) => droppedHeaders.has(name.toLowerCase()) || /^x-ses-/i.test(name))
    .map(({ start, end }) => ({ start, end, bytes: Buffer.alloc(0) }));
  const date = new Date(stamp.acceptedAt).toUTCString().replace('GMT', '+0000');
  const host = stamp.region === 'us-east-1' ? 'email' : stamp.region;
  const own = Buffer.from(`Date: ${date}\r\nMessage-ID: <${stamp.messageId}@${host}.amazonses.com>\r\n`);
  const insertion = { start: root.headersEnd, end: root.headersEnd, bytes: own };
  return applyByteEdits(message, [...drops, ...changes, insertion]);
}
