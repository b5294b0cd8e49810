import type { Item } from '../table/table.ts';

/*
 * What is reported of an email after it was copied is in the table, in an item that either goes on from the copied
 * outcome or, when that had left the table, begins anew.
 */

/** An outcome as the copy has it and as later reports have changed it. */
export function mergedOutcome(copied: Item | undefined, later: Item | undefined): Item {
  if (!copied || !later) return later ?? copied ?? {};
  if (goesOn(copied, later)) return later;
  const status = Number(later.rank ?? 0) > Number(copied.rank ?? 0) ? later : copied;
  const merged: Item = { ...later, ...copied, ...pick(status, ['status', 'rank', 'updated_at']) };
  for (const name of sets) {
    const members = allMembers(copied, later, name);
    if (members.length > 0) merged[name] = new Set(members.slice(0, mostKept));
  }
  const more = Number(copied.story_more ?? 0) + Number(later.story_more ?? 0) + omittedOf(copied, later);
  return more > 0 ? { ...merged, story_more: more } : merged;
}

const sets = ['delays', 'opens', 'clicks'] as const;
/** As many as an outcome keeps of each (outcomeEvents.ts). */
const mostKept = 10;

const allMembers = (copied: Item, later: Item, name: string): string[] => [
  ...new Set([...membersOf(copied, name), ...membersOf(later, name)]),
];

const membersOf = (item: Item, name: string): string[] => [...((item[name] as Set<string> | undefined) ?? [])];

/** How many members exceed what is kept, counted once each. */
const omittedOf = (copied: Item, later: Item): number =>
  sets.reduce((sum, name) => sum + Math.max(0, allMembers(copied, later, name).length - mostKept), 0);

/** Whether the later item contains everything that was reported before. */
function goesOn(copied: Item, later: Item): boolean {
  return Object.entries(copied).every(([name, value]) => {
    if (value instanceof Set) return [...value].every((member) => membersOf(later, name).includes(String(member)));
    return !name.endsWith('_at') || name === 'updated_at' || later[name] === value;
  });
}

const pick = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(names.flatMap((name) => (name in item ? [[name, item[name]]] : [])));

/** The items of an email, copied and in the table. Its own item is the one in the table, if there is one. */
export function mergedItems(copied: readonly Item[], stored: readonly Item[]): Item[] {
  const bySort = (items: readonly Item[]) => new Map(items.map((item) => [String(item.sk), item]));
  const [before, after] = [bySort(copied), bySort(stored)];
  return [...new Set([...before.keys(), ...after.keys()])].sort().map((sk) => {
    if (sk === 'EMAIL') return after.get(sk) ?? before.get(sk) ?? {};
    return mergedOutcome(before.get(sk), after.get(sk));
  });
}
