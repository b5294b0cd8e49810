import { ServiceError, ValidationError } from '../../contract/errors.ts';
import { notFound } from '../../contract/notFound.ts';
import { maxFields, maxTags, tooManyFields, tooManyTags } from '../../contract/schemas/subscriber.ts';
import { mayRepeat, repeatConfirmation, requestConfirmation, subscribeDirectly } from '../../domain/person/consent.ts';
import {
  type ConsentClaim,
  type KnownAddress,
  newSubscriber,
  type Person,
  type Subscriber,
  type SubscriberStatus,
  type SubscriberValues,
  suppressionReasonTexts,
  type Via,
  withValues,
} from '../../domain/person/person.ts';
import { defaultSender, type Workspace } from '../../domain/workspace/workspace.ts';
import type { Text } from '../../language/text.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { createConfirmationId, queueConfirmation } from '../confirmations/askForConsent.ts';
import type { KeyBudget } from '../confirmations/keyBudget.ts';
import { checkDomain } from '../emails/checks.ts';
import { type BulkOptions, changePerson, type SubscriberJson, subscriberJson } from '../people.ts';

export interface SubscriberSave extends BulkOptions {
  readonly workspaceId: string;
  /** In the form of `canonicalAddress`. */
  readonly email: string;
  readonly values: SubscriberValues;
  /** False when the caller answers for the consent. */
  readonly doubleOptIn: boolean;
  readonly via: Via;
  /** Becomes the proof of consent when the consent is given. */
  readonly claim: ConsentClaim;
  /** Of a request of an API key: the budget of its confirmations. */
  readonly budget?: KeyBudget | null;
}

export interface SavedSubscriber {
  readonly created: boolean;
  readonly subscriber: SubscriberJson;
}

/**
 * Adds or updates a subscriber, and requests their confirmation where it is needed. Nothing is stored when it throws:
 * `conflict`, `suppressed_recipient`, or `validation_error` and `unverified_from_domain` when no confirmation can be sent
 * or the budget of the API keys is used up.
 */
export async function saveSubscriber(save: SubscriberSave, now: Date): Promise<SavedSubscriber> {
  const confirmationId = createConfirmationId();
  const workspace = save.doubleOptIn ? getWorkspace(save.workspaceId) : null;
  workspace?.catch(() => {});
  const { budget } = save;
  const decide = async (address: KnownAddress) => {
    refuseDeparted(address);
    const before = address.person;
    const after = withConsent(withSubscriber(before, save, now), save, confirmationId, now);
    const isRequested = after.confirmation !== null && after.confirmation !== before.confirmation;
    if (isRequested) {
      const { plan } = requireSender(await workspace);
      await budget?.take(plan);
    }
    return { person: after, result: { created: before.subscriber === null, after, isRequested } };
  };
  const saved = await changePerson(save, save.via, now, decide, save).catch(async (error: unknown) => {
    await budget?.giveBack();
    throw error;
  });
  if (!saved.isRequested) await budget?.giveBack();
  if (saved.isRequested) await queueConfirmation(save.workspaceId, save.email);
  const { subscriber } = saved.after;
  if (!subscriber) throw new Error('The saved person has no subscriber.');
  return { created: saved.created, subscriber: subscriberJson(save.email, subscriber) };
}

/** The person with the values on their existing or new subscriber. */
function withSubscriber(person: Person, { values, doubleOptIn, claim }: SubscriberSave, now: Date): Person {
  const before = person.subscriber ?? newSubscriber(doubleOptIn ? 'pending' : 'subscribed', now);
  const subscriber = withValues(before, values, now);
  refuseTooManyFields(subscriber);
  if (subscriber === person.subscriber) return person;
  const isDirect = person.subscriber === null && !doubleOptIn;
  return isDirect ? subscribeDirectly(person, subscriber, now, claim) : { ...person, subscriber };
}

/** A pending subscriber is asked to confirm, asked again, or subscribed because the caller answers for the consent. */
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

