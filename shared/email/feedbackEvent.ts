import * as z from 'zod';
import { addressKey } from '../domain/address.ts';
import type { FeedbackEvent } from '../domain/sending/feedbackEvent.ts';
import { type CampaignOrigin, type EmailOrigin, type FeedbackOrigin, feedbackOrigin, ownTags } from './feedbackTags.ts';

/**
 * The events that SES publishes through a configuration set (SES Developer Guide, "Contents of event data that Amazon
 * SES publishes to Amazon SNS"). Only the fields that the service uses are read.
 */
const recipient = z.object({
  emailAddress: z.string(),
  status: z.string().optional(),
  diagnosticCode: z.string().optional(),
});
const mail = z.object({
  messageId: z.string(),
  timestamp: z.string(),
  destination: z.array(z.string()).default([]),
  tags: z.record(z.string(), z.array(z.string())).optional(),
  commonHeaders: z.object({ subject: z.string().optional() }).optional(),
});
const engagement = z.object({
  timestamp: z.string(),
  userAgent: z.string().default(''),
  /** `Likely` or `Unlikely`. */
  isBotEvent: z.string().optional(),
});

const event = z.discriminatedUnion('eventType', [
  z.object({ eventType: z.literal('Send'), mail }),
  z.object({ eventType: z.literal('Reject'), mail, reject: z.object({ reason: z.string().default('') }) }),
  z.object({
    eventType: z.literal('Rendering Failure'),
    mail,
    failure: z.object({ errorMessage: z.string().default('') }),
  }),
  z.object({
    eventType: z.literal('Delivery'),
    mail,
    delivery: z.object({
      timestamp: z.string(),
      recipients: z.array(z.string()),
      smtpResponse: z.string().nullish(),
    }),
  }),
  z.object({
    eventType: z.literal('DeliveryDelay'),
    mail,
    deliveryDelay: z.object({
      timestamp: z.string(),
      delayType: z.string().default(''),
      delayedRecipients: z.array(recipient),
    }),
  }),
  z.object({
    eventType: z.literal('Bounce'),
    mail,
    bounce: z.object({
      bounceType: z.string(),
      bounceSubType: z.string().default(''),
      bouncedRecipients: z.array(recipient),
      timestamp: z.string(),
    }),
  }),
  z.object({
    eventType: z.literal('Complaint'),
    mail,
    complaint: z.object({
      complainedRecipients: z.array(recipient),
      complaintSubType: z.string().nullish(),
      complaintFeedbackType: z.string().nullish(),
      timestamp: z.string(),
    }),
  }),
  z.object({ eventType: z.literal('Open'), mail, open: engagement }),
  z.object({ eventType: z.literal('Click'), mail, click: engagement.extend({ link: z.string() }) }),
  z.object({ eventType: z.literal('Subscription'), mail }),
]);

type SesEvent = z.output<typeof event>;
type SesEventOf<Type extends SesEvent['eventType']> = Extract<SesEvent, { eventType: Type }>;

/** One event of SES: the email or campaign of its message, the message, and what happened to it. */
export interface Feedback<Origin extends FeedbackOrigin = FeedbackOrigin> {
  readonly origin: Origin;
  readonly message: {
    readonly id: string;
    /** When SES accepted it. */
    readonly sentAt: Date;
    readonly subject: string | null;
    /** The tags that the caller gave. */
    readonly tags: readonly { readonly name: string; readonly value: string }[];
  };
  /** Empty for events that are not used. Any event proves that SES accepted the message. */
  readonly events: readonly FeedbackEvent[];
}

export type EmailFeedback = Feedback<EmailOrigin>;
export type CampaignFeedback = Feedback<CampaignOrigin>;

/** SES publishes this text once, when the topic becomes its event destination. It is not JSON. */
const destinationNotice = 'Successfully validated SNS topic for Amazon SES event publishing.';

/**
 * Reads one event. Null for mail that another service sent, which has no tags of ours. Throws for an event of another
 * form than AWS documents, so that it ends in the dead-letter queue.
 */
export function readFeedback(json: string): Feedback | null {
  if (json.trim() === destinationNotice) return null;
  const report = event.parse(parsedJson(json));
  const origin = feedbackOrigin(report.mail.tags);
  if (!origin) return null;
  const { messageId, timestamp, commonHeaders, tags } = report.mail;
  const read = readings[report.eventType] as (report: SesEvent) => FeedbackEvent[];
  return {
    origin,
    message: {
      id: messageId,
      sentAt: new Date(timestamp),
      subject: commonHeaders?.subject ?? null,
      tags: ownTags(tags),
    },
    events: read(report),
  };
}

