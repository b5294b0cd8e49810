import { ValidationError } from '../../contract/errors.ts';
import { notFound } from '../../contract/notFound.ts';
import type { Input, Output, Result } from '../../contract/route.ts';
import type {
  deleteSubscriberRoute,
  getSubscriberRoute,
  listSubscribersRoute,
  updateSubscriberRoute,
  upsertSubscriberRoute,
} from '../../contract/routes/subscribers.ts';
import { canonicalAddress } from '../../domain/address.ts';
import { leave } from '../../domain/person/consent.ts';
import { foldText } from '../../domain/person/searchTerms.ts';
import { getAddress } from '../../store/person/people.ts';
import {
  type SubscriberPage as PersonPage,
  pageOfSubscribers,
  searchSubscribers,
  subscriberPosition,
} from '../../store/person/subscriberLists.ts';
import { keyBudget } from '../confirmations/keyBudget.ts';
import type { Context } from '../context.ts';
import { operatorVerb, personSubject } from '../operatorVerb.ts';
import { changePerson, subscriberJson } from '../people.ts';
import { changeSubscriber, saveSubscriber } from './saveSubscriber.ts';

/** Throws `not_found`, also for text that is not an address. */
export async function getSubscriber(
  { workspaceId }: Context,
  input: Input<typeof getSubscriberRoute>,
): Promise<Output<typeof getSubscriberRoute>> {
  const email = canonicalAddress(input.email);
  const subscriber = email && (await getAddress(workspaceId, email)).person.subscriber;
  if (!subscriber) throw notFound('subscriber');
  return subscriberJson(email, subscriber);
}

/** A Lambda response has at most 6 MB, and its JSON body is escaped within it: pages of large subscribers are cut. */
const pageBytes = 4_000_000;

export async function listSubscribers(
  { workspaceId }: Context,
  { q, status, limit, after }: Input<typeof listSubscribersRoute>,
): Promise<Result<typeof listSubscribersRoute>> {
  const position = after === undefined || q !== undefined ? after : await subscriberPosition(workspaceId, after);
  if (position === null) throw new ValidationError([{ path: 'after', text: unknownEntry }]);
  const query = { status, limit, after: position };
  const page = cut(
    q === undefined
      ? await pageOfSubscribers(workspaceId, query)
      : await searchSubscribers(workspaceId, foldText(q), query),
  );
  const entries = page.entries.flatMap(({ person: { email, subscriber } }) =>
    subscriber ? subscriberJson(email, subscriber) : [],
  );
  return { entries, next: page.next };
}

const unknownEntry = {
  en: 'is not the address of a subscriber of this list',
  fr: 'n’est pas l’adresse d’un abonné de cette liste',
};

function cut(page: PersonPage): PersonPage {
  let bytes = 0;
  const end = page.entries.findIndex(({ person }) => {
    bytes += Buffer.byteLength(JSON.stringify(person));
    return bytes > pageBytes;
  });
  if (end <= 0) return page;
  const entries = page.entries.slice(0, end);
  return { entries, next: entries.at(-1)?.position ?? null };
}

/** Adds or updates one subscriber; the outcome is `created` for the call that stored it first. */
export const upsertSubscriber = /* @__PURE__ */ operatorVerb(
  { action: 'subscriber.save', needs: 'change', subject: ({ email }) => personSubject(email), byKeys: 'unaudited' },
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
        budget: actor.kind === 'key' ? keyBudget(workspaceId, now) : null,
        claim: { how: 'api', by: actor.kind === 'key' ? actor.keyId : actor.kind },
      },
      now,
    );
    return { outcome: saved.created ? 'created' : 'updated', output: saved.subscriber };
  },
);

/** Changes a subscriber who exists. Throws `not_found`, also for text that is not an address. */
export const updateSubscriber = /* @__PURE__ */ operatorVerb(
  { action: 'subscriber.save', needs: 'change', subject: ({ email }) => personSubject(email), byKeys: 'unaudited' },
  async (
    { workspaceId, now }: Context,
    input: Input<typeof updateSubscriberRoute>,
  ): Promise<Output<typeof updateSubscriberRoute>> => {
    const email = canonicalAddress(input.email);
    if (!email) throw notFound('subscriber');
    const { firstName, lastName, fields, add_tags: addTags = [], remove_tags: removeTags = [] } = input;
    return changeSubscriber({ workspaceId, email }, { firstName, lastName, fields, addTags, removeTags }, now);
  },
);

/** Unsubscribes and suppresses the address; the record stays. Throws `not_found` for one that is only suppressed. */
export const deleteSubscriber = /* @__PURE__ */ operatorVerb(
  {
    action: 'subscriber.unsubscribe',
    needs: 'change',
    subject: ({ email }) => personSubject(email),
    byKeys: 'unaudited',
  },
  async (
    { workspaceId, now }: Context,
    input: Input<typeof deleteSubscriberRoute>,
  ): Promise<Output<typeof deleteSubscriberRoute>> => {
    const email = canonicalAddress(input.email);
    if (!email) throw notFound('subscriber');
    await changePerson({ workspaceId, email }, 'api', now, ({ person }) => {
      if (!person.subscriber) throw notFound('subscriber');
      return { person: leave(person, 'unsubscribe', now), result: undefined };
    });
    return { object: 'subscriber', email, status: 'unsubscribed', suppressed: true, deleted: false };
  },
);
