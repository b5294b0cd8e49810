import type { DnsRecord } from '../../../shared/domain/dns/domainRecords.ts';
import { addDomain } from '../../../shared/services/domains/add.ts';
import { listDomains } from '../../../shared/services/domains/list.ts';
import { removeDomain } from '../../../shared/services/domains/remove.ts';
import { verifyDomain } from '../../../shared/services/domains/verify.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace } from '../context.ts';
import { exitCodes } from '../failure.ts';
import { type Output, table } from '../output.ts';

/** `--no-mail-from` is false, `--mail-from` its name. */
type AddOptions = WorkspaceOption & { readonly mailFrom?: string | false };
type VerifyOptions = WorkspaceOption & { readonly resolver?: string; readonly strict?: boolean };

export const domainNoun: Noun = (program) => {
  const noun = program.command('domain').description('where mail comes from');
  noun
    .command('add')
    .description('register a domain with SES and show the DNS records to publish')
    .argument('<domain>', 'such as example.com')
    .option('--mail-from <subdomain>', 'where bounces go (default: mail.<domain>)')
    .option('--no-mail-from', 'let bounces go to a domain of SES, with fewer records to publish')
    .option(...workspaceFlag)
    .action(action<AddOptions>(add));
  noun
    .command('remove')
    .description('take a domain from a workspace; SES keeps it, for other workspaces')
    .argument('<domain>', 'such as example.com')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(remove));
  noun
    .command('list')
    .description('show the domains of a workspace')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(list));
  noun
    .command('verify')
    .description('ask SES whether mail may come from it, and look every record up in DNS; ends with 1 if it may not')
    .argument('<domain>', 'such as example.com')
    .option('--strict', 'end with 1 unless every record was found, too')
    .option('--resolver <address>', 'DNS server to ask, such as 9.9.9.9 or 127.0.0.1:5353')
    .option(...workspaceFlag)
    .action(action<VerifyOptions>(verify));
};

async function add({ mailFrom, ...options }: AddOptions, name = ''): Promise<Output> {
  const added = await addDomain(await inWorkspace(options), { name, mailFrom: mailFrom === false ? null : mailFrom });
  const { domain, verified, records, problems } = added;
  const lines = recordTable(records);
  const told = problems.map((problem) => `\n\nWarning: ${problem}`).join('');
  return {
    json: added,
    text: verified
      ? `${domain} is verified. Its records:\n\n${lines}${told}`
      : `Publish these records for ${domain}, then: domain verify ${domain}\n\n${lines}${told}`,
  };
}

function recordTable(records: readonly DnsRecord[]): string {
  const rows = records.map((record) => [record.type, record.name, record.value]);
  return table(['type', 'name', 'value'], rows, 'SES gave no records.');
}

async function remove(options: WorkspaceOption, name = ''): Promise<Output> {
  const removed = await removeDomain(await inWorkspace(options), { name });
  return { json: removed, text: `Removed the domain ${removed.domain}.` };
}

async function list(options: WorkspaceOption): Promise<Output> {
  const domains = await listDomains(await inWorkspace(options));
  return {
    json: { object: 'list', data: domains },
    text: table(
      ['domain', 'verified'],
      domains.map(({ domain, verified }) => [domain, verified]),
      'There is no domain yet.',
    ),
  };
}

async function verify({ resolver, strict, ...options }: VerifyOptions, name = ''): Promise<Output> {
  const asked = await verifyDomain(await inWorkspace(options), { name, resolver });
  const { domain, verified, dkim_status, complete, checks } = asked;
  const said = verified
    ? `${domain} is verified: mail may come from it.`
    : `${domain} is not verified yet (SES says ${dkim_status}). DNS changes can take up to 72 hours.`;
  const lines = table(
    ['for', 'status', 'name', 'found'],
    checks.map(({ purpose, status, record, found, problem }) => [
      purposes[purpose],
      problem ? `${status}: ${problem}` : status,
      record.name,
      found.join(' | '),
    ]),
    'SES names no records.',
  );
  const missing = checks.filter(({ status }) => status === 'missing' || status === 'wrong');
  const publish = missing.length === 0 ? [] : ['To publish:', recordTable(missing.map(({ record }) => record))];
  return {
    json: asked,
    text: [said, lines, ...publish].join('\n\n'),
    exitCode: verified && (complete || !strict) ? 0 : exitCodes.failed,
  };
}

const purposes = { dkim: 'DKIM', mail_from_mx: 'MAIL FROM', mail_from_spf: 'SPF', dmarc: 'DMARC' } as const;
