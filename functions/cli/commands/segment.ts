import { existsSync, readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import {
  countSegment,
  createSegment,
  deleteSegment,
  editSegment,
  listSegments,
  showSegment,
} from '../../../shared/services/segments.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { nameText } from '../input.ts';
import { type CommandOutput, fields, table } from '../output.ts';

type EditOptions = WorkspaceOption & { readonly name?: string; readonly rule?: unknown };

/** The language of rules, as shared/domain/segment/segmentRule.ts reads it. */
const ruleHelp = `
Rules:
  {"tag": "vip"}
  {"field": "city", "operator": "equals", "value": "Paris"}
      equals, not_equals, contains, starts_with, exists (no value), greater_than, less_than (numbers)
  {"name": "firstName", "operator": "starts_with", "value": "A"}     or lastName
      equals, not_equals, contains, starts_with, exists
  {"date": "created_at", "operator": "after", "value": "2026-01-31"} or confirmed_at
      before, after, within_last_days (a number)
  {"event": "order_placed", "operator": "within_last_days", "value": 30}
      exists (no value), count_at_least, within_last_days (a number)
  {"mail": "opened", "operator": "within_last_days", "value": 30}    or sent, clicked
      exists (no value), within_last_days; needs the setting mailActivity
  {"all": [RULE, …]}  {"any": [RULE, …]}  {"not": RULE}`;

export const segmentCommands: CommandGroup = (program) => {
  const group = program.command('segment').description('groups of subscribers that a campaign can be sent to');
  group
    .command('create')
    .description('create a segment with a rule')
    .argument('<name>', 'its name', nameText)
    .requiredOption('--rule <rule>', 'a JSON file, or the JSON itself: {"all": [{"tag": "vip"}]}', json)
    .option(...workspaceFlag)
    .addHelpText('after', ruleHelp)
    .action(action<WorkspaceOption & { rule: unknown }>(create));
  group
    .command('edit')
    .description('change the name or the rule of a segment')
    .argument('<segment>', 'its identifier or its name')
    .option('--name <name>', 'its new name', nameText)
    .option('--rule <rule>', 'a JSON file, or the JSON itself', json)
    .option(...workspaceFlag)
    .addHelpText('after', ruleHelp)
    .hook('preAction', requireChange)
    .action(action<EditOptions>(edit));
  group
    .command('delete')
    .description('delete a segment')
    .argument('<segment>', 'its identifier or its name')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(remove));
  group
    .command('list')
    .description('show the segments of a workspace')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(list));
  group
    .command('show')
    .description('show a segment with its rule')
    .argument('<segment>', 'its identifier or its name')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  group
    .command('count')
    .description('count the people whom a campaign to the segment would reach now')
    .argument('<segment>', 'its identifier or its name')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(count));
};

function requireChange(_program: Command, command: Command): void {
  const { name, rule } = command.opts<EditOptions>();
  if (name === undefined && rule === undefined) command.error('error: give --name, --rule, or both');
}

function json(text: string): unknown {
  try {
    return JSON.parse(text.trimStart().startsWith('{') ? text : readFileSync(text, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new InvalidArgumentError(`This is not JSON: ${error.message}`);
    if (!existsSync(text)) throw new InvalidArgumentError(`There is no file "${text}", and it is not a JSON object.`);
    throw error;
  }
}

async function create(options: WorkspaceOption & { rule: unknown }, name = ''): Promise<CommandOutput> {
  const segment = await createSegment(await inWorkspace(options), { name, rule: options.rule });
  return { json: segment, text: `Created ${segment.id}. Next: segment count ${segment.id}` };
}

async function edit({ name, rule, ...options }: EditOptions, id = ''): Promise<CommandOutput> {
  const segment = await editSegment(await inWorkspace(options), { id, name, rule });
  return { json: segment, text: `Changed ${segment.id} (${segment.name}). Next: segment count ${segment.id}` };
}

async function remove(options: WorkspaceOption, id = ''): Promise<CommandOutput> {
  const deleted = await deleteSegment(await inWorkspace(options), { id });
  return { json: deleted, text: `Deleted ${deleted.id}.` };
}

async function list(options: WorkspaceOption): Promise<CommandOutput> {
  const { entries: segments } = await listSegments(await inWorkspace(options));
  return {
    json: { object: 'list', data: segments },
    text: table(
      ['id', 'name', 'created'],
      segments.map((segment) => [segment.id, segment.name, segment.created_at]),
      'There is no segment yet.',
    ),
  };
}

async function show(options: WorkspaceOption, id = ''): Promise<CommandOutput> {
  const segment = await showSegment(await inWorkspace(options), { id });
  const head = fields([
    ['Segment', segment.id],
    ['Name', segment.name],
    ['Created', segment.created_at],
  ]);
  return { json: segment, text: `${head}\n\n${JSON.stringify(segment.rule, null, 2)}` };
}

async function count(options: WorkspaceOption, segment = ''): Promise<CommandOutput> {
  const counted = await countSegment(await inWorkspace(options), { id: segment });
  return { json: counted, text: `In ${counted.name}, subscribed and not suppressed: ${counted.recipients}.` };
}
