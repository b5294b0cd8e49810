import type { Input, Result } from '../../contract/route.ts';
import type { upsertSubscriberRoute } from '../../contract/routes/subscribers.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import type { Context } from '../context.ts';
import { personSubject } from '../operators/personSubject.ts';
import { operatorVerb } from '../operators/verb.ts';
import { saveSubscriber } from './save.ts';

/** Adds or updates one subscriber; `created` for the one call that stored it first. */
export const upsertSubscriber = operatorVerb(
  { action: 'subscriber.save', needs: 'change', subject: ({ email }) => personSubject(email), byKeys: true },
  async (
    { workspaceId, now, actor }: Context,
    input: Input<typeof upsertSubscriberRoute>,
  ): Promise<Result<typeof upsertSubscriberRoute>> => {
    const email = canonicalAddress(input.email);
    if (!email) throw new Error('A validated address did not parse.');
    const saved = await saveSubscriber(
      {
        workspaceId,
        email,
        values: { firstName: input.firstName, lastName: input.lastName, tags: input.tags, fields: input.fields },
        doubleOptIn: input.double_opt_in !== false,
        via: 'api',
        claim: { how: 'api', by: actor.kind === 'key' ? actor.keyId : actor.kind },
      },
      now,
    );
    return { outcome: saved.created ? 'created' : 'updated', output: saved.subscriber };
  },
);
