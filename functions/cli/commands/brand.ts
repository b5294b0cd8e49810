import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { type BrandJson, setBrand, showBrand } from '../../../shared/services/brand.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { type CommandOutput, fields } from '../output.ts';

export const brandCommands: CommandGroup = (program) => {
  const group = program
    .command('brand')
    .description('colour and logo of the public pages: sign-up form, confirmation, unsubscribe');
  group
    .command('show')
    .description('show colour and logo')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  group
    .command('set')
    .description('change colour and logo; an empty value removes one')
    .option('--color <color>', 'such as #0b57b5; it must be readable on white')
    .option('--logo <file>', 'a PNG, JPEG or WebP image of at most 24 KiB', imageOf)
    .option(...workspaceFlag)
    .action(action<SetOptions>(set));
};

type SetOptions = WorkspaceOption & { color?: string; logo?: Uint8Array | null };

function imageOf(file: string): Uint8Array | null {
  if (file === '') return null;
  try {
    return readFileSync(file);
  } catch (error) {
    throw new InvalidArgumentError(`The file "${file}" cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

async function show(options: WorkspaceOption): Promise<CommandOutput> {
  return outputOf(await showBrand(await inWorkspace(options)));
}

async function set(options: SetOptions): Promise<CommandOutput> {
  const { color, logo } = options;
  const changes = { color: color === '' ? null : color, logo };
  return outputOf(await setBrand(await inWorkspace(options), { changes }));
}

function outputOf(brand: BrandJson): CommandOutput {
  return {
    json: brand,
    text: fields([
      ['Colour', brand.color],
      ['Logo', brand.logo && `${brand.logo.content_type}, ${brand.logo.size} bytes`],
    ]),
  };
}
