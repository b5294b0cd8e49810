import { type Command, InvalidArgumentError } from 'commander';
import { addressKey, parseAddress } from '../../shared/domain/address/address.ts';
import { addressProblemTexts } from '../../shared/domain/address/addressTexts.ts';
import { characterCount } from '../../shared/domain/encoding/characterCount.ts';
import { connect, type Place } from './connect/connect.ts';
import { type Output, print } from './output.ts';

/** Options that every command takes. */
export interface GlobalOptions extends Place {
  readonly json: boolean;
}

/** A noun adds its commands to the program; functions/cli/nouns.ts lists them. */
export type Noun = (program: Command) => void;

/**
 * What a command does once it stands where it works. It prints through what it returns; progress goes to stderr. Null
 * when it has written to stdout itself.
 */
export type Verb<Options> = (options: Options & GlobalOptions, ...words: string[]) => Promise<Output | null>;

/**
 * A verb as commander's action: connected before, printed and disconnected after. Only one that makes a workspace may
 * make the data folder too: a mistyped --data is no new place.
 */
export function action<Options = unknown>(
  verb: Verb<Options>,
  { makesFolder = false }: { makesFolder?: boolean } = {},
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<Options & GlobalOptions>();
    const connection = await connect(options, makesFolder);
    try {
      const output = await verb(options, ...(command.processedArgs as string[]));
      if (output) print(output, options.json);
    } finally {
      await connection.close();
    }
  };
}

/** Which workspace a command is about; only needed where there are several and none is in use. */
export interface WorkspaceOption extends GlobalOptions {
  readonly workspace?: string;
}

export const workspaceFlag = [
  '-w, --workspace <name>',
  'name or id of the workspace (default: the one in use)',
] as const;

/** A name that people will read. */
export function nameText(text: string): string {
  const name = text.trim();
  if (name.length > 0 && characterCount(name) <= 100 && !/\p{Cc}/u.test(name)) return name;
  throw new InvalidArgumentError('A name has 1 to 100 characters.');
}

/** A list that is written with commas. */
export function commaList(text: string): string[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.some((word) => word === '')) throw new InvalidArgumentError('Write a list with commas: a,b,c');
  return words;
}

/** The form in which addresses are compared. */
export function addressText(text: string): string {
  const parsed = parseAddress(text);
  if (parsed.ok) return addressKey(parsed.address);
  throw new InvalidArgumentError(`"${text}" ${addressProblemTexts[parsed.problem].en}.`);
}
