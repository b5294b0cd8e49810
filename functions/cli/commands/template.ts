import { checked } from '../../../shared/contract/fieldNames.ts';
import {
  createTemplateRequest,
  getTemplateQuery,
  updateTemplateRequest,
} from '../../../shared/contract/schemas/template.ts';
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
} from '../../../shared/services/templates.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { jsonOf } from '../input.ts';
import { type CommandOutput, fields, table } from '../output.ts';

type TemplateDetail = Awaited<ReturnType<typeof getTemplate>>;

export const templateCommands: CommandGroup = (program) => {
  const group = program.command('template').description('templates of emails and campaigns');
  const command = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .option(...workspaceFlag);
  command('list', 'show the newest 100 templates').action(action<WorkspaceOption>(list));
  command('show', 'show a template with its content')
    .argument('<id>', 'its identifier')
    .option('--of-version <number>', 'an earlier version')
    .action(action<WorkspaceOption & { ofVersion?: string }>(show));
  command('create', 'store a template from a JSON file with the fields of POST /templates')
    .argument('<file>', 'a JSON file')
    .action(action<WorkspaceOption>(create));
  command('edit', 'change the fields in a JSON file; a change of the content makes a new version')
    .argument('<id>', 'its identifier')
    .argument('<file>', 'a JSON file')
    .action(action<WorkspaceOption>(edit));
  command('delete', 'delete a template; emails and campaigns made from it keep their content')
    .argument('<id>', 'its identifier')
    .action(action<WorkspaceOption>(remove));
};

async function list(options: WorkspaceOption): Promise<CommandOutput> {
  const { entries } = await listTemplates(await inWorkspace(options), { limit: 100, after: undefined });
  return {
    json: { object: 'list', data: entries },
    text: table(
      ['id', 'name', 'subject', 'version', 'updated'],
      entries.map(({ id, name, subject, version, updated_at }) => [id, name, subject, version, updated_at]),
      'There is no template yet.',
    ),
  };
}

async function show(
  { ofVersion: version, ...options }: WorkspaceOption & { ofVersion?: string },
  id = '',
): Promise<CommandOutput> {
  const query = checked(getTemplateQuery, version === undefined ? {} : { version });
  return outputOf(await getTemplate(await inWorkspace(options), { id, ...query }));
}

async function create(options: WorkspaceOption, file = ''): Promise<CommandOutput> {
  const input = checked(createTemplateRequest, jsonOf(file));
  return outputOf(await createTemplate(await inWorkspace(options), input));
}

async function edit(options: WorkspaceOption, id = '', file = ''): Promise<CommandOutput> {
  const input = checked(updateTemplateRequest, jsonOf(file));
  return outputOf(await updateTemplate(await inWorkspace(options), { id, ...input }));
}

async function remove(options: WorkspaceOption, id = ''): Promise<CommandOutput> {
  const answer = await deleteTemplate(await inWorkspace(options), { id });
  return { json: answer, text: `${id} is deleted.` };
}

/** The content in its stored form: text, or blocks as the JSON that `edit` reads. */
function outputOf(template: TemplateDetail): CommandOutput {
  const { id, name, subject, version, variables, updated_at, html, text, content } = template;
  const head = fields([
    ['Template', id],
    ['Name', name],
    ['Subject', subject],
    ['Version', version],
    ['Variables', variables.map(({ key }) => key).join(', ')],
    ['Updated', updated_at],
  ]);
  const body = text ?? html ?? (content && JSON.stringify(content, null, 2));
  return { json: template, text: body ? `${head}\n\n${body}` : head };
}
