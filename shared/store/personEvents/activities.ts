import type { EventActivities } from '../../domain/segment/segment.ts';
import { batchGet } from '../table/batches.ts';
import { activityKey, activityPartition } from '../table/keys.ts';
import { type Item, queryPages } from '../table/table.ts';

/** What a segment reads of an activity. Checked by hand: a schema would take longer than the call may for a million rows. */
type ReadActivity = EventActivities extends ReadonlyMap<string, infer Each> ? Each : never;

function activityIn({ fields }: Item): ReadActivity {
  const { count, last, expires } = fields as Record<string, unknown>;
  if (typeof count !== 'number' || typeof last !== 'string' || typeof expires !== 'number')
    throw new Error('An activity in the audience index cannot be read.');
  return { count, last, expiresAt: expires };
}

/**
 * The activities of one shard of the audience for these events, to be asked in the order of the shard: each event is one
 * stream of the index in that order, read beside it page by page. What has passed is forgotten.
 */
export function activitiesOfShard(workspaceId: string, names: ReadonlySet<string>, shard: number) {
  const streams = [...names].map((name) => ({ name, rows: rowsOf(workspaceId, name, shard) }));
  return async (email: string): Promise<EventActivities> => {
    const found = new Map<string, ReadActivity>();
    for (const { name, rows } of streams) {
      const activity = await rows.at(email);
      if (activity) found.set(name, activity);
    }
    return found;
  };
}

function rowsOf(workspaceId: string, name: string, shard: number) {
  const pages = queryPages({
    ...{ index: 'audience', partition: activityPartition(workspaceId, name, shard) },
    attributes: [['email'], ['fields']],
  });
  let rows: readonly Item[] = [];
  let next = 0;
  let isOver = false;
  return {
    /** Addresses are ASCII, so that JavaScript orders them as DynamoDB does. */
    at: async (email: string): Promise<ReadActivity | null> => {
      for (;;) {
        while (next < rows.length && String(rows[next]?.email) < email) next += 1;
        const row = rows[next];
        if (row) return row.email === email ? activityIn(row) : null;
        if (isOver) return null;
        const page = await pages.next();
        isOver = page.done === true;
        rows = page.done ? [] : page.value.items;
        next = 0;
      }
    },
  };
}

/** The activities of these people for these events, by address: half a read unit each. Eventually consistent. */
export async function findActivities(
  workspaceId: string,
  emails: readonly string[],
  names: ReadonlySet<string>,
): Promise<Map<string, EventActivities>> {
  const keys = emails.flatMap((email) => [...names].map((name) => activityKey(workspaceId, email, name)));
  const items = await batchGet(keys, { consistent: false, attributes: [['email'], ['name'], ['fields']] });
  const found = new Map(emails.map((email) => [email, new Map<string, ReadActivity>()]));
  for (const item of items) found.get(String(item.email))?.set(String(item.name), activityIn(item));
  return found;
}
