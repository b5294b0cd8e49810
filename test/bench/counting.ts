/**
 * Counts each AWS call that the product's own clients make in this process, and the units that DynamoDB says it took.
 * Nothing in the product knows of it.
 */
import { provider } from '../../shared/email/sesClient.ts';
import { Transport } from '../../shared/platform/aws/transport.ts';
import { currentLogFields } from '../../shared/platform/logContext.ts';
import { ConditionalCheckFailedException } from '../../shared/store/dynamodb/errors.ts';
import { documents } from '../../shared/store/table/table.ts';
import { aroundCalls, metered } from '../shared/store/aroundCalls.ts';

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
    // DynamoDB charges for what a condition refused, and does not say how much: of items like ours one unit.
    note(error instanceof ConditionalCheckFailedException ? 1 : 0);
    throw error;
  }
});

type Next = (args: object) => Promise<object>;

/** SES is asked for everything but single messages by the SDK's client. */
const counting =
  (next: Next, { commandName = 'unknown' }: { commandName?: string }): Next =>
  async (args) => {
    made += 1;
    const startedAt = performance.now();
    return next(args).finally(() => noteMessage(commandName.replace(/Command$/, ''), startedAt));
  };

/** A call that takes no units. */
function noteMessage(command: string, startedAt: number): void {
  const [worker, endedAt] = [workerOf(), performance.now()];
  if (recording) calls.push({ command, worker, item: undefined, startedAt, endedAt, readUnits: 0, writeUnits: 0 });
}

const keyOf = ({ Key }: { readonly Key?: { readonly pk?: unknown; readonly sk?: unknown } }): string =>
  `${Key?.pk}#${Key?.sk}`;

/** Workers put their function's name on each line of their log; what endpoints put there is none of theirs. */
function workerOf(): string | undefined {
  const { function: name } = currentLogFields();
  return name === undefined ? undefined : String(name);
}

provider.middlewareStack.add(counting as never, { step: 'initialize', name: 'counting' });

/** Messages, single ones of SES and those of queues, go by requests of our own: they are seen where they leave. */
const { handle } = Transport.prototype;
Transport.prototype.handle = async function countedHandle(this: Transport, ...args: Parameters<typeof handle>) {
  const [{ path, headers }] = args;
  const [, queued] = /^AmazonSQS\.(SendMessage\w*)$/.exec(headers['x-amz-target'] ?? '') ?? [];
  const command = path === '/v2/email/outbound-emails' ? 'SendEmail' : queued;
  if (command === undefined) return handle.apply(this, args);
  made += 1;
  const startedAt = performance.now();
  return handle.apply(this, args).finally(() => noteMessage(command, startedAt));
};
