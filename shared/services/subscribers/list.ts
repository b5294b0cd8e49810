import type { Input, Result } from '../../contract/route.ts';
import type { listSubscribersRoute } from '../../contract/routes/subscribers.ts';
import { foldText } from '../../domain/person/searchTerms.ts';
import { type Page as PersonPage, pageOfSubscribers } from '../../store/person/subscriberPages.ts';
import { searchSubscribers } from '../../store/person/subscriberSearch.ts';
import type { Context } from '../context.ts';
import { shownSubscriber } from './shown.ts';

/** Lambda answers 6 MB at most, and a JSON body travels escaped in another one: a page of giants is cut short. */
const pageBytes = 4_000_000;

export async function listSubscribers(
  { workspaceId }: Context,
  { q, status, limit, after }: Input<typeof listSubscribersRoute>,
): Promise<Result<typeof listSubscribersRoute>> {
  const wanted = { status, limit, after };
  const found =
    q === undefined
      ? await pageOfSubscribers(workspaceId, wanted)
      : await searchSubscribers(workspaceId, foldText(q), wanted);
  const page = cut(found);
  const entries = page.entries.flatMap(({ person: { email, subscriber } }) =>
    subscriber ? shownSubscriber(email, subscriber) : [],
  );
  return { entries, next: page.next };
}

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
