import { isSimulatorAddress } from '../address.ts';
import type { SuppressionReason } from '../person/person.ts';
import type { WebhookEventType } from '../webhook/webhook.ts';

/** The provider took the message. */
interface Accepted {
  readonly type: 'accepted';
  readonly recipients: readonly string[];
  readonly at: Date;
}

interface Delivered {
  readonly type: 'delivered';
  readonly recipient: string;
  readonly at: Date;
  /** The receiving server's answer. */
  readonly answer: string | null;
}

/** A permanent bounce. */
interface Bounced {
  readonly type: 'bounced';
  readonly recipient: string;
  readonly at: Date;
  /** True when the provider did not try: the address is on its account's suppression list. */
  readonly byAccount: boolean;
  readonly bounce: { readonly type: string; readonly subtype: string; readonly diagnostic: string | null };
}

/** Given up after a transient failure, or a bounce of which the provider cannot tell the kind: no address is at fault. */
interface Undelivered {
  readonly type: 'undelivered';
  readonly recipient: string;
  readonly at: Date;
  readonly failure: { readonly type: string; readonly diagnostic: string | null };
}

interface Complained {
  readonly type: 'complained';
  readonly recipient: string;
  readonly at: Date;
  /** True when the provider did not try: the address is on its account's suppression list. */
  readonly byAccount: boolean;
  readonly complaint: { readonly feedbackType: string | null };
}

interface Opened {
  readonly type: 'opened';
  /** Null when the message had several recipients: the provider does not say which of them it was. */
  readonly recipient: string | null;
  readonly at: Date;
  /** Distinguishes several opens by one recipient. */
  readonly occurrence: string;
  readonly userAgent: string;
  /** True when the provider takes the reader for a machine. */
  readonly isBot: boolean;
}

interface Clicked extends Omit<Opened, 'type'> {
  readonly type: 'clicked';
  readonly url: string;
}

/** Not delivered yet; the provider keeps trying. */
interface Delayed {
  readonly type: 'delayed';
  readonly recipient: string;
  readonly at: Date;
  /** Distinguishes several delays of one recipient. */
  readonly occurrence: string;
  readonly reason: string;
  readonly diagnostic: string | null;
}

/** The provider took the message and then did not send it. */
interface Dropped {
  readonly type: 'dropped';
  readonly recipients: readonly string[];
  readonly at: Date;
  readonly cause: string;
  readonly reason: string;
}

/** What the provider reports of a message. Only shared/email knows the provider's own format. */
export type FeedbackEvent =
  | (Accepted | Delivered | Delayed | Undelivered | Bounced | Complained)
  | (Opened | Clicked)
  | Dropped;
export type FeedbackEventType = FeedbackEvent['type'];
export type FeedbackEventOf<Type extends FeedbackEventType> = Extract<FeedbackEvent, { type: Type }>;

/** What an event of one type means, for single emails and campaigns alike. */
export interface EventMeaning<Type extends FeedbackEventType = FeedbackEventType> {
  /** False when SES never sent the message. */
  readonly wasSent: boolean;
  /**
   * True when it proves that all earlier acceptances have been reported. Only another acceptance does: an open may be
   * reported before an acceptance that is still queued.
   */
  readonly movesWatermark: boolean;
  /** True for actions of a reader, or of a machine in their place. */
  readonly isEngagement: boolean;
  /** Why its recipient must not be written to again; null when they may. */
  readonly suppression: Extract<SuppressionReason, 'bounce' | 'complaint'> | null;
  /** The webhook event that reports it, and its `data` besides the message. */
  readonly webhook: {
    readonly type: WebhookEventType;
    readonly details: (event: FeedbackEventOf<Type>) => Readonly<Record<string, unknown>>;
  };
  /** The event without the text of the receiving server, which may quote the recipient's address. */
  readonly withoutServerText: (event: FeedbackEventOf<Type>) => FeedbackEventOf<Type>;
}

type EventMeanings = { readonly [Type in FeedbackEventType]: EventMeaning<Type> };

/** A server may answer at any length, and each kilobyte of an event is paid for. */
const longestDiagnostic = 500;
const shortened = (text: string | null): string | null => text?.slice(0, longestDiagnostic) ?? null;

const unchanged = <Event>(event: Event): Event => event;
const none = { movesWatermark: false, isEngagement: false, suppression: null } as const;

