import { isOutdated, mayRepeat, repeatConfirmation, requestConfirmation } from '../../domain/person/confirmation.ts';
import { isLiftedByConsent } from '../../domain/person/consent.ts';
import type { KnownAddress, Person } from '../../domain/person/subscriber.ts';
import { newSubscriber, withValues } from '../../domain/person/subscriberValues.ts';
import { changePerson } from '../subscribers/change.ts';
import { createConfirmationId } from './identifier.ts';
import { sendConfirmation } from './send.ts';

export interface ConsentRequest {
  readonly workspaceId: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Where the form was sent from, and the version of what it said. */
  readonly source?: string | undefined;
  readonly form?: string | undefined;
  /** When it was sent, ISO 8601 UTC: a message may come twice, and days later. */
  readonly askedAt?: string | undefined;
}

/**
 * Somebody typed this address into the public form: asks the person behind it for their consent, and sends the
 * question. Nothing else of a stranger's word is believed: a person who is known keeps names and status until they confirm.
 */
export async function askForConsent(form: ConsentRequest, now: Date): Promise<void> {
  const confirmationId = createConfirmationId();
  await changePerson(form, 'form', now, (address) => ({
    person: asked(address, form, confirmationId, now),
    result: undefined,
  }));
  await sendConfirmation(form.workspaceId, form.email, now);
}

function asked({ person, platform }: KnownAddress, form: ConsentRequest, confirmationId: string, now: Date): Person {
  const { suppression, confirmation } = person;
  const askedAt = form.askedAt ? new Date(form.askedAt) : now;
  if (platform || (suppression && !isLiftedByConsent(suppression.reason))) return person;
  if (person.subscriber?.status === 'subscribed') return person;
  if (isOutdated(askedAt, now) || hasLeftSince(person, askedAt)) return person;
  const subscriber = person.subscriber ?? withValues(newSubscriber('pending', now), form, now);
  const claim = { how: 'form' as const, source: form.source, form: form.form };
  if (!confirmation) return requestConfirmation({ ...person, subscriber }, confirmationId, now, claim);
  return mayRepeat(confirmation, askedAt) ? repeatConfirmation(person, confirmation, now, claim) : person;
}

/** Somebody who left, or was erased, after the form was sent has said the last word. */
function hasLeftSince({ suppression, subscriber }: Person, askedAt: Date): boolean {
  return [suppression?.at, subscriber?.unsubscribedAt].some((at) => at && new Date(at) > askedAt);
}
