import { randomUUID } from 'node:crypto';
import { deleteItems, putItems } from '../../table/batches.ts';
import type { Key } from '../../table/keys.ts';
import { keyOfItem, pack, queryAll, type TransactionPart, unpack } from '../../table/table.ts';
import { putPart } from '../../table/write.ts';

interface PartRecord {
  readonly body: Uint8Array;
  /** The number of parts. */
  readonly parts: number;
  /** The write that a part belongs to. Absent in earlier releases, which replaced no value of several parts. */
  readonly write?: string;
  readonly expires_at?: number;
}

/** DynamoDB's limit for an item is 400 KB, including its keys. */
const partBytes = 350_000;
/** A batch write takes at most 16 MB; four parts are far below that. */
const partsOfCall = 4;

/** Writes a value that is too large for an item as compressed JSON in numbered parts. */
export async function putParts(keyOf: (part: number) => Key, value: unknown, expiresAt?: number): Promise<void> {
  const bytes = await pack(value);
  const count = Math.max(1, Math.ceil(bytes.length / partBytes));
  const items = Array.from({ length: count }, (_, part): Key & PartRecord => ({
    ...keyOf(part),
    ...partOf(bytes, part),
    parts: count,
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  }));
  for (let start = 0; start < items.length; start += partsOfCall) {
    await putItems<PartRecord>(items.slice(start, start + partsOfCall));
  }
}

/** A transaction takes at most 4 MB. */
const partsOfTransaction = 10;

/** Replaces a value in one transaction, with the parts that are returned; null when it is too large for one. */
export async function replacingParts(keyOf: (part: number) => Key, value: unknown): Promise<TransactionPart[] | null> {
  const bytes = await pack(value);
  const count = Math.max(1, Math.ceil(bytes.length / partBytes));
  if (count > partsOfTransaction) return null;
  const write = randomUUID();
  return Array.from({ length: count }, (_, part) =>
    putPart<PartRecord>(keyOf(part), { ...partOf(bytes, part), parts: count, ...(count > 1 && { write }) }),
  );
}

const partOf = (bytes: Uint8Array, part: number) => ({
  body: bytes.subarray(part * partBytes, (part + 1) * partBytes),
});

/** The value of these parts; null when it was never written completely. */
export async function getParts<T>(keyOf: (part: number) => Key): Promise<T | null> {
  for (let look = 0; look < looks; look += 1) {
    const first = keyOf(0);
    const sort = { prefix: first.sk.slice(0, -1) };
    const items = await queryAll({ partition: first.pk, sort, consistency: 'strong' });
    const bySort = new Map(items.map((item) => [item.sk, item]));
    const head = bySort.get(first.sk);
    if (!head) return null;
    // An earlier, longer value may have left further parts.
    const whole = Array.from({ length: Number(head.parts) }, (_, part) => bySort.get(keyOf(part).sk));
    if (whole.some((item) => item === undefined)) return null;
    // A query is no snapshot: another write may have replaced some of the parts meanwhile.
    if (whole.some((item) => item?.write !== head.write)) continue;
    return unpack<T>(Buffer.concat(whole.map((item) => item?.body as Uint8Array)));
  }
  throw new Error('A value was replaced again and again while it was read.');
}

const looks = 5;

/** Deletes the parts of a value, however many there are. */
export async function deleteParts(keyOf: (part: number) => Key): Promise<void> {
  const first = keyOf(0);
  const items = await queryAll({ partition: first.pk, sort: { prefix: first.sk.slice(0, -1) }, consistency: 'strong' });
  await deleteItems(items.map((item) => keyOfItem(item)));
}
