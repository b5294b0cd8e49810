import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type IndexDefinition, table } from '../../../infra/resources.ts';

export type Item = Readonly<Record<string, AttributeValue>>;

/** DynamoDB's overhead for each item and each index entry, in its storage charge. */
const overheadBytes = 100;

/**
 * Bytes of an item as DynamoDB counts them: names and strings in UTF-8, a byte for two digits of a number and one more,
 * three bytes for a list or a map and one for each of its elements.
 */
export const itemBytes = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberBytes(value.N);
  if (value.B !== undefined) return value.B.length;
  if (value.SS) return value.SS.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (value.NS) return value.NS.reduce((sum, digits) => sum + numberBytes(digits), 0);
  if (value.L) return value.L.reduce((sum, element) => sum + 1 + valueBytes(element), 3);
  if (value.M) return 3 + Object.keys(value.M).length + itemBytes(value.M);
  return 1;
}

/** Leading and trailing zeros take no space. */
function numberBytes(digits: string): number {
  const significant = digits.replace(/^-|\./g, '').replace(/^0+|0+$/g, '');
  return Math.ceil(significant.length / 2) + 1 + (digits.startsWith('-') ? 1 : 0);
}

/** In the table, which point-in-time recovery stores once more, and in the indexes that hold the item. */
export function storedBytes(item: Item): { readonly table: number; readonly indexes: number } {
  const indexes: readonly IndexDefinition[] = table.indexes;
  const entries = indexes
    .filter(({ partitionKey, sortKey }) => item[partitionKey] && item[sortKey])
    .map(({ partitionKey, sortKey, projected }) => {
      const names = new Set([table.partitionKey, table.sortKey, partitionKey, sortKey, ...projected]);
      return itemBytes(Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)))) + overheadBytes;
    });
  return { table: itemBytes(item) + overheadBytes, indexes: entries.reduce((sum, bytes) => sum + bytes, 0) };
}
