import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { setBrand } from '../../../shared/services/brand/set.ts';
import { showBrand } from '../../../shared/services/brand/show.ts';
import type { ShownBrand } from '../../../shared/services/brand/shown.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace } from '../context.ts';
import { fields, type Output } from '../output.ts';

export const brandNoun: Noun = (program) => {
  const noun = program
    .command('brand')
    .description('how the pages look that people see: form, confirmation, unsubscribe');
  noun
    .command('show')
    .description('show colour and logo')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  noun
    .command('set')
    .description('change colour and logo; an empty value takes one back')
    .option('--color <color>', 'such as #0b57b5; it must be readable on white')
    .option('--logo <file>', 'a PNG, JPEG or WebP picture of at most 24 KiB', pictureOf)
    .option(...workspaceFlag)
    .action(action<SetOptions>(set));
};

type SetOptions = WorkspaceOption & { color?: string; logo?: Uint8Array | null };

function pictureOf(file: string): Uint8Array | null {
  if (file === '') return null;
  try {
    return readFileSync(file);
  } catch (error) {
    throw new InvalidArgumentError(`The file "${file}" cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

async function show(options: WorkspaceOption): Promise<Output> {
  return told(await showBrand(await inWorkspace(options)));
}

async function set(options: SetOptions): Promise<Output> {
  const { color, logo } = options;
  const changes = { color: color === '' ? null : color, logo };
  return told(await setBrand(await inWorkspace(options), { changes }));
}

function told(brand: ShownBrand): Output {
  return {
    json: brand,
    text: fields([
      ['Colour', brand.color],
      ['Logo', brand.logo && `${brand.logo.content_type}, ${brand.logo.size} bytes`],
    ]),
  };
}
