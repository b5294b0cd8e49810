import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { provider } from '../../shared/email/ses.ts';
import { currentLogFields } from '../../shared/platform/logger.ts';
import { sqs } from '../../shared/queue/sqs.ts';
import { documents } from '../../shared/store/table/table.ts';
import { aroundCalls, metered } from '../shared/store/aroundCalls.ts';

/**
 * Counts the AWS calls of the product's clients in this process, and the units that DynamoDB reports. The product does
 * not know that it is counted.
 */

export interface MeteredCall {
  readonly command: string;
  /** The worker that made it, undefined for an endpoint. */
  readonly worker: string | undefined;
  /** The key of an updated item. */
  readonly item: string | undefined;
  /** A query of what is due. */
  readonly isOfDue: boolean;
  /** How many messages it queued, and where. */
  readonly queued?: { readonly url: string; readonly messages: number };
  readonly startedAt: number;
  readonly endedAt: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

let recording = false;
let made = 0;
let calls: MeteredCall[] = [];

/** Calls since the start of the process, recorded or not. */
export const callsMade = (): number => made;

export function startCounting(): void {
  recording = true;
  calls = [];
}

/** Ends the count and answers the calls since its start. */
export function endCounting(): readonly MeteredCall[] {
  recording = false;
  const counted = calls;
  calls = [];
  return counted;
}

const reads = new Set(['GetItem', 'Query', 'BatchGetItem', 'Scan']);

aroundCalls(documents, (next) => async (command) => {
  made += 1;
  if (!recording) return next(command);
  const { operation, input } = command;
  const startedAt = performance.now();
  const note = (units: number) => {
    const isRead = reads.has(operation);
    calls.push({
      command: operation,
      worker: workerOf(),
      item: operation === 'UpdateItem' ? keyOf(input) : undefined,
      isOfDue: (input as { readonly IndexName?: string }).IndexName === 'due',
      startedAt,
      endedAt: performance.now(),
      readUnits: isRead ? units : 0,
      writeUnits: isRead ? 0 : units,
    });
  };
  try {
    const { output, units } = await metered(next, command);
    note(units);
    return output;
  } catch (error) {
    // DynamoDB charges for a failed condition without reporting it: one unit for items of our size.
    note(error instanceof ConditionalCheckFailedException ? 1 : 0);
    throw error;
  }
});

type Next = (args: object) => Promise<object>;

/** Calls of the SDK's clients. */
const counting =
  (next: Next, { commandName = 'unknown' }: { commandName?: string }): Next =>
  async (args) => {
    made += 1;
    const startedAt = performance.now();
    return next(args).finally(() => noteMessage(commandName.replace(/Command$/, ''), startedAt, args));
  };

/** Without the other calls of queues: they are those of local consumers, which Lambda makes on AWS. */
const countingMessages = (next: Next, context: { commandName?: string }): Next =>
  context.commandName?.startsWith('SendMessage') ? counting(next, context) : next;

/** Records a call that takes no units. */
function noteMessage(command: string, startedAt: number, args: object): void {
  const [worker, endedAt] = [workerOf(), performance.now()];
  const { input } = args as { readonly input?: { readonly QueueUrl?: string; readonly Entries?: readonly unknown[] } };
  const queued = input?.QueueUrl && { queued: { url: input.QueueUrl, messages: input.Entries?.length ?? 1 } };
  if (!recording) return;
  calls.push({
    command,
    worker,
    item: undefined,
    isOfDue: false,
    ...queued,
    startedAt,
    endedAt,
    readUnits: 0,
    writeUnits: 0,
  });
}

const keyOf = ({ Key }: { readonly Key?: { readonly pk?: unknown; readonly sk?: unknown } }): string =>
  `${Key?.pk}#${Key?.sk}`;

/** Workers have their function's name among their log fields, endpoints have none. */
function workerOf(): string | undefined {
  const { function: name } = currentLogFields();
  return name === undefined ? undefined : String(name);
}

provider.middlewareStack.add(counting as never, { step: 'initialize', name: 'counting' });
sqs.middlewareStack.add(countingMessages as never, { step: 'initialize', name: 'counting' });
