import type { Command } from 'commander';
import { checked } from '../../../shared/contract/fieldNames.ts';
import {
  automationStatsQuery,
  listAutomationRunsQuery,
  startAutomationRunRequest,
} from '../../../shared/contract/schemas/automationRun.ts';
import {
  automationStats,
  cancelAutomationRun,
  getAutomationRun,
  listAutomationRuns,
  recountAutomation,
  startAutomationRun,
} from '../../../shared/services/runs/readRuns.ts';
import { action, inWorkspace, type WorkspaceOption } from '../command.ts';
import { jsonOf } from '../input.ts';
import { type CommandOutput, fields, table } from '../output.ts';

type Run = Awaited<ReturnType<typeof getAutomationRun>>;
type RunsOption = WorkspaceOption & { readonly status?: string; readonly email?: string; readonly after?: string };
type StatsOption = WorkspaceOption & { readonly ofVersion?: string; readonly recount?: boolean };
type StartOption = WorkspaceOption & { readonly with?: string };

/** `ofOne` makes a command of one automation. */
export function addRunCommands(ofOne: (name: string, description: string) => Command): void {
  ofOne('runs', 'show its runs, the newest first')
    .option('--status <list>', 'only those that are running, completed, cancelled or failed, separated by commas')
    .option('--email <address>', 'only the last ten of a person')
    .option('--after <run>', 'continue after this run')
    .action(action<RunsOption>(runs));
  ofOne('run', 'show a run with its steps')
    .argument('<run>', 'identifier of the run')
    .action(action<WorkspaceOption>(run));
  ofOne('cancel', 'end an open run').argument('<run>', 'identifier of the run').action(action<WorkspaceOption>(cancel));
  ofOne('start', 'start a run for a subscriber')
    .argument('<address>', 'address of the subscriber')
    .option('--with <file>', 'a JSON file with what its steps read as event.x')
    .action(action<StartOption>(start));
  ofOne('stats', 'show what became of its runs')
    .option('--of-version <number>', 'an earlier version')
    .option('--recount', 'count all runs anew first')
    .action(action<StatsOption>(stats));
}

async function runs({ status, email, after, ...options }: RunsOption, id = ''): Promise<CommandOutput> {
  const given = Object.entries({ status, email, after }).filter(([, value]) => value !== undefined);
  const query = checked(listAutomationRunsQuery, { limit: '100', ...Object.fromEntries(given) });
  const input = { id, limit: query.limit, after: query.after, status: query.status, email: query.email };
  const { entries, next } = await listAutomationRuns(await inWorkspace(options), input);
  return {
    json: { object: 'list', data: entries, has_more: next !== null, next_cursor: next },
    text: table(
      ['id', 'email', 'status', 'reason', 'step', 'wakes', 'started'],
      entries.map((one) => [one.id, one.email, one.status, one.reason, one.step, one.wakes_at, one.started_at]),
      given.length > 0
        ? 'There is no such run. Without options, all are listed.'
        : 'There is no run yet. Runs start while the automation is enabled: "automation stats ID" counts the starts that were refused, and why.',
    ),
  };
}

const headOf = ({ steps: _, data, ...shown }: Run) => Object.entries({ ...shown, data: JSON.stringify(data) });

const outputOf = (shown: Run): CommandOutput => ({
  json: shown,
  text: `${fields(headOf(shown))}\n\n${table(
    ['step', 'type', 'status', 'reason', 'output', 'from', 'to'],
    shown.steps.map((step) => [
      ...[step.key, step.type, step.status, step.reason ?? step.error],
      ...[step.output && JSON.stringify(step.output), step.started_at, step.completed_at],
    ]),
    '',
  )}`,
});

async function run(options: WorkspaceOption, id = '', runId = ''): Promise<CommandOutput> {
  return outputOf(await getAutomationRun(await inWorkspace(options), { id, runId }));
}

async function cancel(options: WorkspaceOption, id = '', runId = ''): Promise<CommandOutput> {
  return outputOf(await cancelAutomationRun(await inWorkspace(options), { id, runId }));
}

async function start({ with: file, ...options }: StartOption, id = '', email = ''): Promise<CommandOutput> {
  const body = checked(startAutomationRunRequest, { email, ...(file !== undefined && { data: jsonOf(file) }) });
  return outputOf(await startAutomationRun(await inWorkspace(options), { id, ...body }));
}

/** `reentry 2, filtered 1`. */
const countsOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || 'none';

async function stats({ ofVersion, recount, ...options }: StatsOption, id = ''): Promise<CommandOutput> {
  const context = await inWorkspace(options);
  const missed = recount ? (await recountAutomation(context, { id })).missed : 0;
  const { version } = checked(automationStatsQuery, ofVersion === undefined ? {} : { version: ofVersion });
  const shown = await automationStats(context, { id, version });
  return {
    json: shown,
    text: `${missed > 0 ? `${missed} of 16 parts were not counted anew, since their runs changed in the last two minutes.\n\n` : ''}${fields(Object.entries({ version: shown.version, ...shown.runs }))}\n\n${table(
      ['step', 'type', 'entered', 'waiting', 'completed', 'skipped', 'failed', 'left', 'sent', 'opened', 'clicked'],
      shown.steps.map((one) => [
        ...[one.key, one.type, one.entered, one.waiting, one.completed].map(String),
        ...[Object.values(one.skipped).reduce((sum, count) => sum + count, 0), one.failed, one.left].map(String),
        ...[one.email?.sent, one.email?.opened, one.email?.clicked].map((count) =>
          count === undefined ? '' : String(count),
        ),
      ]),
      '',
    )}\n\nRefused starts: ${countsOf(shown.not_started)}`,
  };
}
