import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import {
  mailBrandBounds as bounds,
  type MailFont,
  mailAlignments,
  mailFontNames,
} from '../../../shared/domain/workspace/mailBrand.ts';
import { type BrandJson, setBrand, showBrand } from '../../../shared/services/brand.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { type CommandOutput, fields } from '../output.ts';

export const brandCommands: CommandGroup = (program) => {
  const group = program.command('brand').description('how the public pages and the mail look: colours, logo, footer');
  group
    .command('show')
    .description('show the brand')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  group
    .command('set')
    .description('change the given parts; an empty value removes one')
    .option('--color <color>', 'of buttons and links, such as #0b57b5; it must be readable on white')
    .option('--logo <file>', 'of the pages: a PNG, JPEG or WebP image of at most 24 KiB', imageOf)
    .option('--logo-url <url>', 'of the mail: the https address of an image')
    .option('--logo-width <pixels>', `of the mail: ${range(bounds.logoWidth)}`, numberOf)
    .option('--background <color>', 'around a message')
    .option('--text-color <color>', 'of the text of a message; it must be readable on white')
    .option('--font <name>', `of a message: ${mailFontNames.join(', ')}`, oneOf(mailFontNames))
    .option('--width <pixels>', `of a message: ${range(bounds.width)}`, numberOf)
    .option('--align <side>', 'of a message: left or center', oneOf(mailAlignments))
    .option('--name <name>', 'of the sender, in the footer')
    .option(
      '--address <address>',
      'postal address in the footer; its lines are separated by ", " or line breaks',
      linesOf,
    )
    .option('--link <url...>', 'pages in the footer, such as those at social networks', linksOf)
    .option('--require-address <yes|no>', 'refuse campaigns without a postal address', oneOf(['yes', 'no']))
    .option(...workspaceFlag)
    .action(action<SetOptions>(set));
};

const range = ({ least, most, usual }: { least: number; most: number; usual: number }): string =>
  `${least} to ${most}, ${usual} by default`;

interface SetOptions extends WorkspaceOption {
  readonly color?: string;
  readonly logo?: Uint8Array | null;
  readonly logoUrl?: string;
  readonly logoWidth?: number | null;
  readonly background?: string;
  readonly textColor?: string;
  readonly font?: MailFont | '';
  readonly width?: number | null;
  readonly align?: 'left' | 'center' | '';
  readonly name?: string;
  readonly address?: string;
  readonly link?: readonly string[];
  readonly requireAddress?: 'yes' | 'no' | '';
}

const numberOf = (text: string): number | null => (text === '' ? null : Number(text));

const oneOf =
  <Name extends string>(names: readonly Name[]) =>
  (text: string): Name | '' => {
    const known = names.find((name) => name === text);
    if (known === undefined && text !== '') throw new InvalidArgumentError(`It is one of ${names.join(', ')}.`);
    return known ?? '';
  };

const linesOf = (text: string): string =>
  text
    .split(/\r?\n|, /)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');

const linksOf = (link: string, before: readonly string[] = []): readonly string[] =>
  link === '' ? before : [...before, link];

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

/** An empty value removes what it stands for. */
const given = <Value>(value: Value | '' | undefined): Value | null | undefined => (value === '' ? null : value);

async function set(options: SetOptions): Promise<CommandOutput> {
  const changes = {
    color: given(options.color),
    logo: options.logo,
    logoUrl: given(options.logoUrl),
    logoWidth: options.logoWidth,
    background: given(options.background),
    text: given(options.textColor),
    font: given(options.font),
    width: options.width,
    align: given(options.align),
    name: given(options.name),
    address: given(options.address),
    links: options.link && options.link.length === 0 ? null : options.link,
    requiresAddress: options.requireAddress === undefined ? undefined : options.requireAddress === 'yes' || null,
  };
  return outputOf(await setBrand(await inWorkspace(options), { changes }));
}

function outputOf(brand: BrandJson): CommandOutput {
  return {
    json: brand,
    text: fields([
      ['Colour', brand.color],
      ['Logo of the pages', brand.logo && `${brand.logo.content_type}, ${brand.logo.size} bytes`],
      ['Logo of the mail', brand.logo_url && `${brand.logo_url}, ${brand.logo_width ?? bounds.logoWidth.usual} pixels`],
      ['Background', brand.background],
      ['Text', brand.text],
      ['Font', brand.font],
      ['Width', brand.width],
      ['Alignment', brand.align],
      ['Name', brand.name],
      ['Address', brand.address?.replaceAll('\n', ', ') ?? null],
      ['Links', brand.links.join(', ') || null],
      ['Address required', brand.requires_address ? 'yes' : 'no'],
    ]),
  };
}
