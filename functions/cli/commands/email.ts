import { Option } from 'commander';
import { checked } from '../../../shared/contract/fieldNames.ts';
import { listEmailsQuery, listedStatuses } from '../../../shared/contract/schemas/emailRecord.ts';
import { isId } from '../../../shared/domain/identifier.ts';
import { getEmail } from '../../../shared/services/emails/readEmails.ts';
import { cancelEmail } from '../../../shared/services/emails/scheduledEmails.ts';
import { listSentMail, type SentMail } from '../../../shared/services/sentMail.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';

import { type CommandOutput, fields, table } from '../output.ts';

interface ListOptions extends WorkspaceOption {
  readonly recipient?: string;
  readonly status?: string;
  readonly tag?: string;
  readonly since?: string;
  readonly until?: string;
}

export const emailCommands: CommandGroup = (program) => {
  const group = program.command('email').description('single emails and their events');
  const command = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .option(...workspaceFlag);
  command('list', 'show the newest 100 emails; use at most one of --recipient, --status and --tag')
    .option('--recipient <address>', 'only what was sent to this address, by campaigns too')
    .addOption(new Option('--status <status>', 'only emails of this status').choices(listedStatuses))
    .option('--tag <tag>', 'only emails with this tag: category:receipt')
    .option('--since <moment>', 'only emails created at or after this time: 2026-12-01T09:00:00+01:00')
    .option('--until <moment>', 'only emails created before this time')
    .action(action<ListOptions>(list));
  command('show', 'show an email with its recipients and events')
    .argument('<id>', 'its identifier')
    .action(action<WorkspaceOption>(show));
  command('cancel', 'cancel a scheduled email')
    .argument('<id>', 'its identifier')
    .action(action<WorkspaceOption>(cancel));
};

async function list({ recipient, status, tag, since, until, ...options }: ListOptions): Promise<CommandOutput> {
  const { cursor: _, ...query } = checked(listEmailsQuery, {
    limit: String(newest),
    recipient,
    status,
    tag,
    since,
    until,
  });
  const context = await inWorkspace(options);
  const entries: SentMail[] = [];
  let after: string | undefined;
  do {
    const page = await listSentMail(context, { ...query, limit: newest - entries.length, after });
    entries.push(...page.entries);
    after = page.next ?? undefined;
    // With `recipient`, a page that searched campaigns may be short without being the last.
  } while (recipient !== undefined && after !== undefined && entries.length < newest);
  return {
    json: { object: 'list', data: entries },
    text: table(['id', 'status', 'to', 'subject', 'created'], entries.map(lineOf), 'There is no matching email.'),
  };
}

const newest = 100;

function lineOf(mail: SentMail): string[] {
  if (mail.object === 'email') return [mail.id, mail.status, mail.to.join(', '), mail.subject, mail.created_at];
  const { campaign_id, email, subject, created_at } = mail;
  return [campaign_id, becameOf(mail).join(', '), email, subject, created_at];
}

/** `delivered, opened`; for a message that was not sent, the reason. */
function becameOf({ outcome, reason, ...mail }: Extract<SentMail, { object: 'campaign_recipient' }>): string[] {
  const known = (['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'] as const).filter(
    (name) => mail[name],
  );
  return known.length > 0 ? known : [reason === null ? outcome : `${outcome}: ${reason}`];
}

async function show(options: WorkspaceOption, id = ''): Promise<CommandOutput> {
  if (isId('camp', id)) {
    throw new Error(`"${id}" is a campaign. What became of its message to each person: campaign recipients ${id}`);
  }
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
  const events = table(
    ['at', 'event', 'recipient', 'details'],
    email.events.map(({ at, type, recipient, ...details }) => [at, type, recipient, detailsOf(details)]),
    'There are no events yet.',
  );
  return { json: email, text: `${head}\n\n${events}` };
}

type EventDetails = Omit<Awaited<ReturnType<typeof getEmail>>['events'][number], 'at' | 'type' | 'recipient'>;

const detailsOf = ({ answer, reason, scheduled_at, bounce, complaint, proxied, url }: EventDetails): string =>
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

async function cancel(options: WorkspaceOption, id = ''): Promise<CommandOutput> {
  const answer = await cancelEmail(await inWorkspace(options), { id });
  return { json: answer, text: `${id} is canceled.` };
}
