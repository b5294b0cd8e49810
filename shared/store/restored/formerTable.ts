import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Campaign } from '../../domain/campaign/campaign.ts';
import { addressHash } from '../../domain/person/erased.ts';
import type { Person } from '../../domain/person/person.ts';
import { inParallel } from '../../platform/parallel.ts';
import { type CampaignPosition, getCampaignOf } from '../campaign/campaigns.ts';
import { keyOfSlice, type SlicePosition, sliceOf, untouchedSlice } from '../campaign/slices.ts';
import { type ScheduledEmail, scheduledOf } from '../emails/scheduledEmails.ts';
import { personOf } from '../person/personRecord.ts';
import type { ActivityRecord } from '../personEvents/personEventRecord.ts';
import { ensureSalt, suppressionOf } from '../suppression/platformSuppression.ts';
import { batchGet, nameOfKey } from '../table/batches.ts';
import type { Condition } from '../table/expression.ts';
import { blockKey, type Key, type RestoredKind, restoredKind, saltKey, workspaceKeyKey } from '../table/keys.ts';
import { documents, type Item, keyOfItem, queryAll, tableName } from '../table/table.ts';
import { putItem, upsertItem } from '../table/write.ts';
import { type ApiKey, apiKeyOf } from '../workspace/apiKeys.ts';

/*
 * Two tables with the same records: the own one, restored from a point in time, and the former one, which it replaces and
 * which is only read. `former` is the former one's name: null when it can no longer be read.
 */
export type Former = string | null;

/** A record of the own table with the former one: null when that has none, undefined when it cannot be read. */
interface Pair<Stored> {
  readonly here: Stored;
  readonly former: Stored | null | undefined;
}

export type RestoredRecord =
  | ({ readonly kind: 'person' } & Pair<Person>)
  | ({ readonly kind: 'scheduled' } & Pair<ScheduledEmail>);

/** People and scheduled emails of the own table, page by page. */
export async function* restoredRecords(former: Former): AsyncGenerator<readonly RestoredRecord[]> {
  for await (const items of pagesOfTable(tableName())) {
    const known = items.map((item) => ({ item, ...restoredKind(keyOfItem(item)) }));
    const own = known.filter(({ kind }) => kind === 'person' || kind === 'scheduled');
    const there = await readFormer(
      former,
      own.map(({ item }) => keyOfItem(item)),
    );
    yield own.map(({ item, kind, workspaceId = '' }): RestoredRecord => {
      const before = there(keyOfItem(item));
      if (kind === 'scheduled') return { kind, here: scheduledOf(item), former: before && scheduledOf(before) };
      return { kind: 'person', here: personOf(workspaceId, item), former: before && personOf(workspaceId, before) };
    });
  }
}

/** What the former table says that the own one must learn. */
export interface FormerPage {
  readonly people: readonly Person[];
  /** People whom a workspace has erased, by `erasedName`. */
  readonly erased: readonly string[];
  /** The platform's list. */
  readonly platform: readonly {
    readonly email: string;
    readonly reason: NonNullable<Person['suppression']>['reason'];
    readonly at: string;
  }[];
  /** Records of what was sent, and answers to Idempotency-Keys, that the own table lacked. */
  readonly added: number;
}

/**
 * The former table page by page. What is only ever added is written into the own table before its page is returned: what
 * was sent with its outcomes, events of people, the answers to Idempotency-Keys, hashes of suppressed addresses, refused confirmations.
 */
export async function* formerPages(former: string): AsyncGenerator<FormerPage> {
  await takeOverSalt(former);
  for await (const items of pagesOfTable(former)) {
    const blocks = items.filter((item) => isOf(item, 'block'));
    const mailboxes = items.filter((item) => isOf(item, 'mailbox'));
    await inParallel(writesAtOnce, [...blocks, ...mailboxes], addAttributes);
    const added = await addMissing(items.filter((item) => isOf(item, 'sent')));
    await inParallel(
      writesAtOnce,
      items.filter((item) => isOf(item, 'activity')),
      takeOverActivity,
    );
    yield {
      people: items.flatMap((item) => {
        const found = restoredKind(keyOfItem(item));
        return found?.kind === 'person' ? [personOf(found.workspaceId, item)] : [];
      }),
      erased: blocks.flatMap(erasedNames),
      platform: items
        .filter((item) => isOf(item, 'platformAddress'))
        .flatMap((item) => suppressionOf(item) ?? [])
        .map(({ email, reason, createdAt }) => ({ email, reason, at: createdAt })),
      added,
    };
  }
}

