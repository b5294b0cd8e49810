import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface ServiceLog {
  /** Resolves when the service says that it is ready, rejects when it ends before that. */
  readonly ready: Promise<void>;
  /** The lines of its log so far. */
  // biome-ignore lint/suspicious/noExplicitAny: lines are JSON of any shape, and tests look into them
  lines(): any[];
  /** Throws with the first line that nobody could follow, or that says more than it may. */
  check(): void;
}

const anAddress = /[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/;
const aSecret = /mr_live_|whsec_/;

/** Reads all that a service writes: its log as JSON lines, what it greets with, and complaints of its engines. */
export function followLog(child: ChildProcess): ServiceLog {
  const lines: string[] = [];
  const complaints: string[] = [];
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  if (!child.stdout || !child.stderr) throw new Error('The service has no output.');
  const follow = (input: Readable, others: (line: string) => void) =>
    createInterface({ input }).on('line', (line) => {
      if (process.env.SHOW_SERVICE_LOG) process.stderr.write(`${line}\n`);
      if (line.startsWith('{"level"')) lines.push(line);
      else others(line);
    });
  follow(child.stderr, (line) => complaints.push(line));
  follow(child.stdout, (line) => {
    if (line.startsWith('Mailroom is ready')) resolve();
  });
  child.once('exit', (code) => reject(new Error(`The service ended with ${code}: ${complaints.join('\n')}`)));
  return {
    ready,
    lines: () => lines.map((line) => JSON.parse(line)),
    check: () => {
      for (const line of [...lines, ...complaints]) {
        if (anAddress.test(line)) throw new Error(`The log names an address: ${line}`);
        if (aSecret.test(line)) throw new Error(`The log tells a secret: ${line}`);
      }
      for (const line of lines) {
        const { request_id, function_request_id } = JSON.parse(line);
        if (!request_id && !function_request_id) throw new Error(`A line of the log belongs to nothing: ${line}`);
      }
    },
  };
}
