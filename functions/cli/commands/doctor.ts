import type { Command } from 'commander';
import { diagnose, type Finding } from '../../../infra/doctor/examine.ts';
import { listDomainConflicts } from '../../../shared/services/changeDomains.ts';
import { showSending } from '../../../shared/services/changeSendingHold.ts';
import { listDomains } from '../../../shared/services/domains.ts';
import { listWorkspaces } from '../../../shared/services/workspaces/workspaces.ts';
import { type CommandGroup, type GlobalOptions, operator } from '../command.ts';
import { connect } from '../connect/connect.ts';
import { type CommandOutput, print, printable, table } from '../output.ts';

export const doctorCommands: CommandGroup = (program) => {
  program
    .command('doctor')
    .description('what is in the way of a deployment on AWS, before the first one and at any time; changes nothing')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      print(await findingsOf(options), options.json);
    });
};

/** Without a deployment there is nothing to connect to, so that this is no `action` of the others. */
async function findingsOf(options: GlobalOptions): Promise<CommandOutput> {
  const { stack, region, isDeployed, findings } = await diagnose(options.settings, options.region);
  if (isDeployed) {
    const service = examineService({ ...options, region, stack: options.stack ?? stack });
    const failed = (error: Error): Finding[] => [{ check: 'service', severity: 'unknown', found: error.message }];
    findings.push(...(await service.catch(failed)));
  }
  const isBad = findings.some(({ severity }) => severity === 'problem');
  const rows = findings.map(({ check, severity, found, mend }) => [
    severity,
    check,
    mend ? `${found}. ${mend}` : found,
  ]);
  return {
    json: { object: 'diagnosis', stack, region, ok: !isBad, findings },
    text: table(['', 'check', `${stack} in ${region}`], rows, ''),
    exitCode: isBad ? 1 : 0,
  };
}

/** What only the deployed service knows. */
async function examineService(options: GlobalOptions): Promise<Finding[]> {
  const connection = await connect(options, false);
  try {
    const findings: Finding[] = [];
    const sending = await showSending(operator());
    if (sending.held) {
      const found = `All sending is held since ${sending.since ?? 'the deployment'}${sending.note ? ` (${sending.note})` : ''}`;
      findings.push({ check: 'sending', severity: 'warning', found, mend: 'mailroom sending release --all' });
    }
    for (const { id, name, deleting } of await listWorkspaces(operator())) {
      if (deleting) continue;
      const domains = await listDomains({ ...operator(), workspaceId: id });
      const waiting = domains.filter(({ verified }) => !verified).map(({ domain }) => domain);
      const check = 'domains';
      if (domains.length === 0) {
        const found = `${printable(name)} has no domain and cannot send`;
        findings.push({ check, severity: 'warning', found, mend: `mailroom domain add DOMAIN -w ${id}` });
      } else if (waiting.length > 0) {
        const found = `${waiting.join(', ')} of ${printable(name)} is not verified`;
        findings.push({ check, severity: 'warning', found, mend: `mailroom domain verify ${waiting[0]} -w ${id}` });
      }
    }
    for (const { domain } of await listDomainConflicts(operator())) {
      const found = `${domain} belongs to several workspaces`;
      findings.push({ check: 'domains', severity: 'warning', found, mend: 'mailroom domain conflicts' });
    }
    return findings;
  } finally {
    await connection.close();
  }
}
