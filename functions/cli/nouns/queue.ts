import { Argument, InvalidArgumentError } from 'commander';
import { listDeadLetters } from '../../../shared/services/queues/deadLetters.ts';
import { listQueues } from '../../../shared/services/queues/list.ts';
import { redriveQueue } from '../../../shared/services/queues/redrive.ts';
import { action, type Noun } from '../action.ts';
import { queueNames } from '../connect/queueNames.ts';
import { operator } from '../context.ts';
import { type Output, table } from '../output.ts';

interface ShowOptions {
  readonly dead?: boolean;
  readonly limit: number;
  readonly bodies?: boolean;
}

const nameArgument = () => new Argument('<name>', 'one of those that "queue list" shows').choices(queueNames);

export const queueNoun: Noun = (program) => {
  const noun = program.command('queue').description('what waits, and what was given up (dead letters)');
  noun.command('list').description('show how many messages each queue has').action(action(list));
  noun
    .command('show')
    .description('show a queue; with --dead what it gave up, which stays where it is')
    .addArgument(nameArgument())
    .option('--dead', 'list dead letters')
    .option('--limit <number>', 'at most so many, 1 to 100', limitNumber, 20)
    .option('--bodies', "show the messages themselves, people's addresses included")
    .action(action<ShowOptions>(show));
  noun
    .command('redrive')
    .description('put what a queue gave up back on it')
    .addArgument(nameArgument())
    .action(action(redrive));
};

function limitNumber(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= 100) return number;
  throw new InvalidArgumentError('It is 1 to 100.');
}

async function list(): Promise<Output> {
  const queues = await listQueues(operator(), { names: queueNames });
  return {
    json: { object: 'list', data: queues },
    text: table(
      ['queue', 'waiting', 'delayed', 'in flight', 'dead'],
      queues.map(({ name, waiting, delayed, in_flight, dead }) => [name, waiting, delayed, in_flight, dead]),
      'There is no queue.',
    ),
  };
}

async function show({ dead, limit, bodies = false }: ShowOptions, name = ''): Promise<Output> {
  const [queue] = await listQueues(operator(), { names: [name] });
  const counts = queue
    ? `${name}: ${queue.waiting} waiting, ${queue.delayed} delayed, ${queue.in_flight} in flight, ${queue.dead ?? 0} dead`
    : name;
  if (!dead) return { json: queue, text: counts };
  const letters = await listDeadLetters(operator(), { name, limit, withBodies: bodies });
  const lines = table(
    ['id', 'sent at', 'receives', 'bytes', ...(bodies ? ['body'] : [])],
    letters.map(({ id, sent_at, receives, bytes, body }) => [id, sent_at, receives, bytes, ...(bodies ? [body] : [])]),
    'There is no dead letter.',
  );
  return { json: { ...queue, dead_letters: letters }, text: `${counts}\n\n${lines}` };
}

async function redrive(_: unknown, name = ''): Promise<Output> {
  const redriven = await redriveQueue(operator(), { name });
  const { messages } = redriven;
  return {
    json: redriven,
    text:
      messages === null
        ? `SQS moves the dead letters of ${name} back in the background; "queue list" shows how many are left.`
        : `Back on the queue ${name}: ${messages} ${messages === 1 ? 'message' : 'messages'}.`,
  };
}
