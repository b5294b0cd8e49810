/**
 * Loaded before the service (`node --import`): counts each AWS call of the product's own clients and the units that
 * DynamoDB says it took, and answers the bench over the process's message channel. Nothing in the product knows of it.
 */
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { provider } from '../../shared/email/ses.ts';
import { documents } from '../../shared/store/table/table.ts';

export interface MeteredCall {
  readonly command: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface MeterReading {
  readonly calls: readonly MeteredCall[];
  readonly residentBytes: number;
  readonly heapBytes: number;
}

let recording = false;
let calls: MeteredCall[] = [];

/** The document client's commands go by the names of the plain ones. */
const reads = new Set([
  'GetItemCommand',
  'QueryCommand',
  'BatchGetItemCommand',
  'ScanCommand',
  'TransactGetItemsCommand',
]);

type Handler = (args: { input: object }) => Promise<{ output: object }>;

const measuring =
  (dynamo: boolean) =>
  (next: Handler, context: { commandName?: string }): Handler =>
  async (args) => {
    if (!recording) return next(args);
    const startedAt = performance.now();
    const result = await next(dynamo ? { ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } } : args);
    const { ConsumedCapacity: consumed } = result.output as {
      ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
    };
    const units = [consumed ?? []].flat().reduce((total, { CapacityUnits = 0 }) => total + CapacityUnits, 0);
    const command = context.commandName ?? 'unknown';
    calls.push({
      command,
      startedAt,
      endedAt: performance.now(),
      readUnits: reads.has(command) ? units : 0,
      writeUnits: reads.has(command) ? 0 : units,
    });
    return result;
  };

documents.middlewareStack.add(measuring(true) as never, { step: 'initialize', name: 'meter' });
provider.middlewareStack.add(measuring(false) as never, { step: 'initialize', name: 'meter' });

process.on('message', (message: 'start' | 'read') => {
  if (message === 'start') {
    recording = true;
    calls = [];
    process.send?.({ calls: [], residentBytes: 0, heapBytes: 0 } satisfies MeterReading);
    return;
  }
  recording = false;
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ calls, residentBytes: rss, heapBytes: heapUsed + external } satisfies MeterReading);
  calls = [];
});
process.channel?.unref();
