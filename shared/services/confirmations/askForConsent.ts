import { randomBytes } from 'node:crypto';
import {
  isLiftedByConsent,
  isOutdated,
  mayRepeat,
  repeatConfirmation,
  requestConfirmation,
} from '../../domain/person/consent.ts';
import { type KnownAddress, newSubscriber, type Person, withValues } from '../../domain/person/person.ts';
import { logger } from '../../platform/logger.ts';
import { sendConfirmationMessage } from '../../queue/confirmation.ts';
import { changePerson } from '../people.ts';
import { sendConfirmation } from './sendConfirmation.ts';

/** A sign-up by the public form. */
export interface ConsentRequest {
  readonly workspaceId: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Network address of the sender, and the version of the form's text. */
  readonly source?: string | undefined;
  readonly form?: string | undefined;
  /** When the form was sent, ISO 8601 UTC. Its message may arrive twice, or days later. */
  readonly askedAt?: string | undefined;
}

/**
 * Requests and sends a confirmation to an address from the public form. Nothing else in the form is trusted, as anybody
 * may have typed it: a known person keeps their names and status until they confirm.
 */
export async function askForConsent(form: ConsentRequest, now: Date): Promise<void> {
  const confirmationId = createConfirmationId();
  await changePerson(form, 'form', now, (address) => ({
    person: withRequest(address, form, confirmationId, now),
    result: undefined,
  }));
  await sendConfirmation(form.workspaceId, form.email, now);
}

function withRequest(
  { person, platform }: KnownAddress,
  form: ConsentRequest,
  confirmationId: string,
  now: Date,
): Person {
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

/** True for a person who unsubscribed or was erased after the form was sent: their decision is the later one. */
function hasLeftSince({ suppression, subscriber }: Person, askedAt: Date): boolean {
  return [suppression?.at, subscriber?.unsubscribedAt].some((at) => at && new Date(at) > askedAt);
}

/** Identifies one request for consent; it is part of the confirmation link. */
export const createConfirmationId = (): string => randomBytes(16).toString('base64url');

/** Queues a stored request. Failures are only logged: the sweeper queues every request that is due. */
export async function queueConfirmation(workspaceId: string, email: string): Promise<void> {
  try {
    await sendConfirmationMessage({ kind: 'confirmation', workspaceId, email });
  } catch (error) {
    logger.error('A confirmation could not be queued; the sweeper will queue it.', { error: error as Error });
  }
}
