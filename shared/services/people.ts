import { ServiceError } from '../contract/errors.ts';
import type { Output } from '../contract/route.ts';
import type { getSubscriberRoute } from '../contract/routes/subscribers.ts';
import type { addSuppressionRoute } from '../contract/routes/suppression.ts';
import { type Cause, isListenedTo, watchesSegments } from '../domain/automation/cause.ts';
import { leaveReasonOf } from '../domain/automation/run.ts';
import { causesOf, changeOf } from '../domain/automation/starting.ts';
import { formerPerson } from '../domain/automation/watching.ts';
import {
  haveSameValues,
  type KnownAddress,
  type Person,
  type Subscriber,
  type SubscriberStatus,
  type Suppression,
  type Via,
} from '../domain/person/person.ts';
import type { Lane, NewEvent } from '../domain/webhook/delivery.ts';
import type { WebhookEventType } from '../domain/webhook/webhook.ts';
import { topicId } from '../domain/workspace/topic.ts';
import { ContentionError, overtaken, untilSettled } from '../platform/deadline.ts';
import { logger } from '../platform/logger.ts';
import { sendAutomationMessages } from '../queue/automation.ts';
import { newChangePart, type StoredChange } from '../store/automation/changes.ts';
import { getAddress, savePerson } from '../store/person/people.ts';
import type { ShownOfSubscriber } from '../store/person/personRecord.ts';
import { addDelivery } from '../store/webhook/deliveries.ts';
import { type Listeners, readListeners } from '../store/webhook/webhooks.ts';
import { dispatchDeliveries, newDeliveries } from './events.ts';

/** The person to store, and the result of `changePerson`. */
export interface Decision<T> {
  readonly person: Person;
  readonly result: T;
  /** Written in the same transaction; if one of its conditions fails, `decide` runs again. */
  readonly more?: Parameters<typeof savePerson>[3];
}

/** Options of a change that is one of many. */
export interface BulkOptions {
  readonly alreadyRead?: AlreadyRead;
  /** Saves several people in one transaction (`savingTogether`); by default each is saved alone. */
  readonly save?: typeof savePerson;
  /** The lane of its events. */
  readonly lane?: Lane;
  /** The webhooks of the workspace and what its automations listen to, read at the first event. */
  readonly listeners?: () => Promise<Listeners>;
  /** True for what an import changes. */
  readonly isImport?: boolean;
  /** How many runs of automations caused one another before this change. */
  readonly depth?: number;
}

/** Read by the caller for many people at once. If the person has changed since, they are read again. */
export interface AlreadyRead {
  readonly address: KnownAddress;
  readonly listeners: Listeners;
}

/**
 * Reads a person, decides, and writes the person, their index entries and their events in one transaction. After a
 * conflict it reads and decides again, so `decide` may run several times and must not write. Nothing is written when it
 * returns the same person without `more`. Throws `conflict` after too many conflicts (`isBusy`).
 */
export async function changePerson<T>(
  position: { readonly workspaceId: string; readonly email: string },
  via: Via,
  now: Date,
  decide: (address: KnownAddress) => Decision<T> | Promise<Decision<T>>,
  {
    alreadyRead,
    save = savePerson,
    lane = 'live',
    listeners = () => readListeners(position.workspaceId),
    isImport = false,
    depth = 0,
  }: BulkOptions = {},
): Promise<T> {
  let first = alreadyRead?.address;
  let read: Promise<Listeners> | undefined;
  const known = () => (read ??= alreadyRead ? Promise.resolve(alreadyRead.listeners) : listeners());
  const attempt = async (): Promise<T | typeof overtaken> => {
    const address = first ?? (await getAddress(position.workspaceId, position.email));
    first = undefined;
    const { person, result, more = [] } = await decide(address);
    if (person === address.person && more.length === 0) return result;
    const events = eventsOf(address.person, person, via, now).map((event) => ({ ...event, lane }));
    const deliveries = await newDeliveries(position.workspaceId, events, async () => (await known()).webhooks);
    const change = events.length === 0 ? null : listenedChange(address.person, person, (await known()).listened);
    const together = deliveries.slice(0, maxDeliveriesOfChange);
    const stored = change && { ...change, byImport: isImport, depth, at: now };
    const parts = stored ? [...more, newChangePart(stored)] : more;
    if (!(await save(address.person, person, together, parts))) return overtaken;
    await Promise.all(deliveries.slice(maxDeliveriesOfChange).map(addDelivery));
    await dispatchDeliveries(deliveries);
    if (stored) await announceChange(stored);
    return result;
  };
  return untilSettled(attempt).catch((error: unknown) => {
    throw error instanceof ContentionError ? busy() : error;
  });
}

