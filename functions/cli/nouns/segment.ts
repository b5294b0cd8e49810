import { existsSync, readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { Segment } from '../../../shared/domain/segment/segment.ts';
import { now } from '../../../shared/platform/clock.ts';
import { countAudience } from '../../../shared/services/audience/count.ts';
import { createSegment } from '../../../shared/services/segments/create.ts';
import { findSegment } from '../../../shared/services/segments/find.ts';
import { findWorkspace } from '../../../shared/services/workspaces/find.ts';
import { listSegments } from '../../../shared/store/workspace/segments.ts';
import { action, type Noun, nameText, type WorkspaceOption, workspaceFlag } from '../action.ts';
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

const recordOf = ({ id, name, rule, createdAt }: Segment) => ({
  object: 'segment',
  id,
  name,
  rule,
  created_at: createdAt,
});

async function create(options: WorkspaceOption & { rule: unknown }, name = ''): Promise<Output> {
  const { id: workspaceId } = await findWorkspace(options.workspace);
  const segment = await createSegment(workspaceId, { name, rule: options.rule }, now());
  return { json: recordOf(segment), text: `Created ${segment.id}. Next: segment count ${segment.id}` };
}

async function list(options: WorkspaceOption): Promise<Output> {
  const segments = await listSegments((await findWorkspace(options.workspace)).id);
  return {
    json: { object: 'list', data: segments.map(recordOf) },
    text: table(
      ['id', 'name', 'created'],
      segments.map(({ id, name, createdAt }) => [id, name, createdAt]),
      'There is no segment yet.',
    ),
  };
}

async function show(options: WorkspaceOption, wanted = ''): Promise<Output> {
  const segment = await findSegment((await findWorkspace(options.workspace)).id, wanted);
  const head = fields([
    ['Segment', segment.id],
    ['Name', segment.name],
    ['Created', segment.createdAt],
  ]);
  return { json: recordOf(segment), text: `${head}\n\n${JSON.stringify(segment.rule, null, 2)}` };
}

async function count(options: WorkspaceOption, wanted = ''): Promise<Output> {
  const { id: workspaceId } = await findWorkspace(options.workspace);
  const segment = await findSegment(workspaceId, wanted);
  const recipients = await countAudience({ workspaceId, rule: segment.rule, to: null }, now());
  return {
    json: { object: 'segment_count', id: segment.id, name: segment.name, recipients },
    text: `In ${segment.name}, subscribed and not suppressed: ${recipients}.`,
  };
}
