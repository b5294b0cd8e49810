import type { AddressReplacer } from '../../domain/person/erased.ts';
import { overtaken, untilSettled } from '../../platform/deadline.ts';
import { deleteItems } from '../table/batches.ts';
import type { Change } from '../table/expression.ts';
import { getItem, type Item, keyOfItem } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { changeItem, deletePart, putPart } from '../table/write.ts';
import { personalItemOf } from './personalItem.ts';

/** Erases a person from an item of their workspace; true when it was changed. Repeats after a concurrent change. */
export async function eraseFromItem(item: Item, replacer: AddressReplacer): Promise<boolean> {
  let stored: Item | null = item;
  return untilSettled(async () => {
    const { erased = null, followers = [] } = (stored && (await personalItemOf(stored, replacer))) ?? {};
    // First, since only the item itself leads to them.
    await deleteItems(followers);
    if (!stored || !erased) return followers.length > 0;
    if (await replaceItem(stored, erased)) return true;
    stored = await getItem(keyOfItem(item));
    return overtaken;
  });
}

/**
 * Replaces an item by another version of it, possibly under another key, unless the changed attributes were changed
 * concurrently. False in that case.
 */
async function replaceItem(before: Item, after: Item): Promise<boolean> {
  const [from, to] = [keyOfItem(before), keyOfItem(after)];
  const unchanged = (names: readonly string[]): Pick<Change<Item>, 'expect' | 'if'> => ({
    expect: names.map((name) => [name, before[name]] as const),
    if: [['pk', 'exists']],
  });
  if (from.pk === to.pk && from.sk === to.sk) {
    const names = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
    const set = names.map((name) => [name, after[name]] as const);
    const remove = names.filter((name) => after[name] === undefined);
    return (await changeItem<Item>(from, { set, remove, ...unchanged(names) })) !== null;
  }
  const names = Object.keys(before).filter((name) => name !== 'pk' && name !== 'sk');
  return (await transact([deletePart<Item>(from, unchanged(names)), putPart<Item>(to, after)])) === null;
}
