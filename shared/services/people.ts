import { ServiceError } from '../contract/errors.ts';
import type { Output } from '../contract/route.ts';
import type { getSubscriberRoute } from '../contract/routes/subscribers.ts';
import type { KnownAddress, Person, Subscriber, Via } from '../domain/person/person.ts';
import type { Lane, NewEvent } from '../domain/webhook/delivery.ts';
import type { Webhook } from '../domain/webhook/webhook.ts';
import { ContentionError, overtaken, untilSettled } from '../platform/deadline.ts';
import { getAddress, savePerson } from '../store/person/people.ts';
import type { ShownOfSubscriber } from '../store/person/personRecord.ts';
import { listWebhooks } from '../store/webhook/webhooks.ts';
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
}

/** Read by the caller for many people at once. If the person has changed since, they are read again. */
export interface AlreadyRead {
  readonly address: KnownAddress;
  readonly webhooks: readonly Webhook[];
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
  { alreadyRead, save = savePerson, lane = 'live' }: BulkOptions = {},
): Promise<T> {
  let first = alreadyRead?.address;
  const webhooks = async () => alreadyRead?.webhooks ?? (await listWebhooks(position.workspaceId));
  const attempt = async (): Promise<T | typeof overtaken> => {
    const address = first ?? (await getAddress(position.workspaceId, position.email));
    first = undefined;
    const { person, result, more = [] } = await decide(address);
    if (person === address.person && more.length === 0) return result;
    const events = eventsOf(address.person, person, via, now).map((event) => ({ ...event, lane }));
    const deliveries = await newDeliveries(position.workspaceId, events, webhooks);
    if (!(await save(address.person, person, deliveries, more))) return overtaken;
    await dispatchDeliveries(deliveries);
    return result;
  };
  return untilSettled(attempt).catch((error: unknown) => {
    throw error instanceof ContentionError ? busy() : error;
  });
}

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

/** `subscriber.created` when first stored, `subscriber.unsubscribed` on every change to that status. */
function eventsOf(before: Person, after: Person, via: Via, at: Date): NewEvent[] {
  const { subscriber } = after;
  if (!subscriber) return [];
  const status = before.subscriber?.status;
  const isCreated = status === undefined;
  const hasUnsubscribed = status !== 'unsubscribed' && subscriber.status === 'unsubscribed';
  const type = isCreated ? 'subscriber.created' : hasUnsubscribed ? 'subscriber.unsubscribed' : null;
  if (!type) return [];
  const cause = [after.workspaceId, after.email, type, before.version + 1, subscriber.createdAt].join('#');
  return [{ type, cause, data: { ...subscriberJson(after.email, subscriber), via }, at }];
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
