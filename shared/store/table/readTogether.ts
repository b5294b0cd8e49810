import { currentDeadline, type Deadline, endingWithDeadline, underDeadline } from '../../platform/deadline.ts';
import type { Key } from './keys.ts';
import { batchGet, type Item } from './table.ts';

interface Turn {
  /** Keys that were asked for in this turn of the event loop, each once. */
  readonly keys: Map<string, Key>;
  /** The latest of those who asked. */
  deadline: Deadline;
  /** Nobody asks any more. */
  readonly isFull: Promise<void>;
  readonly items: Promise<Map<string, Item>>;
}

const turns: { strong?: Turn | undefined; eventual?: Turn | undefined } = {};

/**
 * Items by their keys, in order, null for what does not exist. Everything that is asked for at the same moment is read by
 * one call: a worker's batch costs one round trip and not ten. Each waits for it until its own deadline. `eventual` may
 * tell of yesterday, at half the price.
 */
export async function readTogether(
  keys: readonly Key[],
  consistency: 'strong' | 'eventual' = 'strong',
): Promise<(Item | null)[]> {
  turns[consistency] ??= openTurn(consistency);
  const turn = turns[consistency];
  for (const key of keys) turn.keys.set(nameOf(key), key);
  const own = currentDeadline();
  if (own !== turn.deadline && own.remainingMilliseconds() > turn.deadline.remainingMilliseconds()) turn.deadline = own;
  await turn.isFull;
  const items = await (turn.deadline === own ? turn.items : endingWithDeadline(turn.items));
  return keys.map((key) => items.get(nameOf(key)) ?? null);
}

function openTurn(consistency: 'strong' | 'eventual'): Turn {
  const keys = new Map<string, Key>();
  const isFull = new Promise<void>((resolve) => setImmediate(resolve));
  const read = async () => {
    const found = await batchGet([...keys.values()], { consistent: consistency === 'strong' });
    return new Map(found.map((item) => [nameOf({ pk: String(item.pk), sk: String(item.sk) }), item]));
  };
  const items = isFull.then(() => {
    turns[consistency] = undefined;
    return underDeadline(turn.deadline, read);
  });
  const turn: Turn = { keys, deadline: currentDeadline(), isFull, items };
  return turn;
}

const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;
