import { Option } from 'commander';
import { listEmailsQuery, listedStatuses } from '../../../../shared/contract/schemas/email/list.ts';
import { getEmail } from '../../../../shared/services/emails/get.ts';
import { listEmails } from '../../../../shared/services/emails/reading/list.ts';
import { cancelEmail } from '../../../../shared/services/emails/scheduled/cancel.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../../action.ts';
import { inWorkspace } from '../../context.ts';
import { fields, type Output, table } from '../../output.ts';
import { checked } from '../campaign/input.ts';

interface ListOptions extends WorkspaceOption {
  readonly recipient?: string;
  readonly status?: string;
  readonly tag?: string;
  readonly since?: string;
  readonly until?: string;
}

export const emailNoun: Noun = (program) => {
  const noun = program.command('email').description('single emails, and what became of them');
  const command = (name: string, description: string) =>
    noun
      .command(name)
      .description(description)
      .option(...workspaceFlag);
  command('list', 'show the emails, newest first, 100 at most; one of the first three filters')
    .option('--recipient <address>', 'only those to this address')
    .addOption(new Option('--status <status>', 'only those of this status').choices(listedStatuses))
    .option('--tag <tag>', 'only those with this tag: category:receipt')
    .option('--since <moment>', 'only those created at or after it: 2026-12-01T09:00:00+01:00')
    .option('--until <moment>', 'only those created before it')
    .action(action<ListOptions>(list));
  command('show', 'show an email with its recipients and its story')
    .argument('<id>', 'its identifier')
    .action(action<WorkspaceOption>(show));
  command('cancel', 'keep a scheduled email from going out')
    .argument('<id>', 'its identifier')
    .action(action<WorkspaceOption>(cancel));
};

async function list({ recipient, status, tag, since, until, ...options }: ListOptions): Promise<Output> {
  const { cursor: _, ...wanted } = checked(listEmailsQuery, { limit: '100', recipient, status, tag, since, until });
  const { entries } = await listEmails(await inWorkspace(options), { ...wanted, after: undefined });
  return {
    json: { object: 'list', data: entries },
    text: table(
      ['id', 'status', 'to', 'subject', 'created'],
      entries.map((email) => [email.id, email.status, email.to.join(', '), email.subject, email.created_at]),
      'There is no such email.',
    ),
  };
}

async function show(options: WorkspaceOption, id = ''): Promise<Output> {
  const email = await getEmail(await inWorkspace(options), { id });
  const head = fields([
    ['Email', email.id],
    ['Status', email.cancel_reason ? `${email.status}: ${email.cancel_reason}` : email.status],
    ['From', email.from],
    ['To', email.to.join(', ')],
    ['Subject', email.subject],
    ['Tags', email.tags.map(({ name, value }) => `${name}:${value}`).join(', ')],
    ['Scheduled', email.scheduled_at],
    ['Created', email.created_at],
  ]);
  const story = table(
    ['at', 'event', 'recipient', 'details'],
    email.events.map(({ at, type, recipient, ...told }) => [at, type, recipient, detailsOf(told)]),
    'Nothing has happened to it yet.',
  );
  return { json: email, text: `${head}\n\n${story}` };
}

type Told = Omit<Awaited<ReturnType<typeof getEmail>>['events'][number], 'at' | 'type' | 'recipient'>;

const detailsOf = ({ answer, reason, scheduled_at, bounce, complaint, proxied, url }: Told): string =>
  [
    answer,
    reason,
    scheduled_at,
    bounce?.diagnostic ?? bounce?.subtype,
    complaint?.feedback_type,
    proxied && 'by a relay',
    url,
  ]
    .filter(Boolean)
    .join(' ');

async function cancel(options: WorkspaceOption, id = ''): Promise<Output> {
  const answer = await cancelEmail(await inWorkspace(options), { id });
  return { json: answer, text: `${id} is canceled.` };
}
