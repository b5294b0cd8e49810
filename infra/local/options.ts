import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Options {
  readonly port: number;
  readonly dataDir: string;
}

export const usage = `Starts Mailroom on this machine, with all that it needs, until Ctrl-C.

Usage: npm start -- [--port PORT] [--data FOLDER]

  --port PORT    where the API listens on 127.0.0.1; the inbox takes the next one (default: PORT, else 8787)
  --data FOLDER  where everything is kept, made when it is missing (default: .mailroom)
  --help         shows this

AWS_ENDPOINT_URL, or AWS_ENDPOINT_URL_DYNAMODB, _SQS and _SNS, _SESV2, _SCHEDULER, _S3: an engine of yours in place of
the local one. The operator's commands: npm run mailroom -- --help`;

/** Null when only help is wanted. Throws an Error with one sentence for what is no option, no port or no folder. */
export function readOptions(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Options | null {
  const { port, data, help } = parsed(words);
  if (help) return null;
  const wanted = port ?? (env.PORT || '8787');
  if (!/^\d{1,5}$/.test(wanted) || Number(wanted) > 65_535) throw new Error(`"${wanted}" is not a port.`);
  if (data === '') throw new Error('--data needs the name of a folder.');
  return { port: Number(wanted), dataDir: resolve(data ?? '.mailroom') };
}

function parsed(words: readonly string[]) {
  const options = {
    port: { type: 'string' },
    data: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...words], options }).values;
  } catch (error) {
    // Its first sentence names the word; the second one explains how Node reads dashes.
    const [first] = (error as Error).message.split(/\. |\.$/);
    throw new Error(`${first}. See: npm start -- --help`);
  }
}
