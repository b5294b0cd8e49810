import { addDomain } from '../../../shared/services/domains/add.ts';
import { listDomains } from '../../../shared/services/domains/list.ts';
import { verifyDomain } from '../../../shared/services/domains/verify.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace } from '../context.ts';
import { type Output, table } from '../output.ts';

export const domainNoun: Noun = (program) => {
  const noun = program.command('domain').description('where mail comes from');
  noun
    .command('add')
    .description('register a domain with SES and show the DNS records to publish')
    .argument('<domain>', 'such as example.com')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(add));
  noun
    .command('list')
    .description('show the domains of a workspace')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(list));
  noun
    .command('verify')
    .description('ask SES whether it found the records')
    .argument('<domain>', 'such as example.com')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(verify));
};

async function add(options: WorkspaceOption, name = ''): Promise<Output> {
  const added = await addDomain(await inWorkspace(options), { name });
  const { domain, verified, records } = added;
  const lines = table(
    ['type', 'name', 'value'],
    records.map((record) => [record.type, record.name, record.value]),
    'SES gave no records.',
  );
  return {
    json: added,
    text: verified
      ? `${domain} is verified. Its records:\n\n${lines}`
      : `Publish these records for ${domain}, then: domain verify ${domain}\n\n${lines}`,
  };
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

async function verify(options: WorkspaceOption, name = ''): Promise<Output> {
  const asked = await verifyDomain(await inWorkspace(options), { name });
  return {
    json: asked,
    text: asked.verified
      ? `${asked.domain} is verified: mail may come from it.`
      : `${asked.domain} is not verified yet (SES says ${asked.dkim_status}). DNS changes can take up to 72 hours.`,
  };
}
