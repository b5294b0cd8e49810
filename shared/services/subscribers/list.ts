import type { listSubscribersRoute } from '../../contract/routes/subscribers.ts';
import { foldText } from '../../domain/person/searchTerms.ts';
import type { Call, Reply } from '../../http/call.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { type Page, pageOfSubscribers } from '../../store/person/subscriberPages.ts';
import { searchSubscribers } from '../../store/person/subscriberSearch.ts';
import { recordOf } from './record.ts';

/** Lambda answers 6 MB at most, and a JSON body travels escaped in another one: a page of giants is cut short. */
const pageBytes = 4_000_000;

export async function listSubscribers({ caller, query }: Call<typeof listSubscribersRoute>): Promise<Reply> {
  const { workspaceId } = caller;
  const q = query.q === undefined ? undefined : foldText(query.q);
  const scope = { workspaceId, list: 'subscribers', filters: { status: query.status, q } };
  const after = await decodeCursor<string>(scope, query.cursor);
  const wanted = { status: query.status, limit: query.limit, after };
  const page = cut(
    q === undefined ? await pageOfSubscribers(workspaceId, wanted) : await searchSubscribers(workspaceId, q, wanted),
  );
  return {
    status: 200,
    body: {
      object: 'list',
      data: page.entries.map(({ person }) => recordOf(person)),
      has_more: page.next !== null,
      next_cursor: await encodeCursor(scope, page.next),
    },
  };
}

function cut(page: Page): Page {
  let bytes = 0;
  const end = page.entries.findIndex(({ person }) => {
    bytes += Buffer.byteLength(JSON.stringify(person));
    return bytes > pageBytes;
  });
  if (end <= 0) return page;
  const entries = page.entries.slice(0, end);
  return { entries, next: entries.at(-1)?.position ?? null };
}
