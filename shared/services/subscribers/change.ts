import { ServiceError } from '../../contract/errors.ts';
import type { KnownAddress, Person, Via } from '../../domain/person/subscriber.ts';
import type { Lane } from '../../domain/webhook/delivery.ts';
import type { NewEvent } from '../../domain/webhook/event.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import { ContentionError, overtaken, untilSettled } from '../../platform/contention.ts';
import { getAddress, savePerson } from '../../store/person/people.ts';
import { listWebhooks } from '../../store/webhook/webhooks.ts';
import { dispatchDeliveries } from '../events/dispatch.ts';
import { newDeliveries } from '../events/emit.ts';
import { shownSubscriber } from './shown.ts';

/** What is to be written, if anything, and what the caller wants to know of it. */
export interface Decision<T> {
  readonly person: Person;
  readonly result: T;
}

/** Of a change that is one of many. */
export interface OneOfMany {
  readonly alreadyRead?: AlreadyRead;
  /** Saves people side by side (`savingTogether`); without it this one is saved alone. */
  readonly save?: typeof savePerson;
  /** The lane of its events. */
  readonly lane?: Lane;
}

/** What the caller has just read for many people at once; somebody who was changed since is read again. */
export interface AlreadyRead {
  readonly address: KnownAddress;
  readonly webhooks: readonly Webhook[];
}

/**
 * Reads a person, decides, and writes the person, their index entries and their events in one transaction. Whoever is
 * overtaken reads and decides again, so that a decision always rests on what is stored. A decision that returns the
 * person it was given writes nothing. `decide` writes nothing itself: it may run several times.
 */
export async function changePerson<T>(
  position: { readonly workspaceId: string; readonly email: string },
  via: Via,
  now: Date,
  decide: (address: KnownAddress) => Decision<T> | Promise<Decision<T>>,
  { alreadyRead, save = savePerson, lane = 'live' }: OneOfMany = {},
): Promise<T> {
  let first = alreadyRead?.address;
  const webhooks = async () => alreadyRead?.webhooks ?? (await listWebhooks(position.workspaceId));
  const attempt = async (): Promise<T | typeof overtaken> => {
    const address = first ?? (await getAddress(position.workspaceId, position.email));
    first = undefined;
    const { person, result } = await decide(address);
    if (person === address.person) return result;
    const events = eventsOf(address.person, person, via, now).map((event) => ({ ...event, lane }));
    const deliveries = await newDeliveries(position.workspaceId, events, webhooks);
    if (!(await save(address.person, person, deliveries))) return overtaken;
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
      en: 'This address is being changed by many calls at once; try again.',
      fr: 'Cette adresse est modifiée par de nombreux appels à la fois ; réessayez.',
    },
    details: { status: busyStatus },
    retryAfterSeconds: 1,
  });

const busyStatus = 'busy';
/** Whether a change was refused only because others were changing the same person: nothing is said against it. */
export const isBusy = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'conflict' && error.details.status === busyStatus;

/** `created` when the subscriber is first stored, `unsubscribed` on every move into that status. */
function eventsOf(before: Person, after: Person, via: Via, at: Date): NewEvent[] {
  const { subscriber } = after;
  if (!subscriber) return [];
  const status = before.subscriber?.status;
  const isCreated = status === undefined;
  const hasLeft = status !== 'unsubscribed' && subscriber.status === 'unsubscribed';
  const type = isCreated ? 'subscriber.created' : hasLeft ? 'subscriber.unsubscribed' : null;
  if (!type) return [];
  const cause = [after.workspaceId, after.email, type, before.version + 1, subscriber.createdAt].join('#');
  return [{ type, cause, data: { ...shownSubscriber(after.email, subscriber), via }, at }];
}
