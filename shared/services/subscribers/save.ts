import { mayRepeat, repeatConfirmation, requestConfirmation } from '../../domain/person/confirmation.ts';
import { subscribeDirectly } from '../../domain/person/consent.ts';
import type { ConsentClaim } from '../../domain/person/consentProof.ts';
import type { KnownAddress, Person, Via } from '../../domain/person/subscriber.ts';
import { newSubscriber, type SubscriberValues, withValues } from '../../domain/person/subscriberValues.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { createConfirmationId } from '../confirmations/identifier.ts';
import { queueConfirmation } from '../confirmations/queue.ts';
import { defaultSender } from '../confirmations/sender.ts';
import { checkDomain } from '../emails/checks.ts';
import { changePerson, type OneOfMany } from './change.ts';
import { noSender, refuseGone, refuseTooManyFields } from './refusals.ts';
import { type ShownSubscriber, shownSubscriber } from './shown.ts';

export interface SubscriberSave extends OneOfMany {
  readonly workspaceId: string;
  /** In the form of `canonicalAddress`. */
  readonly email: string;
  readonly values: SubscriberValues;
  /** False when the caller answers for the consent. */
  readonly doubleOptIn: boolean;
  readonly via: Via;
  /** Kept as the proof of consent once there is one. */
  readonly claim: ConsentClaim;
}

export interface SavedSubscriber {
  readonly created: boolean;
  readonly subscriber: ShownSubscriber;
}

/**
 * Adds a subscriber or updates the one that is there, and sees to the confirmation. Throws `conflict`,
 * `suppressed_recipient`, and when a confirmation is needed and cannot be sent `validation_error` or
 * `unverified_from_domain`: nothing is stored then.
 */
export async function saveSubscriber(save: SubscriberSave, now: Date): Promise<SavedSubscriber> {
  const confirmationId = createConfirmationId();
  const workspace = save.doubleOptIn ? getWorkspace(save.workspaceId) : null;
  workspace?.catch(() => {});
  const decide = async (address: KnownAddress) => {
    refuseGone(address);
    const before = address.person;
    const after = withConsent(withSubscriber(before, save, now), save, confirmationId, now);
    const asked = after.confirmation !== null && after.confirmation !== before.confirmation;
    if (asked) requireSender(await workspace);
    return { person: after, result: { created: before.subscriber === null, after, asked } };
  };
  const saved = await changePerson(save, save.via, now, decide, save);
  if (saved.asked) await queueConfirmation(save.workspaceId, save.email);
  const { subscriber } = saved.after;
  if (!subscriber) throw new Error('A saved subscriber is none.');
  return { created: saved.created, subscriber: shownSubscriber(save.email, subscriber) };
}

/** The values, on the subscriber that is there or a new one. */
function withSubscriber(person: Person, { values, doubleOptIn, claim }: SubscriberSave, now: Date): Person {
  const before = person.subscriber ?? newSubscriber(doubleOptIn ? 'pending' : 'subscribed', now);
  const subscriber = withValues(before, values, now);
  refuseTooManyFields(subscriber);
  if (subscriber === person.subscriber) return person;
  const isDirect = person.subscriber === null && !doubleOptIn;
  return isDirect ? subscribeDirectly(person, subscriber, now, claim) : { ...person, subscriber };
}

/** What becomes of somebody who has not said yes: asked, asked once more, or registered on the caller's word. */
function withConsent(
  person: Person,
  { doubleOptIn, claim }: SubscriberSave,
  confirmationId: string,
  now: Date,
): Person {
  const { subscriber, confirmation } = person;
  if (subscriber?.status !== 'pending') return person;
  if (!doubleOptIn) return subscribeDirectly(person, subscriber, now, claim);
  if (!confirmation) return requestConfirmation(person, confirmationId, now, claim);
  return mayRepeat(confirmation, now) ? repeatConfirmation(person, confirmation, now, claim) : person;
}

/** A confirmation that could never leave is refused now, while somebody listens. A suspension passes: it waits for that. */
export function requireSender(workspace: Workspace | null): void {
  const sender = workspace && defaultSender(workspace);
  if (!workspace || !sender) throw noSender();
  checkDomain(sender.email, sender.email, workspace.domains);
}
