import type { ConsentClaim, ConsentProof } from './consentProof.ts';
import type { Preferences } from './preferences.ts';
import type { Suppression, SuppressionReason } from './suppression.ts';

export const subscriberStatuses = ['pending', 'subscribed', 'unsubscribed', 'bounced', 'complained'] as const;
export type SubscriberStatus = (typeof subscriberStatuses)[number];

export type FieldValue = string | number | boolean;

/** How a person came or went, as the events tell it. */
export type Via = 'api' | 'form' | 'link' | 'feedback';

/** Times are ISO 8601 UTC. */
export interface Subscriber {
  readonly status: SubscriberStatus;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly tags: readonly string[];
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly confirmedAt: string | null;
  readonly unsubscribedAt: string | null;
  /** The oldest first; none of those whom an earlier release registered. */
  readonly consents?: readonly ConsentProof[] | undefined;
}

/** An open request for consent. Every round is one message; the links of all its rounds are good. */
export interface Confirmation {
  readonly id: string;
  readonly round: number;
  readonly requestedAt: string;
  /** When a worker last began to send this round; null before. */
  readonly claimedAt: string | null;
  /** True when all that this worker did is known; else its message may be out. */
  readonly isEndKnown?: true | undefined;
  /** True when this round was begun again though the message of a worker before may be out. */
  readonly isRepeated?: true | undefined;
  readonly sentAt: string | null;
  /** When the sweeper looks at it next; null once it was sent. */
  readonly dueAt: string | null;
  /** Who asked for it. */
  readonly claim?: ConsentClaim | undefined;
}

/** A workspace's own. `isErased`: the person was erased, and only a salted hash keeps it. */
interface OwnSuppression {
  readonly reason: SuppressionReason;
  readonly at: string;
  readonly isErased?: true;
}

/** An address in a workspace: subscriber and suppression are one item, so that they can never contradict each other. */
export interface Person {
  readonly workspaceId: string;
  /** In the form of `addressKey`. */
  readonly email: string;
  /** Counts the writes; 0 when nothing is stored. */
  readonly version: number;
  readonly subscriber: Subscriber | null;
  readonly suppression: OwnSuppression | null;
  readonly confirmation: Confirmation | null;
  readonly preferences: Preferences;
}

/** What is known of an address before a decision: in the workspace, and on the platform's own list. */
export interface KnownAddress {
  readonly person: Person;
  readonly platform: Suppression | null;
}
