import { ServiceError } from '../../contract/errors.ts';
import { canonicalAddress } from '../../domain/address.ts';
import type { ConsentProof, KnownAddress, Preferences } from '../../domain/person/person.ts';
import { getAddress } from '../../store/person/people.ts';
import type { ShownOfPerson } from '../../store/person/personRecord.ts';
import { getFormTexts } from '../../store/workspace/publicPages.ts';
import type { Context } from '../context.ts';
import { personSubject, requireOperator } from '../operatorVerb.ts';
import { subscriberJson } from '../people.ts';

/** The stored person, with the proof of each consent. Throws `not_found` for an unknown address. */
export async function showPerson(context: Context, input: { readonly email: string }) {
  requireOperator(context, 'read');
  const email = canonicalAddress(input.email);
  const known = email && (await getAddress(context.workspaceId, email));
  if (!known || !(known.person.subscriber || known.person.suppression || known.platform)) {
    throw new ServiceError('not_found');
  }
  return { object: 'person' as const, email, ...(await personJson(known)), audit_name: await personSubject(email) };
}

/** The stored person without the mail that was sent to them. */
export async function personJson({ person, platform }: KnownAddress) {
  const { workspaceId, email, subscriber, suppression, confirmation, preferences } = person;
  const json = {
    subscriber: subscriber && subscriberJson(email, subscriber),
    consents: await consentsJson(workspaceId, subscriber?.consents ?? []),
    preferences: preferencesJson(preferences),
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
  return json satisfies Record<ShownOfPerson, unknown>;
}

/** What the person chose, with the proofs of their consent to tracking. `untracked`: neither opens nor clicks are tracked. */
const preferencesJson = ({ opens, clicks, leftTags, proofs = [] }: Preferences) => ({
  untracked: opens === 'denied' && clicks === 'denied',
  tracking: { opens, clicks },
  tracking_proofs: proofs.map(({ of, at, source, text, by, recordedAt }) => ({
    of,
    at,
    source,
    text,
    by: by ?? null,
    recorded_at: recordedAt,
  })),
  left_kinds: leftTags,
});

/** The consents, each with the text of its form at that time. */
async function consentsJson(workspaceId: string, consents: readonly ConsentProof[]) {
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
