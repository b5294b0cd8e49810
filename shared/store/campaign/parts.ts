import { batchWrite } from '../table/batchWrite.ts';
import type { Key } from '../table/keys.ts';
import { pack, unpack } from '../table/packed.ts';
import { type Item, queryAll, type TransactionPart, tableName } from '../table/table.ts';

/** An item holds 400 KB at most (DynamoDB's limit), its keys included. */
const partBytes = 350_000;
/** A batch write takes 16 MB; four parts are far below it. */
const partsOfCall = 4;

/** A value too large for an item, as compressed JSON in numbered parts. */
export async function putParts(keyOf: (part: number) => Key, value: unknown, expiresAt?: number): Promise<void> {
  const bytes = await pack(value);
  const count = Math.max(1, Math.ceil(bytes.length / partBytes));
  const items = Array.from({ length: count }, (_, part) => ({
    ...keyOf(part),
    body: bytes.subarray(part * partBytes, (part + 1) * partBytes),
    parts: count,
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  }));
  for (let start = 0; start < items.length; start += partsOfCall) {
    await writeAll(items.slice(start, start + partsOfCall));
  }
}

/** A value in place of the one that stands there, in one item and so at once; null when it is too large for that. */
export async function wholePart(key: Key, value: unknown): Promise<TransactionPart | null> {
  const body = await pack(value);
  if (body.length > partBytes) return null;
  return { Put: { TableName: tableName(), Item: { ...key, body, parts: 1 } } };
}

/** The value behind `keyOf`; null when it was never written whole. */
export async function getParts<T>(keyOf: (part: number) => Key): Promise<T | null> {
  const first = keyOf(0);
  const prefix = first.sk.slice(0, -1);
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': first.pk, ':prefix': prefix },
    ConsistentRead: true,
  });
  const [head] = items;
  if (!head || items.length < Number(head.parts)) return null;
  // What was longer once has left the parts beyond.
  const whole = items.slice(0, Number(head.parts));
  return unpack<T>(Buffer.concat(whole.map(({ body }) => body as Uint8Array)));
}

export const writeAll = (items: readonly Item[]): Promise<void> =>
  batchWrite(items.map((item) => ({ PutRequest: { Item: item } })));
