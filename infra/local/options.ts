import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Options {
  readonly port: number;
  readonly dataDir: string;
  /** Whether the clock may be moved. */
  readonly clock: boolean;
}

export const usage = `Starts Mailroom on this machine, with everything that it needs. Ctrl-C ends it.

Usage: npm start -- [--port PORT] [--data FOLDER] [--clock]

  --port PORT    port of the API on 127.0.0.1; the inbox has the next one (default: the variable PORT, else 8787)
  --data FOLDER  folder of all data, created when it is missing (default: .mailroom)
  --clock        the clock can be moved forward: npm run mailroom -- clock advance 3 days
  --help         shows this help

The variable AWS_ENDPOINT_URL, or AWS_ENDPOINT_URL_DYNAMODB, _SQS and _SNS, _SESV2, _SCHEDULER, _S3, names an engine
that is used instead of the local one. Commands for operators: npm run mailroom -- --help`;

const usualDataDir = '.mailroom';
const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path}'`);

/** ` --data FOLDER`, as commands for another folder than the usual one need it; else nothing. */
export const dataFlag = (dataDir: string): string =>
  resolve(dataDir) === resolve(usualDataDir) ? '' : ` --data ${quoted(dataDir)}`;

/** Null for --help. Throws an Error with one sentence for an unknown option and an invalid port or folder. */
export function readOptions(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Options | null {
  const { port, data, clock = false, help } = parsed(words);
  if (help) return null;
  const portText = port ?? (env.PORT || '8787');
  if (!/^\d{1,5}$/.test(portText) || Number(portText) > 65_535) throw new Error(`"${portText}" is not a port.`);
  if (data === '') throw new Error('--data needs the name of a folder.');
  return { port: Number(portText), dataDir: resolve(data ?? usualDataDir), clock };
}

function parsed(words: readonly string[]) {
  const options = {
    port: { type: 'string' },
    data: { type: 'string' },
    clock: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...words], options }).values;
  } catch (error) {
    // Only the first sentence: the second one explains how Node reads dashes.
    const [first] = (error as Error).message.split(/\. |\.$/);
    throw new Error(`${first}. See: npm start -- --help`);
  }
}
