import * as z from 'zod';
import { addressKey } from '../domain/address/address.ts';
import { type FeedbackOrigin, feedbackOrigin } from './feedbackTags.ts';

/**
 * The events that SES publishes through a configuration set (SES Developer Guide, "Contents of event data that Amazon
 * SES publishes to Amazon SNS"). Only what the service acts on is read; anything else in them is left alone.
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
  ipAddress: z.string().default(''),
  isBotEvent: z.string().optional(),
});

const event = z.discriminatedUnion('eventType', [
  z.object({ eventType: z.literal('Send'), mail }),
  z.object({ eventType: z.literal('Reject'), mail, reject: z.object({ reason: z.string().default('') }) }),
  z.object({
    eventType: z.literal('Rendering Failure'),
    mail,
    failure: z.object({ errorMessage: z.string().default(''), templateName: z.string().default('') }),
  }),
  z.object({
    eventType: z.literal('Delivery'),
    mail,
    delivery: z.object({ timestamp: z.string(), recipients: z.array(z.string()) }),
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
      feedbackId: z.string().default(''),
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
      feedbackId: z.string().default(''),
    }),
  }),
  z.object({ eventType: z.literal('Open'), mail, open: engagement }),
  z.object({ eventType: z.literal('Click'), mail, click: engagement.extend({ link: z.string() }) }),
  z.object({ eventType: z.literal('Subscription'), mail }),
]);

export type SesEvent = z.output<typeof event>;
export type SesEventOf<Type extends SesEvent['eventType']> = Extract<SesEvent, { eventType: Type }>;

/** An event of a message that this service sent, with the email it belongs to. */
export interface Feedback<Type extends SesEvent['eventType'] = SesEvent['eventType']> {
  readonly origin: FeedbackOrigin;
  readonly event: SesEventOf<Type>;
}

/** What SES publishes once when the topic becomes its event destination: no JSON, and no event. */
const destinationNotice = 'Successfully validated SNS topic for Amazon SES event publishing.';

/**
 * Parses one event. Null for mail that this service did not send (no tags of ours). Throws what zod says of an event
 * that is not of AWS's form, so that it ends in the dead-letter queue and not in silence.
 */
export function parseFeedback(json: string): Feedback | null {
  if (json.trim() === destinationNotice) return null;
  const parsed = event.parse(parsedJson(json));
  const origin = feedbackOrigin(parsed.mail.tags);
  return origin && { origin, event: parsed };
}

/** The parser's own error would quote the text, and with it an address, in the log. */
function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error('A feedback message is not JSON.');
  }
}

/** An address as SES reports it, possibly with a display name, in the form that is compared. */
export function reportedAddress(text: string): string {
  const bracketed = /<([^<>]*)>\s*$/.exec(text);
  return addressKey(bracketed?.[1] ?? text);
}
