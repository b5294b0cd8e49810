import { deleteItems, putItems } from '../../table/batches.ts';
import type { Key } from '../../table/keys.ts';
import { keyOfItem, pack, queryAll, type TransactionPart, unpack } from '../../table/table.ts';
import { putPart } from '../../table/write.ts';

interface PartRecord {
  readonly body: Uint8Array;
  /** The number of parts. */
  readonly parts: number;
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
    body: bytes.subarray(part * partBytes, (part + 1) * partBytes),
    parts: count,
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  }));
  for (let start = 0; start < items.length; start += partsOfCall) {
    await putItems<PartRecord>(items.slice(start, start + partsOfCall));
  }
}

/** Replaces a value in one item, and so atomically; null when it is too large for one item. */
export async function wholePart(key: Key, value: unknown): Promise<TransactionPart | null> {
  const body = await pack(value);
  if (body.length > partBytes) return null;
  return putPart<PartRecord>(key, { body, parts: 1 });
}

/** The value of these parts; null when it was never written completely. */
export async function getParts<T>(keyOf: (part: number) => Key): Promise<T | null> {
  const first = keyOf(0);
  const sort = { prefix: first.sk.slice(0, -1) };
  const items = await queryAll({ partition: first.pk, sort, consistency: 'strong' });
  const [head] = items;
  if (!head || items.length < Number(head.parts)) return null;
  // An earlier, longer value may have left further parts.
  const whole = items.slice(0, Number(head.parts));
  return unpack<T>(Buffer.concat(whole.map(({ body }) => body as Uint8Array)));
}

/** Deletes the parts of a value, however many there are. */
export async function deleteParts(keyOf: (part: number) => Key): Promise<void> {
  const first = keyOf(0);
  const items = await queryAll({ partition: first.pk, sort: { prefix: first.sk.slice(0, -1) }, consistency: 'strong' });
  await deleteItems(items.map((item) => keyOfItem(item)));
}
