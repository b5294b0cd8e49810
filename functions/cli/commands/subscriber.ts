import { type Command, Option } from 'commander';
import { issuesOf, ServiceError, ValidationError } from '../../../shared/contract/errors.ts';
import { updatePreferencesRoute } from '../../../shared/contract/routes/preferences.ts';
import { listSubscribersRoute, upsertSubscriberRoute } from '../../../shared/contract/routes/subscribers.ts';
import { type ExportFormat, exportFormats } from '../../../shared/domain/job.ts';
import { type SubscriberStatus, subscriberStatuses } from '../../../shared/domain/person/person.ts';
import type { Context } from '../../../shared/services/context.ts';
import { exportSubscribers } from '../../../shared/services/exports.ts';
import { getPreferences, updatePreferences } from '../../../shared/services/preferences/subscriberPreferences.ts';
import {
  deleteSubscriber,
  getSubscriber,
  listSubscribers,
  upsertSubscriber,
} from '../../../shared/services/subscribers/subscribers.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { importWithProgress } from '../importFile.ts';
import { commaList } from '../input.ts';
import { type CommandOutput, fields, printable, table, writeToFile, writeToStdout } from '../output.ts';
import { keepMemorySteady } from '../steadyMemory.ts';

interface PreferencesFlags extends WorkspaceOption {
  readonly deny?: readonly string[] | undefined;
  readonly leave?: readonly string[] | undefined;
}

interface ImportFlags extends WorkspaceOption {
  readonly consentGiven: boolean;
  readonly ignoreUnknown: boolean;
  readonly restart: boolean;
}

interface ExportFlags extends WorkspaceOption {
  readonly format: ExportFormat;
  readonly status?: SubscriberStatus;
  readonly segment?: string;
  readonly out?: string;
}

export const subscriberCommands: CommandGroup = (program) => {
  const group = program.command('subscriber').description('the subscribers of a workspace');
  addSubscriberCommands(group);
  group
    .command('import')
    .description('add or update the people of a CSV file; run it again after an interruption')
    .argument(
      '<file>',
      'CSV with the columns email, firstName, lastName, tags, fields.NAME; or an export of Mailchimp, listmonk or Resend',
    )
    .option('--consent-given', 'you vouch for their consent: they are subscribed without a confirmation message', false)
    .option('--ignore-unknown', 'ignore unknown columns', false)
    .option('--restart', 'start from the beginning after an interrupted import', false)
    .option(...workspaceFlag)
    .action(action<ImportFlags>(importFile));
  group
    .command('export')
    .description('write the subscribers of a workspace to stdout or to a file')
    .addOption(new Option('--format <format>', 'csv, or one JSON record a line').choices(exportFormats).default('csv'))
    .addOption(new Option('--status <status>', 'only subscribers of this status').choices(subscriberStatuses))
    .addOption(
      new Option('--segment <segment>', 'only the people whom a campaign to this segment would reach').conflicts(
        'status',
      ),
    )
    .option('--out <file>', 'the file, which appears when it is complete')
    .option(...workspaceFlag)
    .action(action<ExportFlags>(exportPeople));
};

async function importFile(options: ImportFlags, file = ''): Promise<CommandOutput> {
  const { consentGiven, ignoreUnknown, restart } = options;
  return importWithProgress(await inWorkspace(options), { file, consentGiven, ignoreUnknown, restart });
}

async function exportPeople(options: ExportFlags): Promise<CommandOutput | null> {
  keepMemorySteady();
  const { format, status, segment, out } = options;
  const pieces = exportSubscribers(await inWorkspace(options), { format, status, segment });
  if (out === undefined) {
    await writeToStdout(pieces);
    return null;
  }
  const people = await writeToFile(pieces, out);
  return {
    json: { object: 'export', file: out, format, people },
    text: `Exported ${people} ${people === 1 ? 'person' : 'people'} to ${out}.`,
  };
}

interface ListOptions extends WorkspaceOption {
  readonly q?: string;
  readonly status?: SubscriberStatus;
  readonly limit: string;
}

interface AddOptions extends WorkspaceOption {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly tags?: string[];
  readonly consentGiven: boolean;
}

