import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { addCompletion } from './completion.ts';
import { nounsFor } from './nouns.ts';

/** The operator's commands, on local data or on a deployed stack, as far as these words need them. */
export async function createProgram(words: readonly string[]): Promise<Command> {
  const program = new Command('mailroom')
    .description('Run a Mailroom: workspaces, keys, domains, senders, and what only an operator may do.')
    .option('--json', 'print JSON for machines', false)
    .option('--data <folder>', 'folder of the local data', '.mailroom')
    .option('--stack <name>', 'work on a deployed stack, with your AWS credentials, instead of the local data')
    .option(
      '--region <region>',
      'AWS region of the stack (default: that of the settings, else of your AWS configuration)',
    )
    .option(
      '--settings <file>',
      'settings of the stack, for its region (default: mailroom.settings.json if it is there)',
    )
    .version(versionOf(), '--version', 'print the version')
    .exitOverride();
  for (const noun of await nounsFor(words)) noun(program);
  addCompletion(program);
  return program;
}

function versionOf(): string {
  const file = join(import.meta.dirname, '..', '..', 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
