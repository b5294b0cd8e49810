import { createHash } from 'node:crypto';

/** Which of `count` partitions a text belongs to: always the same one, and evenly spread. */
export function shardOf(text: string, count: number): number {
  return createHash('sha256').update(text).digest().readUInt16BE(0) % count;
}
