import { ServiceError } from '../../contract/errors.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import { getAddress } from '../../store/person/people.ts';
import type { Context } from '../context.ts';
import { personSubject } from '../operators/personSubject.ts';
import { requireOperator } from '../requireOperator.ts';
import { shownPerson } from './shown.ts';

/** What is known of a person, with each consent and its proof. Throws `not_found` for an address that nothing is known of. */
export async function showPerson(context: Context, input: { readonly email: string }) {
  requireOperator(context, 'read');
  const email = canonicalAddress(input.email);
  const known = email && (await getAddress(context.workspaceId, email));
  if (!known || !(known.person.subscriber || known.person.suppression || known.platform)) {
    throw new ServiceError('not_found');
  }
  return { object: 'person' as const, email, ...(await shownPerson(known)), audit_name: await personSubject(email) };
}
