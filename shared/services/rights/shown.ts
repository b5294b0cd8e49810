import type { ConsentProof } from '../../domain/person/consentProof.ts';
import type { KnownAddress } from '../../domain/person/subscriber.ts';
import { getFormTexts } from '../../store/workspace/formTexts.ts';
import { shownSubscriber } from '../subscribers/shown.ts';

/** What is known of a person besides what was sent to them. */
export async function shownPerson({ person, platform }: KnownAddress) {
  const { workspaceId, email, subscriber, suppression, confirmation, preferences } = person;
  return {
    subscriber: subscriber && shownSubscriber(email, subscriber),
    consents: await shownConsents(workspaceId, subscriber?.consents ?? []),
    preferences: { untracked: preferences.isUntracked, left_kinds: preferences.leftTags },
    suppression: suppression && {
      reason: suppression.reason,
      created_at: suppression.at,
      erased: suppression.isErased ?? false,
    },
    platform_suppression: platform && { reason: platform.reason, created_at: platform.createdAt },
    confirmation: confirmation && {
      round: confirmation.round,
      requested_at: confirmation.requestedAt,
      sent_at: confirmation.sentAt,
    },
  };
}

/** With what each form said when it was sent. */
async function shownConsents(workspaceId: string, consents: readonly ConsentProof[]) {
  const texts = await getFormTexts(
    workspaceId,
    consents.flatMap(({ form }) => form ?? []),
  );
  return consents.map(({ how, by, source, form, requestedAt, at, confirmedFrom }) => ({
    how,
    at,
    by: by ?? null,
    source: source ?? null,
    form: form === undefined ? null : { version: form, ...texts.get(form) },
    requested_at: requestedAt ?? null,
    confirmed_from: confirmedFrom ?? null,
  }));
}
