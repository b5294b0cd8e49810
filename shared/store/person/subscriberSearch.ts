import { isFirstMatch, prefixOf } from '../../domain/person/searchTerms.ts';
import { type SubscriberStatus, subscriberStatuses } from '../../domain/person/subscriber.ts';
import { QueryCommand } from '../dynamodb/commands.ts';
import { termPartition } from '../table/keys.ts';
import { documents, type Item, tableName } from '../table/table.ts';
import { entriesOf, type Page, type PageWanted } from './subscriberPages.ts';

interface Row {
  readonly position: string;
  readonly email: string;
  readonly status: SubscriberStatus;
}

/** What was read of one status, in order. `frontier` is how far; null when there is nothing beyond. */
interface Stream {
  readonly status: SubscriberStatus;
  readonly rows: Row[];
  frontier: string | null;
}

/** A page whose terms nearly all belong to few people would take more reads: it comes back short instead. */
const mostRounds = 6;

/**
 * Whose address or names have a word that begins with `query` (folded), in order of the term found: one query of a
 * narrow partition per status, merged. A person with several such terms is listed at the first of them.
 */
export async function searchSubscribers(
  workspaceId: string,
  query: string,
  { status, limit, after }: PageWanted,
): Promise<Page> {
  const read = (stream: Stream, from: string | undefined) => extend(stream, workspaceId, query, limit + 1, from);
  const streams = (status ? [status] : subscriberStatuses).map(
    (each): Stream => ({ status: each, rows: [], frontier: '' }),
  );
  await Promise.all(streams.map((stream) => read(stream, after)));
  for (let round = 1; round < mostRounds && known(streams).length <= limit; round += 1) {
    const last = behind(streams);
    if (!last) break;
    await read(last, last.frontier ?? undefined);
  }
  const rows = known(streams);
  const page = rows.slice(0, limit);
  const isAll = rows.length <= limit && !behind(streams);
  const next = isAll ? null : rows.length > limit ? page.at(-1)?.position : behind(streams)?.frontier;
  return { entries: await entriesOf(workspaceId, page, status), next: next ?? null };
}

async function extend(
  stream: Stream,
  workspaceId: string,
  query: string,
  limit: number,
  from: string | undefined,
): Promise<void> {
  const pk = termPartition(workspaceId, stream.status, prefixOf(query) ?? '');
  const { Items, LastEvaluatedKey } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :query)',
      ExpressionAttributeValues: { ':pk': pk, ':query': query },
      Limit: limit,
      ...(from === undefined ? {} : { ExclusiveStartKey: { pk, sk: from } }),
    }),
  );
  stream.frontier = LastEvaluatedKey ? String(LastEvaluatedKey.sk) : null;
  for (const item of Items ?? []) {
    if (isFirstMatch(Number(item.shared), query)) stream.rows.push(rowOf(item, stream.status));
  }
}

const rowOf = (item: Item, status: SubscriberStatus): Row => ({
  position: String(item.sk),
  email: String(item.email),
  status,
});

/** The rows that no stream can still come before, in order. */
function known(streams: readonly Stream[]): Row[] {
  const bound = behind(streams)?.frontier;
  const rows = streams.flatMap((stream) => stream.rows).sort((a, b) => inOrder(a.position, b.position));
  return bound ? rows.filter(({ position }) => inOrder(position, bound) <= 0) : rows;
}

/** The stream that was read least far among those that have more. */
function behind(streams: readonly Stream[]): Stream | undefined {
  const open = streams.filter(({ frontier }) => frontier !== null);
  return open.sort((a, b) => inOrder(a.frontier ?? '', b.frontier ?? ''))[0];
}

/** As DynamoDB orders strings: by their UTF-8 bytes. */
const inOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