/** The one place that decides what an event of the provider means. */
export const eventMeanings: EventMeanings = {
  accepted: {
    ...none,
    wasSent: true,
    movesWatermark: true,
    webhook: { type: 'email.sent', details: () => ({}) },
    withoutServerText: unchanged,
  },
  delivered: {
    ...none,
    wasSent: true,
    webhook: { type: 'email.delivered', details: () => ({}) },
    withoutServerText: (event) => ({ ...event, answer: null }),
  },
  bounced: {
    ...none,
    wasSent: true,
    suppression: 'bounce',
    webhook: { type: 'email.bounced', details: ({ bounce }) => ({ bounce }) },
    withoutServerText: (event) => ({ ...event, bounce: { ...event.bounce, diagnostic: null } }),
  },
  complained: {
    ...none,
    wasSent: true,
    suppression: 'complaint',
    webhook: {
      type: 'email.complained',
      details: ({ complaint }) => ({ complaint: { feedback_type: complaint.feedbackType } }),
    },
    withoutServerText: unchanged,
  },
  opened: {
    ...none,
    wasSent: true,
    isEngagement: true,
    webhook: {
      type: 'email.opened',
      details: ({ userAgent }) => ({ user_agent: userAgent, proxied: isProxiedOpen(userAgent) }),
    },
    withoutServerText: unchanged,
  },
  clicked: {
    ...none,
    wasSent: true,
    isEngagement: true,
    webhook: { type: 'email.clicked', details: ({ url, userAgent }) => ({ url, user_agent: userAgent }) },
    withoutServerText: unchanged,
  },
  delayed: {
    ...none,
    wasSent: true,
    webhook: {
      type: 'email.delayed',
      details: ({ reason, diagnostic }) => ({ delay: { type: reason, diagnostic: shortened(diagnostic) } }),
    },
    withoutServerText: (event) => ({ ...event, diagnostic: null }),
  },
  undelivered: {
    ...none,
    wasSent: true,
    webhook: {
      type: 'email.failed',
      details: ({ failure }) => ({ failure: { ...failure, diagnostic: shortened(failure.diagnostic) } }),
    },
    withoutServerText: (event) => ({ ...event, failure: { ...event.failure, diagnostic: null } }),
  },
  dropped: {
    ...none,
    wasSent: false,
    webhook: {
      type: 'email.failed',
      details: ({ cause, reason }) => ({ failure: { type: cause, diagnostic: shortened(reason) } }),
    },
    withoutServerText: unchanged,
  },
};

export function meaningOf<Event extends FeedbackEvent>(event: Event): EventMeaning<Event['type']> {
  return eventMeanings[event.type] as unknown as EventMeaning<Event['type']>;
}

/** An event that leads to a suppression: a permanent bounce or a complaint. */
export type FailureEvent = FeedbackEventOf<'bounced' | 'complained'>;

/** True when it counts in the workspace's bounce or complaint rate: not what the account's list or the simulator caused. */
export const countsAgainstReputation = ({ byAccount, recipient }: FailureEvent): boolean =>
  !byAccount && !isSimulatorAddress(recipient);

/**
 * Relays that fetch images for the reader, by their user agents: Gmail ("… (via ggpht.com GoogleImageProxy)"), Yahoo and
 * AOL ("YahooMailProxy; https://help.yahoo.com/…"), and others that call themselves an image proxy.
 */
const imageProxies = /ggpht\.com|YahooCacheSystem|(Image|Mail)[ _-]?Proxy/i;

/** Apple Mail Privacy Protection sends this user agent and nothing more: no platform, no version. */
const applePrivacy = /^Mozilla\/5\.0$/;

/**
 * True when an open came through a relay that hides the reader (Apple Mail Privacy Protection, the image proxies of
 * Gmail and Yahoo). The relay may fetch the message without anybody reading it.
 */
export function isProxiedOpen(userAgent: string): boolean {
  const text = userAgent.trim();
  return applePrivacy.test(text) || imageProxies.test(text);
}

/** Scanners follow every link within seconds of the delivery. */
const scannerSeconds = 10;

/** True when a machine clicked, and not the reader; one who was seen to open the message before may be as quick. */
export function isRobotClick(
  { at, isBot }: Pick<Clicked, 'at' | 'isBot'>,
  { sentAt, hasOpenedInPerson }: { readonly sentAt: Date; readonly hasOpenedInPerson: boolean },
): boolean {
  const isSoon = at.getTime() - sentAt.getTime() < scannerSeconds * 1000;
  return isBot || (isSoon && !hasOpenedInPerson);
}
