import { randomUUID } from 'node:crypto';
import type { EventType } from './configurationSets.ts';
import type { Mail } from './mailObject.ts';

/** The part of an event that its type decides; `mail` is added when it is published. */
export interface EventDraft {
  readonly type: EventType;
  readonly happenedAt: number;
  readonly detail: object;
  /** When it is published, if not when it happens. */
  readonly dueAt?: number;
}

/** The key of the detail in the published JSON. */
const detailKeys = {
  Send: 'send',
  Reject: 'reject',
  Bounce: 'bounce',
  Complaint: 'complaint',
  Delivery: 'delivery',
  Open: 'open',
  Click: 'click',
  'Rendering Failure': 'failure',
  DeliveryDelay: 'deliveryDelay',
} as const satisfies Record<EventType, string>;

const mta = 'a8-70.smtp-out.amazonses.com';
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

/** The JSON that SES sends to SNS. The fields of `mail` depend on the type, as in AWS's samples. */
export function eventJson(type: EventType, mail: Mail, detail: object): string {
  return JSON.stringify({ eventType: type, mail: mailFor(type, mail), [detailKeys[type]]: detail });
}

function mailFor(type: EventType, mail: Mail): Mail {
  if (type === 'Delivery') return { ...mail, tags: { ...mail.tags, 'ses:outgoing-ip': ['127.0.0.1'] } };
  const { sourceArn: _arn, ...withoutArn } = mail;
  if (type === 'Open' || type === 'Click') return withoutArn;
  const { headers: _headers, commonHeaders: _common, ...withoutHeaders } = mail;
  return type === 'Rendering Failure' || type === 'DeliveryDelay' ? withoutHeaders : mail;
}

export const send = (happenedAt: number): EventDraft => ({ type: 'Send', happenedAt, detail: {} });

/** SES's only reason is a virus. */
export const reject = (happenedAt: number): EventDraft => ({
  type: 'Reject',
  happenedAt,
  detail: { reason: 'Bad content' },
});

export function delivery(happenedAt: number, acceptedAt: number, recipients: readonly string[]): EventDraft {
  const detail = {
    timestamp: iso(happenedAt),
    processingTimeMillis: happenedAt - acceptedAt,
    recipients,
    smtpResponse: '250 2.6.0 Message received',
    reportingMTA: mta,
  };
  return { type: 'Delivery', happenedAt, detail };
}

export interface BounceFacts {
  readonly bounceType: 'Permanent' | 'Transient' | 'Undetermined';
  readonly bounceSubType: string;
  readonly recipient: string;
  /** From a delivery status notification; left out when the bounce came without one. */
  readonly status?: { readonly status: string; readonly diagnosticCode: string; readonly reportingMTA: string };
}

export function bounce(happenedAt: number, facts: BounceFacts): EventDraft {
  const { recipient, status } = facts;
  const notified = status && { action: 'failed', status: status.status, diagnosticCode: status.diagnosticCode };
  const detail = {
    bounceType: facts.bounceType,
    bounceSubType: facts.bounceSubType,
    bouncedRecipients: [{ emailAddress: recipient, ...notified }],
    timestamp: iso(happenedAt),
    feedbackId: newSesId(happenedAt),
    ...(status && { reportingMTA: status.reportingMTA }),
  };
  return { type: 'Bounce', happenedAt, detail };
}

export function complaint(happenedAt: number, recipient: string, feedbackType = 'abuse'): EventDraft {
  const detail = {
    complainedRecipients: [{ emailAddress: recipient }],
    timestamp: iso(happenedAt),
    feedbackId: newSesId(happenedAt),
    userAgent: 'Amazon SES Mailbox Simulator',
    complaintFeedbackType: feedbackType,
    arrivalDate: iso(happenedAt),
  };
  return { type: 'Complaint', happenedAt, detail };
}

export function deliveryDelay(happenedAt: number, recipient: string, delayType: string): EventDraft {
  const delayed = {
    emailAddress: recipient,
    status: '4.4.1',
    diagnosticCode: 'smtp; 421 4.4.1 Unable to connect to remote host',
  };
  const expirationTime = iso(happenedAt + 14 * 3_600_000);
  const detail = { timestamp: iso(happenedAt), delayType, expirationTime, delayedRecipients: [delayed] };
  return { type: 'DeliveryDelay', happenedAt, detail };
}

export function renderingFailure(happenedAt: number, errorMessage: string, templateName: string): EventDraft {
  return { type: 'Rendering Failure', happenedAt, detail: { errorMessage, templateName } };
}

export interface Visitor {
  readonly ipAddress: string;
  readonly userAgent: string;
}

export function open(happenedAt: number, visitor: Visitor): EventDraft {
  return { type: 'Open', happenedAt, detail: { ...seen(happenedAt, visitor) } };
}

export function click(happenedAt: number, visitor: Visitor, link: string, linkTags: object | null): EventDraft {
  return { type: 'Click', happenedAt, detail: { ...seen(happenedAt, visitor), link, linkTags } };
}

function seen(happenedAt: number, { ipAddress, userAgent }: Visitor) {
  const bot = /bot|crawl|spider|preview|scan|prefetch|proofpoint|barracuda|mimecast|safelinks|headless/i;
  return { ipAddress, timestamp: iso(happenedAt), userAgent, isBotEvent: bot.test(userAgent) ? 'Likely' : 'Unlikely' };
}

/** An id as SES gives to messages and to feedback: `0100`, twelve hex digits of the time, a UUID, a counter. */
export function newSesId(milliseconds: number): string {
  return `0100${Math.floor(milliseconds).toString(16).padStart(12, '0')}-${randomUUID()}-000000`;
}
