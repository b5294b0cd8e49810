import type { Text } from '../../language/text.ts';

export const subscriberStatuses = ['pending', 'subscribed', 'unsubscribed', 'bounced', 'complained'] as const;
export type SubscriberStatus = (typeof subscriberStatuses)[number];

export type FieldValue = string | number | boolean;

/** How a person subscribed or unsubscribed, as webhook events report it. */
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
  /** Oldest first. */
  readonly consents?: readonly ConsentProof[] | undefined;
}

/** An open request for consent. Each round is one message; the links of all rounds are valid. */
export interface Confirmation {
  readonly id: string;
  readonly round: number;
  readonly requestedAt: string;
  /** When a process last claimed this round; null before. */
  readonly claimedAt: string | null;
  /** True when that process is known not to have sent the message; otherwise the message may be out. */
  readonly isEndKnown?: true | undefined;
  /** True when the round was claimed again although the first message may be out. */
  readonly isRepeated?: true | undefined;
  readonly sentAt: string | null;
  /** When the sweeper checks it next; null once it was sent. */
  readonly dueAt: string | null;
  /** Where the request came from. */
  readonly claim?: ConsentClaim | undefined;
}

/** An entry of the workspace's suppression list. `isErased`: of an erased person, stored under a salted hash. */
interface OwnSuppression {
  readonly reason: SuppressionReason;
  readonly at: string;
  readonly isErased?: true;
}

/** An address in a workspace. Subscriber and suppression are one item, so that they never contradict each other. */
export interface Person {
  readonly workspaceId: string;
  /** In the form of `addressKey`. */
  readonly email: string;
  /** Rises with each write; 0 when nothing is stored. */
  readonly version: number;
  readonly subscriber: Subscriber | null;
  readonly suppression: OwnSuppression | null;
  readonly confirmation: Confirmation | null;
  readonly preferences: Preferences;
}

/** What is stored of an address: in the workspace, and on the platform's suppression list. */
export interface KnownAddress {
  readonly person: Person;
  readonly platform: Suppression | null;
}

/** Values of a subscriber in a request. Absent ones are kept; null removes a name or a field. */
export interface SubscriberValues {
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly fields?: Readonly<Record<string, FieldValue | null>> | undefined;
}

/** A subscriber without values. */
export function newSubscriber(status: 'pending' | 'subscribed', now: Date): Subscriber {
  const at = now.toISOString();
  return {
    status,
    firstName: null,
    lastName: null,
    tags: [],
    fields: {},
    createdAt: at,
    updatedAt: at,
    confirmedAt: null,
    unsubscribedAt: null,
  };
}

/** The subscriber with new values: `tags` replaces, `fields` merges. Returns the same object when nothing changes. */
export function withValues(subscriber: Subscriber, values: SubscriberValues, now: Date): Subscriber {
  const changed = {
    firstName: nameOf(values.firstName, subscriber.firstName),
    lastName: nameOf(values.lastName, subscriber.lastName),
    tags: values.tags === undefined ? subscriber.tags : [...new Set(values.tags)],
    fields: merged(subscriber.fields, values.fields ?? {}),
  };
  if (haveSameValues(changed, subscriber)) return subscriber;
  return { ...subscriber, ...changed, updatedAt: now.toISOString() };
}

/** Names are stored trimmed; an empty one as null. */
function nameOf(given: string | null | undefined, kept: string | null): string | null {
  return given === undefined ? kept : given?.trim() || null;
}

