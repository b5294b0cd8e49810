/**
 * Counts each AWS call that the product's own clients make in this process, and the units that DynamoDB says it took.
 * Nothing in the product knows of it.
 */
import { ConditionalCheckFailedException, type ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { provider } from '../../shared/email/sesClient.ts';
import { Transport } from '../../shared/platform/aws/transport.ts';
import { currentLogFields } from '../../shared/platform/logContext.ts';
import { documents } from '../../shared/store/table/table.ts';

export interface MeteredCall {
  readonly command: string;
  /** The worker in whose name it was made, undefined for an endpoint. */
  readonly worker: string | undefined;
  /** The key of what is updated. */
  readonly item: string | undefined;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

let recording = false;
let made = 0;
let calls: MeteredCall[] = [];

/** Calls since the process began, whether they were recorded or not. */
export const callsMade = (): number => made;

export function startCounting(): void {
  recording = true;
  calls = [];
}

/** What was counted since the start; ends the count. */
export function endCounting(): readonly MeteredCall[] {
  recording = false;
  const counted = calls;
  calls = [];
  return counted;
}

/** The document client's commands go by the names of the plain ones. */
const reads = new Set([
  'GetItemCommand',
  'QueryCommand',
  'BatchGetItemCommand',
  'ScanCommand',
  'TransactGetItemsCommand',
]);

type Handler = (args: { input: object }) => Promise<{ output: object }>;

const counting =
  (isTable: boolean) =>
  (next: Handler, { commandName = 'unknown' }: { commandName?: string }): Handler =>
  async (args) => {
    made += 1;
    if (!recording) return next(args);
    const startedAt = performance.now();
    const note = (units: number) => {
      const isRead = reads.has(commandName);
      calls.push({
        command: commandName,
        worker: workerOf(),
        item: commandName === 'UpdateItemCommand' ? keyOf(args.input) : undefined,
        startedAt,
        endedAt: performance.now(),
        readUnits: isRead ? units : 0,
        writeUnits: isRead ? 0 : units,
      });
    };
    try {
      const result = await next(
        isTable ? { ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } } : args,
      );
      const { ConsumedCapacity: consumed } = result.output as {
        ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
      };
      note([consumed ?? []].flat().reduce((total, { CapacityUnits = 0 }) => total + CapacityUnits, 0));
      return result;
    } catch (error) {
      // DynamoDB charges for what a condition refused, and does not say how much: of items like ours one unit.
      note(error instanceof ConditionalCheckFailedException ? 1 : 0);
      throw error;
    }
  };

const keyOf = ({ Key }: { readonly Key?: { readonly pk?: unknown; readonly sk?: unknown } }): string =>
  `${Key?.pk}#${Key?.sk}`;

/** Workers put their function's name on each line of their log; what endpoints put there is none of theirs. */
function workerOf(): string | undefined {
  const { function: name } = currentLogFields();
  return name === undefined ? undefined : String(name);
}

documents.middlewareStack.add(counting(true) as never, { step: 'initialize', name: 'counting' });
provider.middlewareStack.add(counting(false) as never, { step: 'initialize', name: 'counting' });

/** Single messages go by a request of our own, which has no stack of middleware: it is seen where it leaves. */
const { handle } = Transport.prototype;
Transport.prototype.handle = async function countedHandle(this: Transport, ...args: Parameters<typeof handle>) {
  if (args[0].path !== '/v2/email/outbound-emails') return handle.apply(this, args);
  made += 1;
  const startedAt = performance.now();
  try {
    return await handle.apply(this, args);
  } finally {
    const [worker, endedAt] = [workerOf(), performance.now()];
    const call = { command: 'SendEmailCommand', worker, item: undefined, startedAt, endedAt };
    if (recording) calls.push({ ...call, readUnits: 0, writeUnits: 0 });
  }
};

/** Every queue has a client of its own: their common way out is counted, without the polls that Lambda would make. */
const { send } = SQSClient.prototype;
SQSClient.prototype.send = function countedSend(this: SQSClient, ...args: Parameters<typeof send>) {
  const command = args[0].constructor.name;
  const now = performance.now();
  if (recording && command.startsWith('SendMessage')) {
    const units = { readUnits: 0, writeUnits: 0 };
    calls.push({ command, worker: workerOf(), item: undefined, startedAt: now, endedAt: now, ...units });
  }
  return send.apply(this, args);
} as unknown as typeof send;