/** The error of `JSON.parse` would quote the text in the log, with its addresses. */
function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error('A feedback message is not JSON.');
  }
}

const readings: { readonly [Type in SesEvent['eventType']]: (report: SesEventOf<Type>) => FeedbackEvent[] } = {
  Send: ({ mail }) => [{ type: 'accepted', ...ofMessage(mail) }],
  Delivery: ({ delivery }) =>
    delivery.recipients.map((address) => ({
      type: 'delivered',
      recipient: comparable(address),
      at: new Date(delivery.timestamp),
      answer: delivery.smtpResponse ?? null,
    })),
  Bounce: readBounce,
  Complaint: readComplaint,
  Open: ({ mail, open }) => [
    {
      type: 'opened',
      recipient: onlyRecipient(mail.destination),
      at: new Date(open.timestamp),
      occurrence: open.timestamp,
      userAgent: open.userAgent,
      isBot: open.isBotEvent === 'Likely',
    },
  ],
  Click: ({ mail, click }) => [
    {
      type: 'clicked',
      recipient: onlyRecipient(mail.destination),
      at: new Date(click.timestamp),
      occurrence: `${click.timestamp}#${click.link}`,
      userAgent: click.userAgent,
      isBot: click.isBotEvent === 'Likely',
      url: click.link,
    },
  ],
  DeliveryDelay: ({ deliveryDelay: { delayedRecipients, timestamp, delayType } }) =>
    delayedRecipients.map(({ emailAddress, diagnosticCode }) => ({
      type: 'delayed',
      recipient: comparable(emailAddress),
      at: new Date(timestamp),
      occurrence: timestamp,
      reason: delayType,
      diagnostic: diagnosticCode ?? null,
    })),
  Reject: ({ eventType, reject, mail }) => [
    { type: 'dropped', ...ofMessage(mail), cause: eventType, reason: reject.reason },
  ],
  'Rendering Failure': ({ failure, mail }) => [
    { type: 'dropped', ...ofMessage(mail), cause: 'RenderingFailure', reason: failure.errorMessage },
  ],
  Subscription: () => [],
};

/** On SES's own suppression list of the account. Such bounces do not count in SES's rates (SES Developer Guide). */
const accountBounces = new Set(['OnAccountSuppressionList', 'Suppressed']);

/** For an event about a whole message, which has no time of its own. */
const ofMessage = ({ destination, timestamp }: z.output<typeof mail>) => ({
  recipients: [...new Set(destination.map(comparable))],
  at: new Date(timestamp),
});

/** Only permanent bounces count: after a transient one the address may still work. */
function readBounce({ bounce }: SesEventOf<'Bounce'>): FeedbackEvent[] {
  const { bounceType: type, bounceSubType: subtype, timestamp } = bounce;
  const at = new Date(timestamp);
  if (type !== 'Permanent')
    return bounce.bouncedRecipients.map(({ emailAddress, diagnosticCode }) => ({
      type: 'undelivered',
      recipient: comparable(emailAddress),
      at,
      failure: { type, diagnostic: diagnosticCode ?? null },
    }));
  return bounce.bouncedRecipients.map(({ emailAddress, diagnosticCode }) => ({
    type: 'bounced',
    recipient: comparable(emailAddress),
    at,
    byAccount: accountBounces.has(subtype),
    bounce: { type, subtype, diagnostic: diagnosticCode ?? null },
  }));
}

/** Marked as spam by the recipient, or on the account's suppression list after an earlier complaint. */
function readComplaint({ complaint }: SesEventOf<'Complaint'>): FeedbackEvent[] {
  return complaint.complainedRecipients.map(({ emailAddress }) => ({
    type: 'complained',
    recipient: comparable(emailAddress),
    at: new Date(complaint.timestamp),
    byAccount: complaint.complaintSubType === 'OnAccountSuppressionList',
    complaint: { feedbackType: complaint.complaintFeedbackType ?? null },
  }));
}

/** An address as SES reports it, perhaps with a display name, in the normalized form that is compared. */
function comparable(text: string): string {
  const bracketed = /<([^<>]*)>\s*$/.exec(text);
  return addressKey(bracketed?.[1] ?? text);
}

/** The recipient who opened or clicked; null when there are several, since SES does not say which one it was. */
function onlyRecipient(destination: readonly string[]): string | null {
  const [first, ...others] = destination;
  return first !== undefined && others.length === 0 ? comparable(first) : null;
}
