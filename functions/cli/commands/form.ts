import { InvalidArgumentError, Option } from 'commander';
import { type FormField, parseWebOrigin } from '../../../shared/domain/workspace/workspace.ts';
import { type Language, languageTags } from '../../../shared/language/languages.ts';
import { resumeConfirmations } from '../../../shared/services/confirmations/pause.ts';
import {
  allowFormOrigin,
  type FormChanges,
  type FormJson,
  forbidFormOrigin,
  setForm,
  showForm,
} from '../../../shared/services/signUpForm.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { type CommandOutput, fields } from '../output.ts';

export const formCommands: CommandGroup = (program) => {
  const group = program.command('form').description('the public sign-up form, and the sites that may embed it');
  group
    .command('show')
    .description('show the URL and the settings of the form')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  group
    .command('set')
    .description('change the texts, questions and links of the form; an empty value resets a setting')
    .option('--text <text>', 'a text above the fields, at most 500 characters')
    .option('--privacy <url>', 'your privacy page')
    .option('--redirect <url>', 'the page to open after the sign-up, on a site that may embed the form')
    .option(
      '--field <field>',
      'a question, stored as a custom field: city=City or size="Size: S | M | L"; repeat it for more; replaces all questions',
      (field: string, fields: readonly string[] = []) => [...fields, field],
    )
    .addOption(
      new Option('--language <language>', 'its language, or "browser" for the language of each browser').choices([
        ...languageTags,
        'browser',
      ]),
    )
    .option(...workspaceFlag)
    .action(action<SetOptions>(set));
  group
    .command('allow')
    .description('let a site embed the form in a frame')
    .argument('<origin>', 'such as https://www.example.com', originText)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(allow));
  group
    .command('forbid')
    .description('no longer let a site embed the form')
    .argument('<origin>', 'as it was allowed', originText)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(forbid));
  group
    .command('resume')
    .description('send confirmations again that were paused for their bounces')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(resume));
};

type SetOptions = WorkspaceOption & {
  text?: string;
  privacy?: string;
  redirect?: string;
  field?: readonly string[];
  language?: Language | 'browser';
};

async function set(options: SetOptions): Promise<CommandOutput> {
  const { text, privacy, redirect, language, field } = options;
  const given = {
    text,
    privacyUrl: privacy,
    redirectUrl: redirect,
    language: language === 'browser' ? null : language,
    fields: field?.filter((text) => text !== '').map(fieldText),
  };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const changes: FormChanges = Object.fromEntries(set.map(([name, value]) => [name, value === '' ? null : value]));
  return outputOf(await setForm(await inWorkspace(options), { changes }));
}

/** Reads `name=Label`, or `name=Label: one | other` for a choice. */
function fieldText(text: string): FormField {
  const [, name = '', label = '', choices] = /^([^=]*)=([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  if (label.trim() === '') {
    throw new InvalidArgumentError(
      `A field is a name and a label: city=City, or size="Size: S | M | L", not "${text}".`,
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

async function show(options: WorkspaceOption): Promise<CommandOutput> {
  return outputOf(await showForm(await inWorkspace(options)));
}

async function allow(options: WorkspaceOption, origin = ''): Promise<CommandOutput> {
  return outputOf(await allowFormOrigin(await inWorkspace(options), { origin }));
}

async function forbid(options: WorkspaceOption, origin = ''): Promise<CommandOutput> {
  return outputOf(await forbidFormOrigin(await inWorkspace(options), { origin }));
}

async function resume(options: WorkspaceOption): Promise<CommandOutput> {
  const result = await resumeConfirmations(await inWorkspace(options));
  const text = result.was_paused ? 'Confirmations are sent again.' : 'Confirmations were not paused: nothing changed.';
  return { json: result, text };
}

function outputOf(form: FormJson): CommandOutput {
  return {
    json: form,
    text: fields([
      ['Form', form.url],
      ['Embedded by', form.origins.join(', ')],
      ['Text', form.text],
      ['Privacy', form.privacy_url],
      ['Redirects to', form.redirect_url],
      ['Language', form.language ?? 'of the browser'],
      ['Asks for', form.fields.map(({ name, label }) => `${label} (${name})`).join(', ')],
    ]),
  };
}