const isOf = (item: Item, kind: RestoredKind): boolean => restoredKind(keyOfItem(item))?.kind === kind;

/** A text for a person whom a workspace has erased. */
export const erasedName = async (workspaceId: string, email: string): Promise<string> =>
  nameOfBlock(workspaceId, blockKey(addressHash(await ensureSalt(), email)).pk);

const nameOfBlock = (workspaceId: string, pk: unknown): string => `${workspaceId}\n${pk}`;
const erasedPrefix = 'erased#';
const erasedNames = (block: Item): string[] =>
  Object.keys(block).flatMap((name) =>
    name.startsWith(erasedPrefix) ? nameOfBlock(name.slice(erasedPrefix.length), block.pk) : [],
  );

/** What a hash stands for depends on the salt: with two of them, erased and refusing people would not be recognised. */
async function takeOverSalt(former: string): Promise<void> {
  const salt = (await readFormer(former, [saltKey]))(saltKey);
  if (!salt) return;
  await addMissing([salt]);
  if ((await ensureSalt()) !== salt.salt)
    throw new Error('The two tables have different salts: restore a later point.');
}

/** Adds what the item lacks: a refusal that came after the point is an attribute that the restored item does not have. */
async function addAttributes({ pk, sk, ...attributes }: Item): Promise<void> {
  await upsertItem<Item>(keyOfItem({ pk, sk }), { setIfAbsent: Object.entries(attributes) });
}

/** The sum of a person's events: the former table's, unless this one has counted further. */
async function takeOverActivity(item: Item): Promise<void> {
  const isOlder: Condition<ActivityRecord> = {
    any: [
      ['pk', 'absent'],
      ['last_id', '<', String(item.last_id)],
    ],
  };
  await putItem<ActivityRecord>(keyOfItem(item), item as unknown as ActivityRecord, { if: [isOlder] });
}

/** The campaign in the former table. */
export const formerCampaign = async (
  former: Former,
  position: CampaignPosition,
): Promise<Campaign | null | undefined> => (former === null ? undefined : getCampaignOf(former, position));

/** Slices in the former table, in order; one that was never written is empty. */
export async function formerSlices(former: string, positions: readonly SlicePosition[]) {
  const read = await readFormer(former, positions.map(keyOfSlice));
  return positions.map((position) => {
    const item = read(keyOfSlice(position));
    return item ? sliceOf(item) : untouchedSlice;
  });
}

/** The API keys of a workspace in the former table. */
export async function formerKeys(former: string, workspaceId: string): Promise<ApiKey[]> {
  const { pk: partition } = workspaceKeyKey(workspaceId, '');
  return (await queryAll({ partition, consistency: 'strong', table: former })).map(apiKeyOf);
}

async function* pagesOfTable(table: string): AsyncGenerator<Item[]> {
  let start: ScanCommandInput['ExclusiveStartKey'];
  do {
    const { Items = [], LastEvaluatedKey } = await documents.send(
      new ScanCommand({ TableName: table, ConsistentRead: true, ExclusiveStartKey: start }),
    );
    yield Items;
    start = LastEvaluatedKey;
  } while (start);
}

type Reader = (key: Key) => Item | null | undefined;

async function readFormer(former: Former, keys: readonly Key[]): Promise<Reader> {
  if (former === null) return () => undefined;
  const items = await batchGet(keys, { consistent: true, table: former });
  const found = new Map(items.map((item) => [nameOf(item), item]));
  return (key) => found.get(nameOfKey(key)) ?? null;
}

const writesAtOnce = 16;

/** Adds items that the own table lacks, as they are; returns how many those were. */
async function addMissing(items: readonly Item[]): Promise<number> {
  const keys = items.map(keyOfItem);
  const here = new Set((await batchGet(keys, { consistent: true, attributes: [['pk'], ['sk']] })).map(nameOf));
  const missing = items.filter((item) => !here.has(nameOf(item)));
  const added = await inParallel(writesAtOnce, missing, (item) =>
    putItem<Item>(keyOfItem(item), item, { if: [['pk', 'absent']] }),
  );
  return added.filter(Boolean).length;
}

const nameOf = (item: Item): string => nameOfKey(keyOfItem(item));
