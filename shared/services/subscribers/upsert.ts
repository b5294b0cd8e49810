import type { upsertSubscriberRoute } from '../../contract/routes/subscribers.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import type { Call, Reply } from '../../http/call.ts';
import { saveSubscriber } from './save.ts';

/** Adds or updates one subscriber; 201 for the one call that stored it first. */
export async function upsertSubscriber({ caller, body, now }: Call<typeof upsertSubscriberRoute>): Promise<Reply> {
  const email = canonicalAddress(body.email);
  if (!email) throw new Error('A validated address did not parse.');
  const saved = await saveSubscriber(
    {
      workspaceId: caller.workspaceId,
      email,
      values: { firstName: body.firstName, lastName: body.lastName, tags: body.tags, fields: body.fields },
      doubleOptIn: body.double_opt_in !== false,
      via: 'api',
    },
    now,
  );
  return { status: saved.created ? 201 : 200, body: saved.record };
}
