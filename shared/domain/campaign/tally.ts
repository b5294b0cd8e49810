import { breakdowns, outcomeOf, type SetName, type SliceSets, setOf, shownWindows, skipReasons } from './slice.ts';

/** Counters by name: what a report is made from. People are counted, each once, never events. */
export type Tally = Readonly<Record<string, number>>;

/**
 * The counters of one slice of `size` people, by nothing but its sets: what moves the tally when sets are added, and
 * what a recount adds up, so that the two cannot differ.
 */
export function countSlice(sets: SliceSets, size: number): Tally {
  const counts = new Map<string, number>();
  const add = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const reached = new Set<number>();
  for (let position = 0; position < size; position += 1) {
    for (const name of namesOf(sets, position)) {
      add(name);
      reached.add(position);
    }
  }
  const names = Object.keys(sets).sort() as SetName[];
  const among = (prefix: string) => names.filter((name) => name.startsWith(prefix));
  for (const name of among('link.')) for (const one of setOf(sets, name)) if (reached.has(one)) add(name);
  for (const breakdown of breakdowns) {
    // Two opens that were reported at once may each have brought a label: a person is counted with one of them.
    const open = new Set(reached);
    for (const name of among(`${breakdown}.`)) for (const one of setOf(sets, name)) if (open.delete(one)) add(name);
  }
  return Object.fromEntries(counts);
}

function* namesOf(sets: SliceSets, position: number): Generator<string> {
  const isIn = (name: SetName) => setOf(sets, name).has(position);
  const outcome = outcomeOf(sets, position);
  if (outcome === 'waiting') return;
  yield outcome;
  if (outcome === 'skipped') yield `skip.${skipReasons.find((reason) => isIn(`skip.${reason}`))}`;
  if (isIn('bounced')) yield 'bounced';
  else if (isIn('delivered') || isIn('complained')) yield 'delivered';
  if (isIn('complained')) yield 'complained';
  if (isIn('unsubscribed')) yield 'unsubscribed';
  yield* engagement(sets, position, 'open', 'opened');
  yield* engagement(sets, position, 'click', 'clicked');
  if (isIn('relayed')) yield 'relayed';
}

/** Somebody who opened in two windows opened in the first of them. */
function* engagement(
  sets: SliceSets,
  position: number,
  kind: 'open' | 'click',
  counter: 'opened' | 'clicked',
): Generator<string> {
  for (let window = 0; window <= shownWindows; window += 1) {
    if (!setOf(sets, `${kind}.${window}`).has(position)) continue;
    yield counter;
    yield `${counter}.${window}`;
    return;
  }
}

/** How many opened by themselves: relays and scanners have no device of their own. What the decision of a test looks at. */
export function ownOpens(sets: SliceSets, size: number): number {
  const devices = Object.keys(sets).filter((name): name is `device.${string}` => name.startsWith('device.'));
  const people = Array.from({ length: size }, (_, position) => position);
  return people.filter((position) => devices.some((name) => setOf(sets, name).has(position))).length;
}

/** Whether a counter says what became of somebody, and not what they did with what they got. */
export const isOfOutcome = (name: string): boolean =>
  ['sent', 'failed', 'skipped', 'uncertain'].includes(name) || name.startsWith('skip.');

/** What is to be added to the tally when a slice moves from one state to the next; only what differs. */
export function difference(before: Tally, after: Tally): Tally {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].map((name): [string, number] => [name, (after[name] ?? 0) - (before[name] ?? 0)]);
  return Object.fromEntries(changed.filter(([, change]) => change !== 0));
}

export function sum(tallies: Iterable<Tally>): Tally {
  const total = new Map<string, number>();
  for (const tally of tallies) {
    for (const [name, count] of Object.entries(tally)) total.set(name, (total.get(name) ?? 0) + count);
  }
  return Object.fromEntries(total);
}