/** The commands about single subscribers, and the list. */
function addSubscriberCommands(group: Command): void {
  group
    .command('add')
    .description('add or update a subscriber; a new one is asked to confirm')
    .argument('<address>', 'their address')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--tags <list>', 'tags, separated by commas', commaList)
    .option('--consent-given', 'you vouch for their consent: they are subscribed without a confirmation message', false)
    .option(...workspaceFlag)
    .action(action<AddOptions>(add));
  group
    .command('show')
    .description('show a subscriber')
    .argument('<address>', 'their address')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  group
    .command('preferences')
    .description('show what a subscriber chose about tracking and topics, or record what they refused')
    .argument('<address>', 'their address')
    .option('--deny <actions>', 'they refuse tracking of these: opens, clicks or both', commaList)
    .option('--leave <topics>', 'they leave the topics with these ids', commaList)
    .option(...workspaceFlag)
    .action(action<PreferencesFlags>(preferences));
  group
    .command('list')
    .description('show subscribers, newest first')
    .option('--q <text>', 'only those whose address, domain or name begins with this text')
    .addOption(new Option('--status <status>', 'only subscribers of this status').choices(subscriberStatuses))
    .option('--limit <number>', 'how many, at most 100', '50')
    .option(...workspaceFlag)
    .action(action<ListOptions>(list));
  group
    .command('delete')
    .description('unsubscribe a person and suppress the address, as the API does')
    .argument('<address>', 'their address')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(remove));
}

async function add(options: AddOptions, email = ''): Promise<CommandOutput> {
  const { firstName, lastName, tags, consentGiven } = options;
  const given = { email, firstName, lastName, tags, double_opt_in: !consentGiven };
  const input = upsertSubscriberRoute.request.body.safeParse(JSON.parse(JSON.stringify(given)), { reportInput: true });
  if (!input.success) throw new ValidationError(issuesOf(input.error));
  const context = await inWorkspace(options);
  const { output } = await upsertSubscriber(context, input.data).catch((error: unknown) => {
    const isAboutSender = error instanceof ValidationError && error.issues.some(({ path }) => path === 'double_opt_in');
    throw isAboutSender ? new Error(noSender) : error;
  });
  return { json: output, text: `${output.email} is ${output.status}.` };
}

const noSender =
  'The workspace has no default sender to ask for the confirmation from: run "sender add" first, or give --consent-given if you vouch for the consent.';

/** Says who is unknown, which the API's own refusal leaves to the path of the call. */
function named<Result>(email: string, work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    const isUnknown = error instanceof ServiceError && error.code === 'not_found';
    throw isUnknown ? new Error(`There is no subscriber "${printable(email)}" in this workspace.`) : error;
  });
}

async function show(options: WorkspaceOption, email = ''): Promise<CommandOutput> {
  const person = await named(email, getSubscriber(await inWorkspace(options), { email }));
  const entries = Object.entries(person).filter(([name]) => name !== 'object');
  return {
    json: person,
    text: fields(entries.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : value])),
  };
}

async function preferences({ deny, leave, ...options }: PreferencesFlags, email = ''): Promise<CommandOutput> {
  const context = await inWorkspace(options);
  const record = await named(
    email,
    deny || leave ? refuse(context, email, { deny, leave }) : getPreferences(context, { email }),
  );
  const { tracking, topics } = record;
  return {
    json: record,
    text: fields([
      ['opens', tracking.opens],
      ['clicks', tracking.clicks],
      ...topics.map(({ id, name, subscription }) => [`${name} (${id})`, subscription] as const),
    ]),
  };
}

function refuse(context: Context, email: string, { deny = [], leave = [] }: Pick<PreferencesFlags, 'deny' | 'leave'>) {
  const body = updatePreferencesRoute.request.body.safeParse(
    {
      ...(deny.length > 0 && { tracking: Object.fromEntries(deny.map((name) => [name, 'denied'])) }),
      ...(leave.length > 0 && { topics: leave.map((id) => ({ id, subscription: 'opt_out' })) }),
    },
    { reportInput: true },
  );
  if (!body.success) throw new ValidationError(issuesOf(body.error));
  return updatePreferences(context, { email, ...body.data });
}

async function list(options: ListOptions): Promise<CommandOutput> {
  const { q, status, limit } = options;
  const given = { ...(q && { q }), ...(status && { status }), limit };
  const query = listSubscribersRoute.request.query.safeParse(given, { reportInput: true });
  if (!query.success) throw new ValidationError(issuesOf(query.error));
  const { entries, next } = await listSubscribers(await inWorkspace(options), { ...query.data, after: undefined });
  const lines = table(
    ['address', 'status', 'first name', 'last name', 'tags', 'created'],
    entries.map((one) => [one.email, one.status, one.firstName, one.lastName, one.tags.join(','), one.created_at]),
    'There are no subscribers.',
  );
  return {
    json: { object: 'list', data: entries, has_more: next !== null },
    text: next === null ? lines : `${lines}\n\nThere are more: "subscriber export" writes all of them.`,
  };
}

async function remove(options: WorkspaceOption, email = ''): Promise<CommandOutput> {
  const deleted = await named(email, deleteSubscriber(await inWorkspace(options), { email }));
  return { json: deleted, text: `${deleted.email} is unsubscribed and suppressed.` };
}
