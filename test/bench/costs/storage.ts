import { DynamoDBClient, paginateQuery, paginateScan } from '@aws-sdk/client-dynamodb';
import type { BenchService } from '../service.ts';
import { type Item, storedBytes } from './itemBytes.ts';

/** The average storage of one of something. */
export interface Stored {
  /** Bytes times the months that they are kept. */
  readonly tableByteMonths: number;
  readonly indexByteMonths: number;
  /** By kind of item: bytes in table and indexes, and days. */
  readonly kinds: Readonly<Record<string, { readonly items: number; readonly bytes: number; readonly days: number }>>;
}

export const daysOfMonth = 365 / 12;
const secondsOfDay = 86_400;

/** Every item of the service's table. */
export const itemsOf = (service: BenchService): Promise<Item[]> =>
  itemsFrom(service, (client, TableName) => [paginateScan({ client }, { TableName })]);

/** Every item of some partitions. */
export const itemsUnder = (service: BenchService, partitions: readonly string[]): Promise<Item[]> =>
  itemsFrom(service, (client, TableName) =>
    partitions.map((pk) =>
      paginateQuery(
        { client },
        { TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: pk } } },
      ),
    ),
  );

type Pages = AsyncIterable<{ readonly Items?: Item[] | undefined }>;

async function itemsFrom(
  { runtime: { environment } }: BenchService,
  read: (client: DynamoDBClient, tableName: string) => readonly Pages[],
): Promise<Item[]> {
  const client = new DynamoDBClient({
    region: 'us-east-1',
    endpoint: environment.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  try {
    const items: Item[] = [];
    for (const pages of read(client, environment.TABLE_NAME ?? '')) {
      for await (const { Items = [] } of pages) items.push(...Items);
    }
    return items;
  } finally {
    client.destroy();
  }
}

/**
 * The average storage of `count` things, from their items: `kindOf` names an item by its keys, and answers undefined for
 * an item that does not belong to them. An item that never expires counts for `keptDays`.
 */
export function storedOf(
  items: readonly Item[],
  count: number,
  kindOf: (pk: string, sk: string) => string | undefined,
  keptDays = 365,
): Stored {
  const measured = items.flatMap((item) => {
    const kind = kindOf(item.pk?.S ?? '', item.sk?.S ?? '');
    if (kind === undefined) return [];
    const expires = item.expires_at?.N;
    const days = expires === undefined ? keptDays : (Number(expires) - Date.now() / 1000) / secondsOfDay;
    return [{ kind, days, ...storedBytes(item) }];
  });
  const months = (of: 'table' | 'indexes') =>
    measured.reduce((sum, one) => sum + (one[of] * one.days) / daysOfMonth, 0) / count;
  const kinds = [...Map.groupBy(measured, ({ kind }) => kind)].map(([kind, found]) => {
    const mean = (of: (one: (typeof found)[number]) => number) =>
      found.reduce((sum, one) => sum + of(one), 0) / found.length;
    return [
      kind,
      {
        items: found.length / count,
        bytes: mean(({ table, indexes }) => table + indexes),
        days: mean(({ days }) => days),
      },
    ];
  });
  return { tableByteMonths: months('table'), indexByteMonths: months('indexes'), kinds: Object.fromEntries(kinds) };
}

/** `email 1.00 × 663 B for 365 days, …` */
export const keptText = ({ kinds }: Stored): string =>
  Object.entries(kinds)
    .map(
      ([kind, { items, bytes, days }]) =>
        `${kind} ${items.toFixed(2)} × ${bytes.toFixed(0)} B for ${days.toFixed(0)} days`,
    )
    .join(', ');
