import { Argument } from 'commander';
import { listDeadLetters, listQueues, redriveQueue } from '../../../shared/services/queues.ts';
import { action, type CommandGroup, operator } from '../command.ts';
import { queueNames } from '../connect/connect.ts';
import { countUpTo } from '../input.ts';
import { type CommandOutput, table } from '../output.ts';

interface ShowOptions {
  readonly dead?: boolean;
  readonly limit: number;
  readonly bodies?: boolean;
}

const nameArgument = () => new Argument('<name>', 'a queue of "queue list"').choices(queueNames);

export const queueCommands: CommandGroup = (program) => {
  const group = program.command('queue').description('waiting messages, and dead letters');
  group.command('list').description('count the messages of each queue').action(action(list));
  group
    .command('show')
    .description('show a queue; --dead lists its dead letters without removing them')
    .addArgument(nameArgument())
    .option('--dead', 'list dead letters')
    .option('--limit <number>', 'how many, 1 to 100', countUpTo(100), 20)
    .option('--bodies', "show the messages, which contain people's addresses")
    .action(action<ShowOptions>(show));
  group
    .command('redrive')
    .description('move the dead letters of a queue back to it')
    .addArgument(nameArgument())
    .action(action(redrive));
};

async function list(): Promise<CommandOutput> {
  const queues = await listQueues(operator(), { names: queueNames });
  return {
    json: { object: 'list', data: queues },
    text: table(
      ['queue', 'waiting', 'delayed', 'in flight', 'dead', 'undelivered'],
      queues.map(({ name, waiting, delayed, in_flight, dead, undelivered }) => {
        return [name, waiting, delayed, in_flight, dead, undelivered];
      }),
      'There is no queue.',
    ),
  };
}

async function show({ dead, limit, bodies = false }: ShowOptions, name = ''): Promise<CommandOutput> {
  const [queue] = await listQueues(operator(), { names: [name] });
  const counts = queue
    ? `${name}: ${queue.waiting} waiting, ${queue.delayed} delayed, ${queue.in_flight} in flight, ${queue.dead} dead` +
      (queue.undelivered > 0 ? `, ${queue.undelivered} not delivered by SNS yet` : '')
    : name;
  if (!dead) return { json: queue, text: counts };
  const letters = await listDeadLetters(operator(), { name, limit, withBodies: bodies });
  const lines = table(
    ['id', 'sent at', 'receives', 'bytes', ...(bodies ? ['body'] : [])],
    letters.map(({ id, sent_at, receives, bytes, body }) => [id, sent_at, receives, bytes, ...(bodies ? [body] : [])]),
    'There are no dead letters.',
  );
  return { json: { ...queue, dead_letters: letters }, text: `${counts}\n\n${lines}` };
}

/** SQS moves up to 500 messages a second: a million in about half an hour. */
const longestMoveSeconds = 3600;

async function redrive(_: unknown, name = ''): Promise<CommandOutput> {
  const redriven = await redriveQueue(operator(), { name, waitSeconds: longestMoveSeconds });
  const { messages } = redriven;
  return {
    json: redriven,
    text:
      messages === null
        ? `SQS is still moving the dead letters of ${name} back; "queue list" shows how many remain.`
        : `Moved ${messages} ${messages === 1 ? 'message' : 'messages'} back to ${name}.`,
  };
}
