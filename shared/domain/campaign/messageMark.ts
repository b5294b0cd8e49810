import { shardOf } from '../encoding/shard.ts';

/** Two messages of one position are told apart in all but one of so many cases; a call that went out twice has up to 50. */
const marksOfPosition = 200;

/**
 * A trace of the provider's message id at a position: a number of four digits, where 50 ids would make every write of a
 * slice dearer. The same id always makes the same mark.
 */
export const messageMark = (position: number, messageId: string): number =>
  position * marksOfPosition + shardOf(messageId, marksOfPosition);

/** Positions among those of `added` that the provider has named by two messages, by now. */
export function doubledPositions(known: ReadonlySet<number>, added: ReadonlySet<number>): number[] {
  const marks = new Set([...known, ...added]);
  const positionOf = (mark: number) => Math.floor(mark / marksOfPosition);
  const counts = Map.groupBy(marks, positionOf);
  const named = new Set([...added].map(positionOf));
  return [...named].filter((position) => (counts.get(position)?.length ?? 0) > 1).sort((a, b) => a - b);
}
