import { existsSync, readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { countSegment } from '../../../shared/services/segments/count.ts';
import { createSegment } from '../../../shared/services/segments/create.ts';
import { deleteSegment } from '../../../shared/services/segments/delete.ts';
import { editSegment } from '../../../shared/services/segments/edit.ts';
import { listSegments } from '../../../shared/services/segments/list.ts';
import { showSegment } from '../../../shared/services/segments/show.ts';
import { action, type Noun, nameText, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace } from '../context.ts';
import { fields, type Output, table } from '../output.ts';

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
  {"all": [RULE, …]}  {"any": [RULE, …]}  {"not": RULE}`;

export const segmentNoun: Noun = (program) => {
  const noun = program.command('segment').description('parts of the list that a campaign can be sent to');
  noun
    .command('create')
    .description('store a rule under a name')
    .argument('<name>', 'its name', nameText)
    .requiredOption('--rule <rule>', 'a JSON file, or the JSON itself: {"all": [{"tag": "vip"}]}', json)
    .option(...workspaceFlag)
    .addHelpText('after', ruleHelp)
    .action(action<WorkspaceOption & { rule: unknown }>(create));
  noun
    .command('edit')
    .description('give a segment another name or another rule')
    .argument('<segment>', 'its identifier or its name')
    .option('--name <name>', 'its new name', nameText)
    .option('--rule <rule>', 'a JSON file, or the JSON itself', json)
    .option(...workspaceFlag)
    .addHelpText('after', ruleHelp)
    .hook('preAction', requireChange)
    .action(action<EditOptions>(edit));
  noun
    .command('delete')
    .description('delete a segment')
    .argument('<segment>', 'its identifier or its name')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(remove));
  noun
    .command('list')
    .description('show the segments of a workspace')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(list));
  noun
    .command('show')
    .description('show a segment with its rule')
    .argument('<segment>', 'its identifier or its name')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  noun
    .command('count')
    .description('count whom a campaign to the segment would reach now')
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

async function create(options: WorkspaceOption & { rule: unknown }, name = ''): Promise<Output> {
  const segment = await createSegment(await inWorkspace(options), { name, rule: options.rule });
  return { json: segment, text: `Created ${segment.id}. Next: segment count ${segment.id}` };
}

async function edit({ name, rule, ...options }: EditOptions, wanted = ''): Promise<Output> {
  const segment = await editSegment(await inWorkspace(options), { segment: wanted, name, rule });
  return { json: segment, text: `Changed ${segment.id} (${segment.name}). Next: segment count ${segment.id}` };
}

async function remove(options: WorkspaceOption, wanted = ''): Promise<Output> {
  const deleted = await deleteSegment(await inWorkspace(options), { segment: wanted });
  return { json: deleted, text: `Deleted ${deleted.id} (${deleted.name}).` };
}

async function list(options: WorkspaceOption): Promise<Output> {
  const segments = await listSegments(await inWorkspace(options));
  return {
    json: { object: 'list', data: segments },
    text: table(
      ['id', 'name', 'created'],
      segments.map((segment) => [segment.id, segment.name, segment.created_at]),
      'There is no segment yet.',
    ),
  };
}

async function show(options: WorkspaceOption, wanted = ''): Promise<Output> {
  const segment = await showSegment(await inWorkspace(options), { segment: wanted });
  const head = fields([
    ['Segment', segment.id],
    ['Name', segment.name],
    ['Created', segment.created_at],
  ]);
  return { json: segment, text: `${head}\n\n${JSON.stringify(segment.rule, null, 2)}` };
}

async function count(options: WorkspaceOption, segment = ''): Promise<Output> {
  const counted = await countSegment(await inWorkspace(options), { segment });
  return { json: counted, text: `In ${counted.name}, subscribed and not suppressed: ${counted.recipients}.` };
}
