import type { DnsRecord } from '../../../shared/domain/dnsRecords.ts';
import {
  addDomain,
  assignDomain,
  listDomainConflicts,
  removeDomain,
  verifyDomain,
} from '../../../shared/services/changeDomains.ts';
import { listDomains } from '../../../shared/services/domains.ts';
import { action, type CommandGroup, inWorkspace, operator, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { type CommandOutput, exitCodes, table } from '../output.ts';

/** False with `--no-mail-from`, the subdomain with `--mail-from`. */
type AddOptions = WorkspaceOption & { readonly mailFrom?: string | false };
type VerifyOptions = WorkspaceOption & { readonly resolver?: string; readonly strict?: boolean };

export const domainCommands: CommandGroup = (program) => {
  const group = program.command('domain').description('the domains that mail is sent from');
  group
    .command('add')
    .description('register a domain with SES and show the DNS records to publish')
    .argument('<domain>', 'such as example.com')
    .option('--mail-from <subdomain>', 'the domain that receives bounces (default: mail.<domain>)')
    .option('--no-mail-from', 'let a domain of SES receive bounces, with fewer records to publish')
    .option(...workspaceFlag)
    .action(action<AddOptions>(add));
  group
    .command('remove')
    .description('release a domain, so that another workspace may prove it')
    .argument('<domain>', 'such as example.com')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(remove));
  group
    .command('assign')
    .description('assign a domain to a workspace, even if another one has it')
    .argument('<domain>', 'such as example.com')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(assign));
  group
    .command('conflicts')
    .description('show the domains of the deployment that several workspaces have; decide with "domain assign"')
    .action(action(conflicts));
  group
    .command('list')
    .description('show the domains of a workspace')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(list));
  group
    .command('verify')
    .description('check at SES whether mail can be sent from it, and look up its DNS records; exit code 1 if it cannot')
    .argument('<domain>', 'such as example.com')
    .option('--strict', 'exit code 1 also when a record is missing')
    .option('--resolver <address>', 'DNS server to query, such as 9.9.9.9 or 127.0.0.1:5353')
    .option(...workspaceFlag)
    .action(action<VerifyOptions>(verify));
};

async function add({ mailFrom, ...options }: AddOptions, name = ''): Promise<CommandOutput> {
  const added = await addDomain(await inWorkspace(options), { name, mailFrom: mailFrom === false ? null : mailFrom });
  const { domain, verified, records, problems } = added;
  const lines = recordTable(records);
  const warnings = problems.map((problem) => `\n\nWarning: ${problem}`).join('');
  return {
    json: added,
    text: verified
      ? `${domain} is verified. Its records:\n\n${lines}${warnings}`
      : `Publish these records for ${domain}, then: domain verify ${domain}\n\n${lines}${warnings}`,
  };
}

function recordTable(records: readonly DnsRecord[]): string {
  const rows = records.map((record) => [record.type, record.name, record.value]);
  return table(['type', 'name', 'value'], rows, 'SES returned no records.');
}

async function remove(options: WorkspaceOption, name = ''): Promise<CommandOutput> {
  const removed = await removeDomain(await inWorkspace(options), { name });
  return { json: removed, text: `Removed the domain ${removed.domain}.` };
}

async function assign(options: WorkspaceOption, name = ''): Promise<CommandOutput> {
  const context = await inWorkspace(options);
  const assigned = await assignDomain(context, { name });
  const state = assigned.verified ? 'is verified' : 'is not verified yet: domain verify';
  return { json: assigned, text: `${assigned.domain} belongs to ${context.workspaceId} and ${state}.` };
}

async function conflicts(): Promise<CommandOutput> {
  const found = await listDomainConflicts(operator());
  const rows = found.flatMap(({ domain, workspaces }) =>
    workspaces.map((one) => [domain, one.id, one.name, one.domain]),
  );
  return {
    json: { object: 'list', data: found },
    text: table(['domain', 'workspace', 'name', 'has'], rows, 'No domain is in two workspaces.'),
  };
}

async function list(options: WorkspaceOption): Promise<CommandOutput> {
  const domains = await listDomains(await inWorkspace(options));
  return {
    json: { object: 'list', data: domains },
    text: table(
      ['domain', 'verified', 'grandfathered'],
      domains.map(({ domain, verified, grandfathered }) => [domain, verified, grandfathered ?? false]),
      'There is no domain yet.',
    ),
  };
}

async function verify({ resolver, strict, ...options }: VerifyOptions, name = ''): Promise<CommandOutput> {
  const result = await verifyDomain(await inWorkspace(options), { name, resolver });
  const { domain, verified, dkim_status, complete, checks } = result;
  const missing = checks.filter(({ status }) => status === 'missing' || status === 'wrong');
  const taken =
    missing.length === 0 ? 'is verified: mail can be sent from it.' : lacking(missing.length, checks.length);
  const summary = verified
    ? `${domain} ${taken}`
    : `${domain} is not verified yet (status at SES: ${dkim_status}). DNS changes can take up to 72 hours.`;
  const lines = table(
    ['for', 'status', 'name', 'found'],
    checks.map(({ purpose, status, record, found, problem }) => [
      purposes[purpose],
      problem ? `${status}: ${problem}` : status,
      record.name,
      found.join(' | '),
    ]),
    'SES returned no records.',
  );
  const publish = missing.length === 0 ? [] : ['To publish:', recordTable(missing.map(({ record }) => record))];
  return {
    json: result,
    text: [summary, lines, ...publish].join('\n\n'),
    exitCode: verified && (complete || !strict) ? 0 : exitCodes.failed,
  };
}

const lacking = (missing: number, all: number): string =>
  `is verified at SES, but ${missing} of its ${all} records are missing or wrong in DNS.`;

const purposes = {
  ownership: 'workspace',
  dkim: 'DKIM',
  mail_from_mx: 'MAIL FROM',
  mail_from_spf: 'SPF',
  dmarc: 'DMARC',
} as const;
