import type { ReadRow } from './file.ts';

const rowsOfBatch = 500;

/** Lines in batches, the first `skip` left out; those before a fault in the file are given out before it is thrown. */
export async function* batchesOf(rows: AsyncIterable<ReadRow>, skip = 0): AsyncGenerator<ReadRow[]> {
  let batch: ReadRow[] = [];
  let index = 0;
  try {
    for await (const row of rows) {
      index += 1;
      if (index > skip) batch.push(row);
      if (batch.length < rowsOfBatch) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}
