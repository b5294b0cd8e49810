import type { addSuppressionRoute } from '../../contract/routes/suppression.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import { leave } from '../../domain/person/consent.ts';
import type { Call, Reply } from '../../http/call.ts';
import { changePerson } from '../subscribers/change.ts';
import { suppressionRecord } from './record.ts';

/** Blocks an address; a subscriber with it leaves, whatever the reason. The answer is the entry as it stands. */
export async function addSuppression({ caller, body, now }: Call<typeof addSuppressionRoute>): Promise<Reply> {
  const email = canonicalAddress(body.email);
  if (!email) throw new Error('A validated address did not parse.');
  const { workspaceId } = caller;
  const entry = await changePerson({ workspaceId, email }, 'api', now, ({ person: before }) => {
    const person = leave(before, body.reason, now);
    return { person, result: person.suppression };
  });
  if (!entry) throw new Error('A suppressed address has no suppression.');
  return {
    status: 201,
    body: suppressionRecord({ email, reason: entry.reason, scope: 'organization', createdAt: entry.at }),
  };
}
