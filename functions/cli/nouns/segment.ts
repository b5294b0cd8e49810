import { existsSync, readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { countSegment } from '../../../shared/services/segments/count.ts';
import { createSegment } from '../../../shared/services/segments/create.ts';
import { listSegments } from '../../../shared/services/segments/list.ts';
import { showSegment } from '../../../shared/services/segments/show.ts';
import { action, type Noun, nameText, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace } from '../context.ts';
import { fields, type Output, table } from '../output.ts';

export const segmentNoun: Noun = (program) => {
  const noun = program.command('segment').description('parts of the list that a campaign can be sent to');
  noun
    .command('create')
    .description('store a rule under a name')
    .argument('<name>', 'its name', nameText)
    .requiredOption('--rule <rule>', 'a JSON file, or the JSON itself: {"all": [{"tag": "vip"}]}', json)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { rule: unknown }>(create));
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
