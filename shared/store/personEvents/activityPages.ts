import * as z from 'zod';
import { activityPartition, audienceShards } from '../table/keys.ts';
import { queryPages } from '../table/table.ts';

/** Who ever had an event of a name, as the index has it. */
export interface IndexedActivity {
  readonly email: string;
  /** The timestamp of the latest event, ISO 8601 UTC. */
  readonly last: string;
}

const indexed = z.object({ audience_sk: z.string(), fields: z.object({ last: z.string() }) });

/** The people of each shard of the index, in order of their addresses; to be read in parallel. Eventually consistent. */
export const activityPages = (workspaceId: string, name: string): AsyncGenerator<IndexedActivity[]>[] =>
  Array.from({ length: audienceShards }, (_, shard) => pagesOfShard(activityPartition(workspaceId, name, shard)));

async function* pagesOfShard(partition: string): AsyncGenerator<IndexedActivity[]> {
  for await (const { items } of queryPages({ index: 'audience', partition })) {
    yield items.map((item) => {
      const { audience_sk: email, fields } = indexed.parse(item);
      return { email, last: fields.last };
    });
  }
}
