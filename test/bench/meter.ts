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
  /** Calls since the service began, whether they were recorded or not. */
  readonly made: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
}

let recording = false;
let made = 0;
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
    made += 1;
    if (!recording) return next(args);
    const command = context.commandName ?? 'unknown';
    const startedAt = performance.now();
    const note = (units: number) =>
      calls.push({
        command,
        startedAt,
        endedAt: performance.now(),
        readUnits: reads.has(command) ? units : 0,
        writeUnits: reads.has(command) ? 0 : units,
      });
    const input = dynamo ? { ...args.input, ReturnConsumedCapacity: 'TOTAL' } : args.input;
    const result = await next({ ...args, input }).catch((error: Error) => {
      // DynamoDB charges for what a condition refused, and does not say how much: of items like ours one unit.
      note(error.name === 'ConditionalCheckFailedException' ? 1 : 0);
      throw error;
    });
    const { ConsumedCapacity: consumed } = result.output as {
      ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
    };
    note([consumed ?? []].flat().reduce((total, { CapacityUnits = 0 }) => total + CapacityUnits, 0));
    return result;
  };

documents.middlewareStack.add(measuring(true) as never, { step: 'initialize', name: 'meter' });
provider.middlewareStack.add(measuring(false) as never, { step: 'initialize', name: 'meter' });

process.on('message', (message: 'start' | 'read' | 'count') => {
  if (message !== 'read') {
    if (message === 'start') {
      recording = true;
      calls = [];
    }
    process.send?.({ calls: [], made, residentBytes: 0, heapBytes: 0 } satisfies MeterReading);
    return;
  }
  recording = false;
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ calls, made, residentBytes: rss, heapBytes: heapUsed + external } satisfies MeterReading);
  calls = [];
});
process.channel?.unref();