/** Throws when no confirmation could ever be sent. A suspension is temporary: confirmations wait until it is lifted. */
export function requireSender(workspace: Workspace | null): Workspace {
  const sender = workspace && defaultSender(workspace);
  if (!workspace || !sender) throw noSender();
  checkDomain(sender.email, sender.email, workspace.domains);
  return workspace;
}

const departedTexts: Partial<Record<SubscriberStatus, Text>> = {
  unsubscribed: {
    en: 'This person is unsubscribed: they unsubscribed, or the address was suppressed by hand. Only they can subscribe again, through the sign-up form.',
    fr: 'Cette personne est désabonnée : par elle-même, ou parce que l’adresse a été exclue à la main. Elle seule peut se réabonner, par le formulaire d’inscription.',
  },
  bounced: {
    en: 'Mail to this address bounces permanently.',
    fr: 'Les messages envoyés à cette adresse sont rejetés définitivement.',
  },
  complained: {
    en: 'This person has reported mail of this workspace as spam.',
    fr: 'Cette personne a signalé un message de cet espace comme indésirable.',
  },
};

/** Throws `conflict` for a subscriber who left, and `suppressed_recipient` for an address that is only suppressed. */
export function refuseDeparted({ person, platform }: KnownAddress): void {
  const status = person.subscriber?.status;
  const text = status && departedTexts[status];
  if (text) throw new ServiceError('conflict', { text, details: { status } });
  const own = person.suppression && { reason: person.suppression.reason, scope: 'organization' as const };
  const suppression = own ?? platform;
  if (!suppression) return;
  throw new ServiceError('suppressed_recipient', {
    text: {
      en: `${person.email} is on the suppression list (${suppressionReasonTexts[suppression.reason].en}).`,
      fr: `${person.email} est sur la liste d’exclusion (${suppressionReasonTexts[suppression.reason].fr}).`,
    },
    details: { recipients: [{ email: person.email, reason: suppression.reason, scope: suppression.scope }] },
  });
}

/** Changes of a subscriber who exists: tags are added and removed one by one, so that concurrent changes keep each other's. */
export interface SubscriberChange extends Omit<SubscriberValues, 'tags'> {
  readonly addTags: readonly string[];
  readonly removeTags: readonly string[];
}

/**
 * Changes a subscriber, and neither their status nor their confirmation. Throws `not_found`, `validation_error` for too
 * many tags or fields, and what `refuseDeparted` throws.
 */
export async function changeSubscriber(
  position: { readonly workspaceId: string; readonly email: string },
  { addTags, removeTags, ...values }: SubscriberChange,
  now: Date,
  options: Pick<BulkOptions, 'depth'> = {},
): Promise<SubscriberJson> {
  const subscriber = await changePerson(
    position,
    'api',
    now,
    (address) => {
      const { person } = address;
      const before = person.subscriber;
      if (!before) throw notFound('subscriber');
      refuseDeparted(address);
      const tags = [...before.tags, ...addTags].filter((tag) => !removeTags.includes(tag));
      const after = withValues(before, { ...values, tags }, now);
      if (after.tags.length > maxTags) throw new ValidationError([{ path: 'add_tags', text: tooManyTags }]);
      refuseTooManyFields(after);
      return { person: after === before ? person : { ...person, subscriber: after }, result: after };
    },
    options,
  );
  return subscriberJson(position.email, subscriber);
}

/** The limit applies to the stored fields, not to those of one call. */
function refuseTooManyFields({ fields }: Subscriber): void {
  if (Object.keys(fields).length > maxFields) throw new ValidationError([{ path: 'fields', text: tooManyFields }]);
}

const noSender = (): ValidationError =>
  new ValidationError([
    {
      path: 'double_opt_in',
      text: {
        en: 'the workspace has no default sender to send the confirmation from; register one, or send `false` and vouch for the consent',
        fr: 'l’espace n’a pas d’expéditeur par défaut pour envoyer la confirmation ; enregistrez-en un, ou envoyez `false` et attestez le consentement',
      },
    },
  ]);