function merged(kept: Subscriber['fields'], given: Readonly<Record<string, FieldValue | null>>): Subscriber['fields'] {
  const fields = new Map<string, FieldValue>(Object.entries(kept));
  for (const [name, value] of Object.entries(given)) {
    if (value === null) fields.delete(name);
    else fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

type ComparedValues = Pick<Subscriber, 'firstName' | 'lastName' | 'tags' | 'fields'>;

/** Compares as stored: the table does not keep the order of fields. */
export function haveSameValues(a: ComparedValues, b: ComparedValues): boolean {
  const text = ({ firstName, lastName, tags, fields }: ComparedValues) =>
    JSON.stringify([firstName, lastName, tags, Object.entries(fields).sort(([x], [y]) => (x < y ? -1 : 1))]);
  return text(a) === text(b);
}

/** What the service may track of the mail of one person. */
export const trackedActions = ['opens', 'clicks'] as const;
export type TrackedAction = (typeof trackedActions)[number];

export const trackingChoices = ['unknown', 'granted', 'denied'] as const;
export type TrackingChoice = (typeof trackingChoices)[number];

/** The proof of a consent to tracking, as an application gave it. */
export interface TrackingProof {
  readonly of: readonly TrackedAction[];
  /** When the person agreed, where, and to which words. */
  readonly at: string;
  readonly source: string;
  readonly text: string;
  /** The id of the API key that recorded it, and when. */
  readonly by?: string | undefined;
  readonly recordedAt: string;
}

/** What a person has chosen about the mail of a workspace: by their own link, or as an application says. */
export interface Preferences {
  /** `denied` is not tracked. Only the person's own link takes a refusal back. */
  readonly opens: TrackingChoice;
  readonly clicks: TrackingChoice;
  /** Tags (`name:value`) of the topics that they have left. */
  readonly leftTags: readonly string[];
  /** Oldest first. */
  readonly proofs?: readonly TrackingProof[] | undefined;
}

/** The preferences of a person who has chosen nothing. */
export const noPreferences: Preferences = { opens: 'unknown', clicks: 'unknown', leftTags: [] };

/** True when they equal `noPreferences`. */
export const areDefault = ({ opens, clicks, leftTags, proofs = [] }: Preferences): boolean =>
  opens === 'unknown' && clicks === 'unknown' && leftTags.length === 0 && proofs.length === 0;

export const suppressionReasons = ['unsubscribe', 'bounce', 'complaint', 'manual'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];
type SuppressionScope = 'organization' | 'platform';

/** A suppressed address (canonical form): by one workspace, or by the platform for all workspaces. */
export interface Suppression {
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly scope: SuppressionScope;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
}

const ranks: Record<SuppressionReason, number> = { manual: 1, unsubscribe: 2, bounce: 3, complaint: 4 };

/** A reason replaces another only when it ranks higher: complaint, bounce, unsubscribe, manual. */
export const suppressionRank = (reason: SuppressionReason): number => ranks[reason];

export const suppressionReasonTexts: Record<SuppressionReason, Text> = {
  unsubscribe: { en: 'unsubscribed', fr: 'désabonnement' },
  bounce: { en: 'dead address: mail to it bounced', fr: 'adresse morte : un e-mail y a rebondi' },
  complaint: { en: 'complaint', fr: 'plainte' },
  manual: { en: 'blocked by hand', fr: 'blocage manuel' },
};

export const consentWays = ['api', 'form', 'import'] as const;

/** Where a claim of a person's consent comes from, before the person has confirmed it. */
export interface ConsentClaim {
  readonly how: (typeof consentWays)[number];
  /** For `api` the id of the key, for `import` the name of the file. */
  readonly by?: string | undefined;
  /** For `form` the network address that it was sent from, and the version of the form's text. */
  readonly source?: string | undefined;
  readonly form?: string | undefined;
}

/** The proof of a consent. Times are ISO 8601 UTC. */
export interface ConsentProof extends ConsentClaim {
  readonly at: string;
  /** When the confirmation was requested, and the network address that confirmed it; absent without a confirmation. */
  readonly requestedAt?: string | undefined;
  readonly confirmedFrom?: string | undefined;
}

/** Of more proofs, the first and the latest are kept. */
const maxProofs = 5;

export const keptProofs = <Proof>(proofs: readonly Proof[]): readonly Proof[] =>
  proofs.length > maxProofs ? [...proofs.slice(0, 1), ...proofs.slice(1 - maxProofs)] : proofs;

/** Adds a proof; those of earlier subscriptions are kept. */
export function withProof<Proven extends { readonly consents?: readonly ConsentProof[] | undefined }>(
  subscriber: Proven,
  proof: ConsentProof,
): Proven {
  return { ...subscriber, consents: keptProofs([...(subscriber.consents ?? []), proof]) };
}
