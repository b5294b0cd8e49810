import {
  createTemplateRequest,
  getTemplateQuery,
  updateTemplateRequest,
} from '../../../../shared/contract/schemas/template.ts';
import { createTemplate } from '../../../../shared/services/templates/create.ts';
import { deleteTemplate } from '../../../../shared/services/templates/delete.ts';
import { getTemplate } from '../../../../shared/services/templates/get.ts';
import { listTemplates } from '../../../../shared/services/templates/list.ts';
import { updateTemplate } from '../../../../shared/services/templates/update.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../../action.ts';
import { inWorkspace } from '../../context.ts';
import { fields, type Output, table } from '../../output.ts';
import { checked, jsonOf } from '../campaign/input.ts';

type Template = Awaited<ReturnType<typeof getTemplate>>;

export const templateNoun: Noun = (program) => {
  const noun = program.command('template').description('messages that a send or a campaign is made of');
  const command = (name: string, description: string) =>
    noun
      .command(name)
      .description(description)
      .option(...workspaceFlag);
  command('list', 'show the templates, newest first, 100 at most').action(action<WorkspaceOption>(list));
  command('show', 'show a template with what it says')
    .argument('<id>', 'its identifier')
    .option('--of-version <number>', 'an earlier version')
    .action(action<WorkspaceOption & { ofVersion?: string }>(show));
  command('create', 'store a template from a JSON file with the fields of POST /templates')
    .argument('<file>', 'a JSON file')
    .action(action<WorkspaceOption>(create));
  command('edit', 'change the fields that a JSON file has; what it says gets a next version')
    .argument('<id>', 'its identifier')
    .argument('<file>', 'a JSON file')
    .action(action<WorkspaceOption>(edit));
  command('delete', 'delete a template; what was made of it keeps what it said')
    .argument('<id>', 'its identifier')
    .action(action<WorkspaceOption>(remove));
};

async function list(options: WorkspaceOption): Promise<Output> {
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
): Promise<Output> {
  const wanted = checked(getTemplateQuery, version === undefined ? {} : { version });
  return shown(await getTemplate(await inWorkspace(options), { id, ...wanted }));
}

async function create(options: WorkspaceOption, file = ''): Promise<Output> {
  const input = checked(createTemplateRequest, jsonOf(file));
  return shown(await createTemplate(await inWorkspace(options), input));
}

async function edit(options: WorkspaceOption, id = '', file = ''): Promise<Output> {
  const input = checked(updateTemplateRequest, jsonOf(file));
  return shown(await updateTemplate(await inWorkspace(options), { id, ...input }));
}

async function remove(options: WorkspaceOption, id = ''): Promise<Output> {
  const answer = await deleteTemplate(await inWorkspace(options), { id });
  return { json: answer, text: `${id} is deleted.` };
}

/** The body as it was written: text as text, blocks as the JSON that `edit` takes. */
function shown(template: Template): Output {
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
