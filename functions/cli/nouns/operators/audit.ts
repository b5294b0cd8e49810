import { InvalidArgumentError } from 'commander';
import { listAudit } from '../../../../shared/services/operators/listAudit.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../../action.ts';
import { inWorkspace, operator } from '../../context.ts';
import { type Output, table } from '../../output.ts';

type AuditOptions = WorkspaceOption & { limit: number; deployment: boolean };

const most = 1000;

export const auditNoun: Noun = (program) => {
  const noun = program.command('audit').description('what operators did, by the command line and by the console');
  noun
    .command('list')
    .description('show it, newest first; a year is kept')
    .option('--limit <count>', 'how many entries', countText, 50)
    .option('--deployment', 'what was done to the deployment as a whole, such as new workspaces', false)
    .option(...workspaceFlag)
    .action(action<AuditOptions>(list));
};

function countText(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0 && count <= most) return count;
  throw new InvalidArgumentError(`A number from 1 to ${most}.`);
}

async function list(options: AuditOptions): Promise<Output> {
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
    text: table(['at', 'who', 'role', 'door', 'did', 'to', 'outcome'], rows, 'Nothing was done yet.'),
  };
}
