import { listAudit } from '../../../shared/services/operators/operators.ts';
import { action, type CommandGroup, inWorkspace, operator, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { countUpTo } from '../input.ts';
import { type CommandOutput, table } from '../output.ts';

type AuditOptions = WorkspaceOption & { limit: number; deployment: boolean };

export const auditCommands: CommandGroup = (program) => {
  const group = program
    .command('audit')
    .description('what operators did on the command line and in the console, and what keys changed');
  group
    .command('list')
    .description('show the entries, newest first; they are kept for a year')
    .option('--limit <count>', 'how many entries', countUpTo(1000), 50)
    .option('--deployment', 'entries about the deployment as a whole, such as new workspaces', false)
    .option(...workspaceFlag)
    .action(action<AuditOptions>(list));
};

async function list(options: AuditOptions): Promise<CommandOutput> {
  const workspaceId = options.deployment ? null : (await inWorkspace(options)).workspaceId;
  const { entries, next } = await listAudit(operator(), { workspaceId, limit: options.limit });
  const rows = entries.map(({ at, by, role, door, action: done, subject, outcome }) => [
    at,
    by,
    role,
    door,
    done,
    subject,
    outcome,
  ]);
  return {
    json: { object: 'list', data: entries, has_more: next !== null },
    text: table(['at', 'who', 'role', 'from', 'action', 'subject', 'outcome'], rows, 'There are no entries yet.'),
  };
}
