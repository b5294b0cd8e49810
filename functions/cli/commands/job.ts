import { listJobRecords, type ShownJob, showJob, stopJob } from '../../../shared/services/jobs/jobRecord.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { type CommandOutput, fields, table } from '../output.ts';

export const jobCommands: CommandGroup = (program) => {
  const group = program.command('job').description('imports, exports and erasures of the console and the API');
  group
    .command('list')
    .description('show the jobs of the last month, newest first')
    .option('--limit <number>', 'at most this many', Number, 20)
    .option('--after <id>', 'go on after this job')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { limit: number; after?: string }>(list));
  group
    .command('show')
    .description('show how far a job is')
    .argument('<id>', 'its id')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  group
    .command('cancel')
    .description('stop a job; what it has done stays done')
    .argument('<id>', 'its id')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(cancel));
};

async function list({
  limit,
  after,
  ...options
}: WorkspaceOption & { limit: number; after?: string }): Promise<CommandOutput> {
  const { entries, next } = await listJobRecords(await inWorkspace(options), { limit, after });
  const jobs = entries.map(withoutDownload);
  return {
    json: { object: 'list', data: jobs, has_more: next !== null },
    text: table(
      ['id', 'kind', 'status', 'records', 'started'],
      jobs.map(({ id, kind, status, progress, created_at }) => [id, kind, status, progress.records, created_at]),
      'There is no job of the last month.',
    ),
  };
}

async function show(options: WorkspaceOption, id = ''): Promise<CommandOutput> {
  return output(await showJob(await inWorkspace(options), { id }));
}

async function cancel(options: WorkspaceOption, id = ''): Promise<CommandOutput> {
  return output(await stopJob(await inWorkspace(options), { id }));
}

function output(shown: ShownJob): CommandOutput {
  const job = withoutDownload(shown);
  return {
    json: job,
    text: fields([
      ['id', job.id],
      ['kind', job.kind],
      ['status', job.status],
      ['records', job.progress.records],
      ['refused', job.progress.refused],
      ['failure', job.failure],
      ['started', job.created_at],
      ['ended', job.ended_at],
    ]),
  };
}

/** A download is recorded in the audit log, so it is the console's or a key's. */
const withoutDownload = ({ download: _, ...job }: ShownJob) => job;