/** What automations listen to of a change; null for nothing. Leaving ends runs, whatever they listen to. */
function listenedChange(before: Person, after: Person, listened: ReadonlySet<Cause>) {
  if (listened.size === 0) return null;
  const change = changeOf(before, after, false);
  const isHeard = change.left !== null || causesOf(change).some((cause) => isListenedTo(listened, cause));
  const isWatched = watchesSegments(listened);
  if (!isHeard && !(isWatched && before.subscriber !== after.subscriber)) return null;
  const { workspaceId, email } = after;
  const own = { ...change, workspaceId, email, version: before.version + 1 };
  const { subscriber } = before;
  const former = subscriber && formerPerson(subscriber, leaveReasonOf(before) === null);
  return isWatched ? { ...own, before: former } : own;
}

/** It never throws: the sweeper looks for a change without a message. */
async function announceChange({ workspaceId, email, version }: StoredChange): Promise<void> {
  try {
    await sendAutomationMessages([{ entry: { kind: 'change', workspace_id: workspaceId, email, version } }]);
  } catch (error) {
    logger.error('A change could not be queued for automations; the sweeper will.', error as Error);
  }
}

/**
 * A transaction has 100 parts, of which a change of status takes 61 at most (`searchTerms`). Only where 20 webhooks listen
 * to everything are there more events than this; the last of them are then written after the change.
 */
const maxDeliveriesOfChange = 36;

const busy = (): ServiceError =>
  new ServiceError('conflict', {
    text: {
      en: 'Too many requests are changing this address at the same time; try again.',
      fr: 'Trop de requêtes modifient cette adresse en même temps ; réessayez.',
    },
    details: { status: busyStatus },
    retryAfterSeconds: 1,
  });

const busyStatus = 'busy';
/** True when a change failed only because of concurrent changes: it may be retried. */
export const isBusy = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'conflict' && error.details.status === busyStatus;

/** What a change of a person is for webhooks. */
function eventsOf(before: Person, after: Person, via: Via, at: Date): NewEvent[] {
  const { workspaceId, email, subscriber } = after;
  const events: Pick<NewEvent, 'type' | 'data'>[] = [];
  if (subscriber) {
    const data = { ...subscriberJson(email, subscriber), via };
    events.push(...subscriberTypes(before.subscriber, subscriber).map((type) => ({ type, data })));
    const topics = changedTopics(before, after);
    if (topics.length > 0) events.push({ type: 'subscriber.topics_updated', data: { ...data, topics } });
  }
  const { suppression } = after;
  if (suppression && !suppression.isErased && !before.suppression)
    events.push({
      type: 'suppression.added',
      data: suppressionJson({ email, reason: suppression.reason, scope: 'organization', createdAt: suppression.at }),
    });
  const origin = subscriber?.createdAt ?? suppression?.at;
  return events.map((event) => {
    const cause = [workspaceId, email, event.type, before.version + 1, origin].join('#');
    return { ...event, cause, at };
  });
}

/**
 * `created` when first stored, and nothing else then; `unsubscribed` and `confirmed` on every move into `unsubscribed` and
 * `subscribed`; `updated` for another status and for names, tags and fields.
 */
function subscriberTypes(before: Subscriber | null, after: Subscriber): WebhookEventType[] {
  if (!before) return ['subscriber.created'];
  const moved = before.status === after.status ? null : (typesOfMoves[after.status] ?? 'subscriber.updated');
  const types = new Set(moved ? [moved] : []);
  if (!haveSameValues(before, after)) types.add('subscriber.updated');
  return [...types];
}

const typesOfMoves: Partial<Record<SubscriberStatus, WebhookEventType>> = {
  unsubscribed: 'subscriber.unsubscribed',
  subscribed: 'subscriber.confirmed',
};

/** The topics that the person left or came back to. */
function changedTopics({ workspaceId, preferences: { leftTags: before } }: Person, { preferences }: Person) {
  const { leftTags: after } = preferences;
  const of = (tag: string, subscription: 'opt_in' | 'opt_out') => ({
    id: topicId(workspaceId, tag),
    tag,
    subscription,
  });
  return [
    ...after.filter((tag) => !before.includes(tag)).map((tag) => of(tag, 'opt_out')),
    ...before.filter((tag) => !after.includes(tag)).map((tag) => of(tag, 'opt_in')),
  ];
}

/** A suppression as the API and the events represent it. */
export function suppressionJson({ email, reason, scope, createdAt }: Suppression): Output<typeof addSuppressionRoute> {
  return { object: 'suppression', email, reason, scope, created_at: createdAt };
}

export type SubscriberJson = Output<typeof getSubscriberRoute>;

/** A subscriber as the API and the events represent it. */
export function subscriberJson(
  email: string,
  subscriber: Subscriber,
): SubscriberJson & Record<ShownOfSubscriber, unknown> {
  return {
    object: 'subscriber',
    email,
    status: subscriber.status,
    firstName: subscriber.firstName,
    lastName: subscriber.lastName,
    tags: subscriber.tags,
    fields: subscriber.fields,
    created_at: subscriber.createdAt,
    updated_at: subscriber.updatedAt,
    confirmed_at: subscriber.confirmedAt,
    unsubscribed_at: subscriber.unsubscribedAt,
  };
}
