import { inParallel } from '../../platform/parallel.ts';
import { BatchWriteCommand, type BatchWriteCommandInput } from '../dynamodb/commands.ts';
import { documents, tableName } from './table.ts';

/** A put or a deletion of one item; no two of a call may be about the same key. */
export type BatchedWrite = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/** DynamoDB's limit. */
const writesOfCall = 25;
const callsAtOnce = 8;

/** Writes up to any number of items without condition, in calls side by side. */
export async function batchWrite(writes: readonly BatchedWrite[]): Promise<void> {
  const calls: BatchedWrite[][] = [];
  for (let start = 0; start < writes.length; start += writesOfCall)
    calls.push(writes.slice(start, start + writesOfCall));
  await inParallel(callsAtOnce, calls, writeSome);
}

/** DynamoDB may leave some of a batch: they are asked for again, ever later. */
async function writeSome(writes: readonly BatchedWrite[]): Promise<void> {
  let open = [...writes];
  for (let round = 0; open.length > 0; round += 1) {
    if (round > 8) throw new Error('DynamoDB left items unwritten after 9 rounds.');
    if (round > 0) await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** round * (0.5 + Math.random())));
    const answer = await documents.send(new BatchWriteCommand({ RequestItems: { [tableName()]: open } }));
    open = answer.UnprocessedItems?.[tableName()] ?? [];
  }
}
