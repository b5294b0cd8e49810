import type { Command } from 'commander';
import type { CommandGroup, GlobalOptions } from '../command.ts';
import { type Advanced, type ClockState, callClock } from '../connect/clock.ts';
import { type CommandOutput, fields, print, printable, table } from '../output.ts';

type Stop = Advanced['log'][number];
type ClockOptions = Pick<GlobalOptions, 'data' | 'json' | 'stack'>;

export const clockCommands: CommandGroup = (program) => {
  const group = program
    .command('clock')
    .description('the clock of the local service, which "npm start -- --clock" allows to be moved');
  const add = (
    words: string,
    description: string,
    run: (options: ClockOptions, ...given: string[]) => Promise<unknown>,
  ) =>
    group
      .command(words)
      .description(description)
      .action(async (...given: unknown[]) => {
        const command = given.at(-1) as Command;
        const options = command.optsWithGlobals<ClockOptions>();
        if (options.stack) command.error('error: the clock of a deployment on AWS cannot be moved');
        await run(options, ...command.processedArgs.flat().map(String));
      });
  add('show', 'show the time of the service, and what is due next', show);
  add('next', 'show what is due next', next);
  add('advance <duration...>', 'move the clock forward, as "3 days": all that is due is done at its own time', advance);
};

async function show(options: ClockOptions): Promise<void> {
  const state = await callClock(options.data);
  const rows: [string, string][] = [
    ['Time', second(state.now)],
    ['Ahead', ahead(state.ahead_seconds)],
  ];
  if (state.advancing)
    rows.push(['Advancing', `to ${second(state.advancing.to)}, ${state.advancing.hops} hops so far`]);
  print(withNext(state, fields(rows), state.next), options.json);
}

async function next(options: ClockOptions): Promise<void> {
  const state = await callClock(options.data);
  print({ json: state.next, text: nextTable(state.next) }, options.json);
}

const pollMilliseconds = 250;

/** Prints each hop that did something as soon as it is over. */
async function advance(options: ClockOptions, ...words: string[]): Promise<void> {
  let printed = 0;
  const printNew = (log: readonly Stop[]) => {
    if (options.json) return;
    for (const hop of log.slice(printed)) process.stdout.write(`${hopLine(hop)}\n`);
    printed = Math.max(printed, log.length);
  };
  const poll = async () => {
    const { advancing } = await callClock(options.data);
    if (advancing) printNew(advancing.log);
  };
  // A reader that closes the pipe early, such as `| head`, is not an error: the clock goes on.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => code === 'EPIPE' || process.exit(1));
  const timer = setInterval(() => void poll().catch(() => {}), pollMilliseconds);
  const advanced = await callClock(options.data, { advance: words.join(' ') }).finally(() => clearInterval(timer));
  printNew(advanced.log);
  const summary = `The clock is at ${second(advanced.now)} after ${counted(advanced.hops, 'hop')}. All that was due is done.`;
  const overdue = Object.entries(advanced.overdue).map(([kind, count]) => `${kind} (${count})`);
  const stays = overdue.length > 0 ? [`Still due, although its time has come: ${overdue.join(', ')}.`] : [];
  print(withNext(advanced, [summary, ...stays].join('\n'), advanced.next), options.json);
}

const withNext = (json: unknown, text: string, due: ClockState['next']): CommandOutput => ({
  json,
  text: `${text}\n\n${nextTable(due)}`,
});

const nextTable = (due: ClockState['next']): string =>
  table(
    ['next', 'what', 'count'],
    due.map(({ at, kind, count }) => [second(at), kind, count]),
    'Nothing is due.',
  );

function hopLine({ at, done, due }: Stop): string {
  const { emails = 0, ...messages } = done;
  const parts = [
    ...(emails > 0 ? [`${counted(emails, 'email')} sent`] : []),
    ...Object.entries(messages).map(([queue, count]) => `${counted(count, 'message')} of ${queue}`),
  ];
  return printable(`${second(at)}  ${parts.join(', ')}  (due: ${Object.keys(due).join(', ') || 'the end'})`);
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `2026-12-04T09:40:01Z` */
const second = (iso: string): string => iso.replace(/\.\d{3}Z$/, 'Z');

function ahead(seconds: number): string {
  if (seconds === 0) return 'no';
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  const parts = [
    days > 0 && counted(days, 'day'),
    hours > 0 && counted(hours, 'hour'),
    minutes > 0 && counted(minutes, 'minute'),
  ];
  return parts.filter((part) => part !== false).join(', ') || counted(seconds, 'second');
}
