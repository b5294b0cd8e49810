import { writeFileSync } from 'node:fs';
import { sentenceOf, ValidationError } from '../../../shared/contract/errors.ts';
import { checked } from '../../../shared/contract/fieldNames.ts';
import {
  createAutomationRequest,
  getAutomationQuery,
  listAutomationsQuery,
  updateAutomationRequest,
} from '../../../shared/contract/schemas/automation.ts';
import { definitionFile, fileFields } from '../../../shared/domain/automation/definitionFile.ts';
import {
  createAutomation,
  duplicateAutomation,
  updateAutomation,
} from '../../../shared/services/automations/changeAutomations.ts';
import { deleteAutomation, stopAutomation } from '../../../shared/services/automations/endAutomations.ts';
import { getAutomation, listAutomations } from '../../../shared/services/automations/readAutomations.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { jsonOf } from '../input.ts';
import { type CommandOutput, fields, printable, table } from '../output.ts';
import { addRunCommands } from './automationRun.ts';
import { simulateCommand } from './automationSimulate.ts';

type Detail = Awaited<ReturnType<typeof getAutomation>>;
type VersionOption = WorkspaceOption & { readonly ofVersion?: string };

export const automationCommands: CommandGroup = (program) => {
  const group = program.command('automation').description('messages that follow from what people do');
  const command = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .option(...workspaceFlag);
  const ofOne = (name: string, description: string) =>
    command(name, description).argument('<id>', 'identifier of the automation');
  command('list', 'show the automations of the workspace')
    .option('--status <status>', 'only those that are disabled, enabled or draining')
    .action(action<WorkspaceOption & { status?: string }>(list));
  ofOne('show', 'show an automation with its steps')
    .option('--of-version <number>', 'an earlier version')
    .action(action<VersionOption>(show));
  ofOne('pull', 'write the definition to a file that "edit" and "create" read, or print it')
    .argument('[file]', 'a JSON file')
    .option('--of-version <number>', 'an earlier version')
    .action(action<VersionOption>(pull));
  command('create', 'create a disabled automation from a definition')
    .argument('<file>', 'a JSON file')
    .action(action<WorkspaceOption>(create));
  ofOne('edit', 'replace the definition by that in a file; what the file leaves out has its default')
    .argument('<file>', 'a JSON file')
    .action(action<WorkspaceOption>(edit));
  ofOne('duplicate', 'create a disabled automation with the same definition').action(
    action<WorkspaceOption>(duplicate),
  );
  simulateCommand(command('simulate', 'show at which step people would be, and what would go out, without doing it'));
  ofOne('enable', 'start runs, and let open runs go on').action(action<WorkspaceOption>(withStatus('enabled')));
  ofOne('drain', 'let open runs go on, and start none').action(action<WorkspaceOption>(withStatus('draining')));
  ofOne('disable', 'start no run, and pause the open ones').action(action<WorkspaceOption>(withStatus('disabled')));
  ofOne('stop', 'disable it and end all of its runs').action(action<WorkspaceOption>(stop));
  ofOne('delete', 'delete it and end all of its runs').action(action<WorkspaceOption>(remove));
  addRunCommands(ofOne);
};

async function list({ status, ...options }: WorkspaceOption & { status?: string }): Promise<CommandOutput> {
  const { limit, ...query } = checked(listAutomationsQuery, { limit: '100', ...(status !== undefined && { status }) });
  const { entries } = await listAutomations(await inWorkspace(options), {
    limit,
    after: undefined,
    status: query.status,
  });
  return {
    json: { object: 'list', data: entries },
    text: table(
      ['id', 'name', 'status', 'version', 'held', 'updated'],
      entries.map(({ id, name, status, version, held, updated_at }) => [
        ...[id, name, status, version, held?.reason, updated_at],
      ]),
      status === undefined
        ? 'There is no automation yet: "automation create FILE" stores one, and docs/recipes has five such files.'
        : `No automation is ${query.status}. Without --status, all are listed.`,
    ),
  };
}

const read = async ({ ofVersion: version, ...options }: VersionOption, id: string): Promise<Detail> =>
  getAutomation(await inWorkspace(options), {
    id,
    ...checked(getAutomationQuery, version === undefined ? {} : { version }),
  });

async function show(options: VersionOption, id = ''): Promise<CommandOutput> {
  return outputOf(await read(options, id));
}

async function pull(options: VersionOption, id = '', file?: string): Promise<CommandOutput> {
  const automation = await read(options, id);
  const text = definitionFile(automation);
  if (file === undefined) return { json: JSON.parse(text), text: text.trimEnd() };
  writeFileSync(file, text);
  return { json: JSON.parse(text), text: `Version ${automation.version} is in ${file}.` };
}

async function create(options: WorkspaceOption, file = ''): Promise<CommandOutput> {
  return inLines(options, file, async () => {
    const input = checked(createAutomationRequest, jsonOf(file));
    return createAutomation(await inWorkspace(options), { ...input, status: 'disabled' });
  });
}

async function edit(options: WorkspaceOption, id = '', file = ''): Promise<CommandOutput> {
  return inLines(options, file, async () => {
    const input = checked(updateAutomationRequest, { ...fileFields, ...(jsonOf(file) as object) });
    return updateAutomation(await inWorkspace(options), { id, ...input });
  });
}

/** People read a problem a line, each with its path in the file. */
async function inLines(options: WorkspaceOption, file: string, change: () => Promise<Detail>): Promise<CommandOutput> {
  try {
    return outputOf(await change());
  } catch (error) {
    if (!(error instanceof ValidationError) || options.json) throw error;
    const lines = error.issues.map((issue) => `${printable(sentenceOf(issue).en)}\n`);
    process.stderr.write(lines.join(''));
    throw new Error(`"${file}" is not a definition that can be stored: ${lines.length} of its places must change.`);
  }
}

async function duplicate(options: WorkspaceOption, id = ''): Promise<CommandOutput> {
  return outputOf(await duplicateAutomation(await inWorkspace(options), { id }));
}

const withStatus =
  (status: Detail['status']) =>
  async (options: WorkspaceOption, id = ''): Promise<CommandOutput> =>
    outputOf(await updateAutomation(await inWorkspace(options), { id, status }));

async function stop(options: WorkspaceOption, id = ''): Promise<CommandOutput> {
  const answer = await stopAutomation(await inWorkspace(options), { id });
  return { json: answer, text: `${id} is disabled, and its runs end.` };
}

async function remove(options: WorkspaceOption, id = ''): Promise<CommandOutput> {
  const answer = await deleteAutomation(await inWorkspace(options), { id });
  return { json: answer, text: `${id} is deleted, and its runs end.` };
}

function outputOf(automation: Detail): CommandOutput {
  const { id, name, status, version, held, steps, connections, tag, updated_at } = automation;
  const head = fields([
    ['Automation', id],
    ['Name', name],
    ['Status', status],
    ['Held', held?.reason],
    ['Version', version],
    ['Topic', tag],
    ['Updated', updated_at],
  ]);
  const next = (key: string) =>
    connections
      .filter(({ from }) => from === key)
      .map(({ to, type }) => (type === 'default' ? to : `${type}: ${to}`))
      .join(', ');
  const rows = steps.map(({ key, type, config }) => [key, type, JSON.stringify(config).slice(0, 80), next(key)]);
  return { json: automation, text: `${head}\n\n${table(['step', 'type', 'config', 'next'], rows, '')}` };
}
