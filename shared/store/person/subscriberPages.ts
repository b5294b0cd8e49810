import type { Person, SubscriberStatus } from '../../domain/person/subscriber.ts';
import { subscribersOfStatusPartition, subscribersPartition } from '../table/keys.ts';
import { addressOfPosition, newestPositions } from '../table/newestPage.ts';
import { getPeople } from './people.ts';

/** Somebody on a page, and the position after which the next page would begin. */
export interface PageEntry {
  readonly person: Person;
  readonly position: string;
}

export interface Page {
  readonly entries: readonly PageEntry[];
  /** Position of the last entry read when there are more; null on the last page. */
  readonly next: string | null;
}

export interface PageWanted {
  readonly status?: SubscriberStatus | undefined;
  readonly limit: number;
  readonly after?: string | undefined;
}

/** Subscribers newest first: one query of keys and one batch read, whatever the size of the list. */
export async function pageOfSubscribers(workspaceId: string, wanted: PageWanted): Promise<Page> {
  const { index, partition } = wanted.status
    ? { index: 'status', partition: subscribersOfStatusPartition(workspaceId, wanted.status) }
    : { index: 'newest', partition: subscribersPartition(workspaceId) };
  const { positions, next } = await newestPositions(index, partition, wanted);
  return { entries: await entriesOf(workspaceId, positions.map(keyed), wanted.status), next };
}

const keyed = (position: string) => ({ position, email: addressOfPosition(position) });

/** An index lags behind its table by moments: whoever is not what it said any more is left out. */
export async function entriesOf(
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
    const wanted = row.status ?? status;
    if (!person?.subscriber || (wanted && person.subscriber.status !== wanted)) return [];
    return { person, position: row.position };
  });
}
