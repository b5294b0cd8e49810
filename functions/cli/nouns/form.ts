import { InvalidArgumentError, Option } from 'commander';
import { parseWebOrigin } from '../../../shared/domain/network/webOrigin.ts';
import type { FormField } from '../../../shared/domain/workspace/formSettings.ts';
import { type Language, languageTags } from '../../../shared/language/languages.ts';
import { allowFormOrigin } from '../../../shared/services/forms/allow.ts';
import { forbidFormOrigin } from '../../../shared/services/forms/forbid.ts';
import { type FormChanges, setForm } from '../../../shared/services/forms/set.ts';
import { showForm } from '../../../shared/services/forms/show.ts';
import type { ShownForm } from '../../../shared/services/forms/shown.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace } from '../context.ts';
import { fields, type Output } from '../output.ts';

export const formNoun: Noun = (program) => {
  const noun = program.command('form').description('the public sign-up form, and the sites that may show it');
  noun
    .command('show')
    .description('show the address of the form')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  noun
    .command('set')
    .description('what the form says and where it leads; an empty value takes a setting back')
    .option('--text <text>', 'your own words, above the fields; at most 500 characters')
    .option('--privacy <url>', 'the page that says what becomes of what people give')
    .option('--redirect <url>', 'where people are sent once they have joined: a page of a site that may show the form')
    .option(
      '--field <field>',
      'a question of your own, kept as a custom field: city=City or size="Size: S | M | L"; several times, replaces all',
      (field: string, fields: readonly string[] = []) => [...fields, field],
    )
    .addOption(
      new Option('--language <language>', 'its language; browser: that of the reader').choices([
        ...languageTags,
        'browser',
      ]),
    )
    .option(...workspaceFlag)
    .action(action<SetOptions>(set));
  noun
    .command('allow')
    .description('let a site show the form in a frame')
    .argument('<origin>', 'such as https://www.example.com', originText)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(allow));
  noun
    .command('forbid')
    .description('no longer let a site show the form in a frame')
    .argument('<origin>', 'as it was allowed', originText)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(forbid));
};

type SetOptions = WorkspaceOption & {
  text?: string;
  privacy?: string;
  redirect?: string;
  field?: readonly string[];
  language?: Language | 'browser';
};

async function set(options: SetOptions): Promise<Output> {
  const { text, privacy, redirect, language, field } = options;
  const given = {
    text,
    privacyUrl: privacy,
    redirectUrl: redirect,
    language: language === 'browser' ? null : language,
    fields: field?.filter((written) => written !== '').map(fieldText),
  };
  const wanted = Object.entries(given).filter(([, value]) => value !== undefined);
  const changes: FormChanges = Object.fromEntries(wanted.map(([name, value]) => [name, value === '' ? null : value]));
  return told(await setForm(await inWorkspace(options), { changes }));
}

/** `name=Label`, or `name=Label: one | other` for one that is chosen from. */
function fieldText(written: string): FormField {
  const [, name = '', label = '', choices] = /^([^=]*)=([^:]*)(?::(.*))?$/s.exec(written) ?? [];
  if (label.trim() === '') {
    throw new InvalidArgumentError(
      `A field is a name and a label: city=City, or size="Size: S | M | L", not "${written}".`,
    );
  }
  return {
    name: name.trim(),
    label: label.trim(),
    ...(choices !== undefined && { choices: choices.split('|').map((choice) => choice.trim()) }),
  };
}

function originText(text: string): string {
  const origin = parseWebOrigin(text);
  if (origin) return origin;
  throw new InvalidArgumentError('An origin is https:// and a host, without a path: https://www.example.com');
}

async function show(options: WorkspaceOption): Promise<Output> {
  return told(await showForm(await inWorkspace(options)));
}

async function allow(options: WorkspaceOption, origin = ''): Promise<Output> {
  return told(await allowFormOrigin(await inWorkspace(options), { origin }));
}

async function forbid(options: WorkspaceOption, origin = ''): Promise<Output> {
  return told(await forbidFormOrigin(await inWorkspace(options), { origin }));
}

function told(form: ShownForm): Output {
  return {
    json: form,
    text: fields([
      ['Form', form.url],
      ['In frames of', form.origins.join(', ')],
      ['Text', form.text],
      ['Privacy', form.privacy_url],
      ['Leads to', form.redirect_url],
      ['Language', form.language ?? 'of the reader'],
      ['Asks for', form.fields.map(({ name, label }) => `${label} (${name})`).join(', ')],
    ]),
  };
}
