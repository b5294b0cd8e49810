import { readdirSync, readFileSync } from 'node:fs';

/** Seconds of processor time by consumer. */
export type ProcessorTime = Readonly<Record<string, number>>;

/** Hundredths of a second (`getconf CLK_TCK`, 100 on every Linux of today). */
const ticksPerSecond = 100;

/** Consumers by the name of their thread; all others are Node's own (garbage collection, compiling, I/O). */
const threads: Readonly<Record<string, string>> = {
  MainThread: 'handlers, workers, gateway',
  'mailroom-ses': 'local SES',
  'mailroom-queues': 'local queues',
};
const ownThreads = 'garbage collector and other threads of Node';
const engine = 'DynamoDB engine';

/** Of the service, thread by thread, and of its DynamoDB engine, from the kernel's counters. Null without `/proc`. */
export function processorTime(servicePid: number, enginePid: number): ProcessorTime | null {
  try {
    return byThread(servicePid, enginePid);
  } catch {
    return null;
  }
}

function byThread(servicePid: number, enginePid: number): ProcessorTime {
  const times: Record<string, number> = { [engine]: ofStat(`/proc/${enginePid}/stat`) };
  for (const thread of readdirSync(`/proc/${servicePid}/task`)) {
    const folder = `/proc/${servicePid}/task/${thread}`;
    const name = threads[readFileSync(`${folder}/comm`, 'utf8').trim()] ?? ownThreads;
    times[name] = (times[name] ?? 0) + ofStat(`${folder}/stat`);
  }
  return times;
}

/** Fields 14 and 15 of proc(5), user and system time. The second field, a name, ends with the last `)`. */
function ofStat(file: string): number {
  const text = readFileSync(file, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** What was used between two readings. */
export function timeBetween(before: ProcessorTime | null, after: ProcessorTime | null): ProcessorTime | null {
  if (!before || !after) return null;
  return Object.fromEntries(Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]));
}

/** `11.2 ms (handlers, workers, gateway 6.1, …)` per operation, or `not measured`. */
export function perOperation(time: ProcessorTime | null, operations: number): string {
  if (!time) return 'not measured';
  const parts = Object.entries(time)
    .map(([name, seconds]) => [name, (seconds * 1000) / operations] as const)
    .sort(([, a], [, b]) => b - a);
  const total = parts.reduce((sum, [, milliseconds]) => sum + milliseconds, 0);
  return `${total.toFixed(1)} ms (${parts.map(([name, milliseconds]) => `${name} ${milliseconds.toFixed(1)}`).join('; ')})`;
}
