import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { now } from '../../shared/platform/clock.ts';
import type { Context, DeploymentContext, OperatorActor } from '../../shared/services/context.ts';
import { findWorkspace } from '../../shared/services/workspaces/findWorkspace.ts';
import { connect } from './connect/connect.ts';
import { type ConnectionOptions, chosenWorkspace } from './connect/connection.ts';
import { type CommandOutput, print, printable } from './output.ts';

/** Options that every command takes. */
export interface GlobalOptions extends ConnectionOptions {
  readonly json: boolean;
}

/** Adds its commands to the program; `program.ts` lists all groups. */
export type CommandGroup = (program: Command) => void;

/** Runs a command once it is connected. Returns what to print, or null when it has written to stdout itself. */
export type CommandAction<Options> = (
  options: Options & GlobalOptions,
  ...words: string[]
) => Promise<CommandOutput | null>;

/**
 * Wraps an action for commander: connects before it, prints its output and disconnects after it. Only a command that
 * creates a workspace may create the data folder, so that a mistyped --data fails.
 */
export function action<Options = unknown>(
  run: CommandAction<Options>,
  { mayCreateFolder = false }: { mayCreateFolder?: boolean } = {},
): (...args: unknown[]) => Promise<void> {
  return async (...args) => {
    const command = args.at(-1) as Command;
    const options = command.optsWithGlobals<Options & GlobalOptions>();
    const connection = await connect(options, mayCreateFolder);
    try {
      const output = await run(options, ...(command.processedArgs as string[]));
      if (output) print(output, options.json);
    } finally {
      await connection.close();
    }
  };
}

/** The workspace of a command; needed when there are several and none was chosen with `use`. */
export interface WorkspaceOption extends GlobalOptions {
  readonly workspace?: string;
}

export const workspaceFlag = [
  '-w, --workspace <name>',
  'name or id of the workspace (default: the one in use)',
] as const;

/**
 * An operator with all rights: whoever can read the data folder or has AWS credentials of the account needs no other
 * authentication.
 */
export function operator(): DeploymentContext & { readonly actor: OperatorActor } {
  const actor: OperatorActor = {
    kind: 'operator',
    role: 'owner',
    entryPoint: 'command_line',
    // The account name on this machine. The name behind AWS credentials would need another request.
    name: userInfo().username,
    workspaceId: null,
  };
  return { actor, language: 'en', now: now(), requestId: randomUUID() };
}

/**
 * The operator in the workspace of --workspace, else in the one in use, else in the only one. If there are several, its
 * name is printed to stderr. A workspace that is being deleted is refused unless the command allows it.
 */
export async function inWorkspace(options: WorkspaceOption, { evenIfEnded = false } = {}): Promise<Context> {
  const { context, name, isOneOfSeveral } = await findWorkspace(operator(), {
    requested: options.workspace,
    chosen: chosenWorkspace(options),
    evenIfEnded,
  });
  if (isOneOfSeveral && !options.json) process.stderr.write(`In ${printable(name)} (${context.workspaceId}).\n`);
  return context;
}
