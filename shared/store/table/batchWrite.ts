import { inParallel } from '../../platform/parallel.ts';
import { BatchWriteCommand, type BatchWriteCommandInput } from '../dynamodb/commands.ts';
import { nextRound } from './nextRound.ts';
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

async function writeSome(writes: readonly BatchedWrite[]): Promise<void> {
  let open = [...writes];
  for (let round = 0; open.length > 0; round += 1) {
    if (round > 0) await nextRound(round);
    const answer = await documents.send(new BatchWriteCommand({ RequestItems: { [tableName()]: open } }));
    open = answer.UnprocessedItems?.[tableName()] ?? [];
  }
}
