import { readFileSync } from 'node:fs';

/** What a service writes to its two outputs. */
export interface ServiceOutputs {
  /** Its greeting, and its log as JSON lines. */
  readonly stdout: string;
  /** Log lines too, and complaints of its engines. */
  readonly stderr: string;
}

export interface ServiceLog {
  /** The lines of the log. */
  // biome-ignore lint/suspicious/noExplicitAny: lines are JSON of any shape, and tests look into them
  lines(): any[];
  /** Throws for a line that belongs to no request, or that names an address or a secret. */
  check(): void;
}

const anAddress = /[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/;
const aSecret = /mr_live_|whsec_/;

/** The log of a service with these output files, from their present end or, `fromStart`, all of it. */
export function followLog({ stdout, stderr }: ServiceOutputs, { fromStart = false } = {}): ServiceLog {
  const [greeted, complained] = [stdout, stderr].map((file) => (fromStart ? 0 : readFileSync(file).length));
  const isLog = (line: string) => line.startsWith('{"level"');
  const written = (file: string, from = 0) => {
    const text = readFileSync(file).subarray(from).toString();
    // The last line may still be written.
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter(Boolean);
  };
  const errors = () => written(stderr, complained);
  const lines = () => [...written(stdout, greeted), ...errors()].filter(isLog);
  return {
    lines: () => lines().map((line) => JSON.parse(line)),
    check: () => {
      for (const line of [...lines(), ...errors()]) {
        if (anAddress.test(line)) throw new Error(`The log names an address: ${line}`);
        if (aSecret.test(line)) throw new Error(`The log names a secret: ${line}`);
      }
      for (const line of lines()) {
        const { request_id, function_request_id } = JSON.parse(line);
        if (!request_id && !function_request_id) throw new Error(`A line of the log belongs to no request: ${line}`);
      }
    },
  };
}
