import { healthKey } from './table/keys.ts';
import { getItem } from './table/table.ts';

/** Reads an item that never exists. Throws when the table does not answer. Half a read unit. */
export async function readNothing(): Promise<void> {
  await getItem(healthKey, 'eventual');
}
