import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Seconds of processor time by what used it. */
export type ProcessorTime = Readonly<Record<string, number>>;

/** The kernel counts in hundredths of a second for whoever asks (`getconf CLK_TCK`, 100 on every Linux of today). */
const ticksPerSecond = 100;

/** What the threads of the service are called here; what is not named belongs to Node itself (garbage, compiling, I/O). */
const threads: Readonly<Record<string, string>> = {
  MainThread: 'handlers, workers, gateway',
  'mailroom-ses': 'local SES',
  'mailroom-queues': 'local queues',
};
const ownThreads = 'garbage collector and other threads of Node';
const engine = 'DynamoDB engine';

/**
 * What the service and its DynamoDB engine have used so far, from the kernel's own counters: thread by thread where there
 * is `/proc`, else process by process as `ps` tells it. Null where neither is to be had: then it is not measured.
 */
export function processorTime(servicePid: number, enginePid: number): ProcessorTime | null {
  try {
    return existsSync('/proc/self/task') ? byThread(servicePid, enginePid) : byProcess(servicePid, enginePid);
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

/** Fields 14 and 15 of proc(5), user and system time; the second, a name, may hold anything but ends with the last `)`. */
function ofStat(file: string): number {
  const text = readFileSync(file, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

const byProcess = (servicePid: number, enginePid: number): ProcessorTime => ({
  'service, with local SES and queues': ofPs(servicePid),
  [engine]: ofPs(enginePid),
});

/** `[[days-]hours:]minutes:seconds` */
function ofPs(pid: number): number {
  const text = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  const [days, clock = ''] = text.includes('-') ? text.split('-') : ['0', text];
  return clock.split(':').reduce((total, part) => total * 60 + Number(part), 0) + Number(days) * 86_400;
}

/** What was used between two readings. */
export function timeBetween(before: ProcessorTime | null, after: ProcessorTime | null): ProcessorTime | null {
  if (!before || !after) return null;
  return Object.fromEntries(Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]));
}

/** `11.2 ms (handlers, workers, gateway 6.1, …)`, of so many operations, or that it was not measured. */
export function perOperation(time: ProcessorTime | null, operations: number): string {
  if (!time) return 'not measured';
  const parts = Object.entries(time)
    .map(([name, seconds]) => [name, (seconds * 1000) / operations] as const)
    .sort(([, a], [, b]) => b - a);
  const total = parts.reduce((sum, [, milliseconds]) => sum + milliseconds, 0);
  return `${total.toFixed(1)} ms (${parts.map(([name, milliseconds]) => `${name} ${milliseconds.toFixed(1)}`).join('; ')})`;
}
