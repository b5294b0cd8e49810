import type { Input, Output } from '../../contract/route.ts';
import type { addSuppressionRoute } from '../../contract/routes/suppression.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import { leave } from '../../domain/person/consent.ts';
import type { Context } from '../context.ts';
import { personSubject } from '../operators/personSubject.ts';
import { operatorVerb } from '../operators/verb.ts';
import { changePerson } from '../subscribers/change.ts';
import { shownSuppression } from './shown.ts';

/** Blocks an address; a subscriber with it leaves, whatever the reason. The answer is the entry as it stands. */
export const addSuppression = operatorVerb(
  { action: 'suppression.add', needs: 'change', subject: ({ email }) => personSubject(email), byKeys: true },
  async (
    { workspaceId, now }: Context,
    input: Input<typeof addSuppressionRoute>,
  ): Promise<Output<typeof addSuppressionRoute>> => {
    const email = canonicalAddress(input.email);
    if (!email) throw new Error('A validated address did not parse.');
    const entry = await changePerson({ workspaceId, email }, 'api', now, ({ person: before }) => {
      const person = leave(before, input.reason, now);
      return { person, result: person.suppression };
    });
    if (!entry) throw new Error('A suppressed address has no suppression.');
    return shownSuppression({ email, reason: entry.reason, scope: 'organization', createdAt: entry.at });
  },
);
