import { canonicalAddress } from '../../domain/address.ts';
import { type Person, type SubscriberStatus, subscriberStatuses } from '../../domain/person/person.ts';
import { isFirstMatch, prefixOf } from '../../domain/person/searchTerms.ts';
import { type IndexName, subscribersOfStatusPartition, subscribersPartition, termPartition } from '../table/keys.ts';
import { type Item, idOfPosition, isPosition, newestPositions, positionAt, queryPage } from '../table/table.ts';
import { getAddress, getPeople } from './people.ts';

/** A person on a page, and the position after which the next page would begin. */
interface PageEntry {
  readonly person: Person;
  readonly position: string;
}

export interface SubscriberPage {
  readonly entries: readonly PageEntry[];
  /** Position of the last entry read when there are more; null on the last page. */
  readonly next: string | null;
}

/** Which subscribers. */
export interface SubscriberRange {
  readonly status?: SubscriberStatus | undefined;
  readonly limit: number;
  readonly after?: string | undefined;
}

/** Subscribers newest first: one query of keys and one batch read, whatever the size of the list. */
export async function pageOfSubscribers(workspaceId: string, range: SubscriberRange): Promise<SubscriberPage> {
  const { status } = range;
  const [index, partition]: [IndexName, string] = status
    ? ['status', subscribersOfStatusPartition(workspaceId, status)]
    : ['newest', subscribersPartition(workspaceId)];
  const { positions, next } = await newestPositions(index, partition, range);
  const rows = positions.map((position) => ({ position, email: idOfPosition(position) }));
  return { entries: await entriesOf(workspaceId, rows, status), next };
}

/** The position in the list by time that `after` gives, by itself or as an address; null if it is no subscriber's. */
export async function subscriberPosition(workspaceId: string, after: string): Promise<string | null> {
  if (isPosition(after)) return after;
  const email = canonicalAddress(after);
  const subscriber = email && (await getAddress(workspaceId, email)).person.subscriber;
  return subscriber ? positionAt(subscriber.createdAt, email) : null;
}

/** Addresses of unconfirmed people who were added before a time, newest first. `after` continues after a page. */
export async function pendingBefore(workspaceId: string, before: string, limit: number) {
  const partition = subscribersOfStatusPartition(workspaceId, 'pending');
  const { positions, next } = await newestPositions('status', partition, { limit, after: before });
  return { emails: positions.map(idOfPosition), next };
}

/** The people of index rows. The index lags behind the table: people with another status by now are left out. */
async function entriesOf(
  workspaceId: string,
  rows: readonly { readonly position: string; readonly email: string; readonly status?: SubscriberStatus }[],
  status: SubscriberStatus | undefined,
): Promise<PageEntry[]> {
  const people = await getPeople(
    workspaceId,
    rows.map(({ email }) => email),
  );
  const found = new Map(people.map((person) => [person.email, person]));
  return rows.flatMap((row) => {
    const person = found.get(row.email);
    const expected = row.status ?? status;
    if (!person?.subscriber || (expected && person.subscriber.status !== expected)) return [];
    return { person, position: row.position };
  });
}

interface IndexRow {
  readonly position: string;
  readonly email: string;
  readonly status: SubscriberStatus;
}

/** The rows of one status that were read, in order, up to `frontier`; null at the end. */
interface Stream {
  readonly status: SubscriberStatus;
  readonly rows: IndexRow[];
  frontier: string | null;
}

/** A page whose terms belong to few people would need more reads: it is returned incomplete instead. */
const maxRounds = 6;

/**
 * Subscribers whose address or names contain a word that begins with `query` (folded), in order of the matching term:
 * one query of a narrow partition per status, merged. A person with several such terms is listed at the first one.
 */
export async function searchSubscribers(
  workspaceId: string,
  query: string,
  { status, limit, after }: SubscriberRange,
): Promise<SubscriberPage> {
  const read = (stream: Stream, from: string | undefined) => extend(stream, workspaceId, query, limit + 1, from);
  const streams = (status ? [status] : subscriberStatuses).map(
    (each): Stream => ({ status: each, rows: [], frontier: '' }),
  );
  await Promise.all(streams.map((stream) => read(stream, after)));
  for (let round = 1; round < maxRounds && known(streams).length <= limit; round += 1) {
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
  const after = from === undefined ? undefined : { pk, sk: from };
  const { items, last } = await queryPage({ partition: pk, sort: { prefix: query }, limit, after });
  stream.frontier = last ? String(last.sk) : null;
  for (const item of items) {
    if (isFirstMatch(Number(item.shared), query)) stream.rows.push(rowOf(item, stream.status));
  }
}

const rowOf = (item: Item, status: SubscriberStatus): IndexRow => ({
  position: String(item.sk),
  email: String(item.email),
  status,
});

/** The rows before which no stream can deliver another one, in order. */
function known(streams: readonly Stream[]): IndexRow[] {
  const bound = behind(streams)?.frontier;
  const rows = streams.flatMap((stream) => stream.rows).sort((a, b) => inOrder(a.position, b.position));
  return bound ? rows.filter(({ position }) => inOrder(position, bound) <= 0) : rows;
}

/** The stream that was read least far among those that have more rows. */
function behind(streams: readonly Stream[]): Stream | undefined {
  const open = streams.filter(({ frontier }) => frontier !== null);
  return open.sort((a, b) => inOrder(a.frontier ?? '', b.frontier ?? ''))[0];
}

/** DynamoDB's order of strings: by their UTF-8 bytes. */
const inOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
