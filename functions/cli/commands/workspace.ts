import { Argument, type Command, Option } from 'commander';
import { type PlanName, planNames } from '../../../shared/domain/sending/quota.ts';
import { defaultLanguage, type Language, languageTags } from '../../../shared/language/languages.ts';
import { showUsage } from '../../../shared/services/usage.ts';
import { findWorkspace } from '../../../shared/services/workspaces/findWorkspace.ts';
import {
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  renameWorkspace,
  setLanguage,
  setPlan,
  setTracking,
  showWorkspace,
} from '../../../shared/services/workspaces/workspaces.ts';
import {
  action,
  type CommandGroup,
  type GlobalOptions,
  inWorkspace,
  operator,
  type WorkspaceOption,
  workspaceFlag,
} from '../command.ts';
import { chooseWorkspace, chosenWorkspace } from '../connect/connection.ts';
import { countUpTo, nameText } from '../input.ts';
import { type CommandOutput, fields, percent, printable, table } from '../output.ts';
import { capText } from './cap.ts';

type CreateOptions = GlobalOptions & { readonly plan: PlanName; readonly language: Language };
type DeleteOptions = GlobalOptions & { readonly name: string };

export const workspaceCommands: CommandGroup = (program) => {
  const group = program.command('workspace').description('workspaces: each has its own keys, domains and people');
  group
    .command('create')
    .description('create a workspace, which is in use from then on')
    .argument('<name>', 'its name for recipients', nameText)
    .addOption(new Option('--plan <plan>', 'monthly quota').choices(planNames).default('free'))
    .addOption(
      new Option('--language <language>', 'of its pages and messages').choices(languageTags).default(defaultLanguage),
    )
    .action(action<CreateOptions>(create, { mayCreateFolder: true }));
  group.command('list').description('show all workspaces, and which one is in use').action(action(list));
  group
    .command('rename')
    .description('rename a workspace')
    .argument('<name>', 'its new name for recipients', nameText)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(rename));
  group
    .command('language')
    .description('change the language of its pages and messages')
    .addArgument(new Argument('<language>', 'the language').choices(languageTags))
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(language));
  group
    .command('show')
    .description('show a workspace: settings, domains, senders, quota, reputation')
    .argument('[id]', 'its name or its id (default: the one in use)')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  group
    .command('usage')
    .description('show what was sent on each of the last days, with the quota and the reputation')
    .option('--days <number>', 'how many days, today (UTC) included, at most 90', countUpTo(90), 30)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { days: number }>(usage));
  group
    .command('delete')
    .description('delete a workspace with all its data; "workspace show" shows the progress')
    .argument('<id>', 'its identifier')
    .requiredOption('--name <name>', 'its name, as a confirmation')
    .action(action<DeleteOptions>(remove));
};

async function remove({ name, ...options }: DeleteOptions, id = ''): Promise<CommandOutput> {
  const ended = await deleteWorkspace(await inWorkspace({ ...options, workspace: id }, { evenIfEnded: true }), {
    name,
  });
  return {
    json: ended,
    text: `Sending of ${ended.name} has stopped and its keys are revoked. Its data is deleted in the background: "workspace show ${id}" shows the progress. Its domains stay registered with SES.`,
  };
}

async function create(options: CreateOptions, name = ''): Promise<CommandOutput> {
  const { plan, language } = options;
  const workspace = await createWorkspace(operator(), { name, plan, language });
  chooseWorkspace(options, workspace.id);
  return {
    json: workspace,
    text: `${fields([
      ['Workspace', workspace.id],
      ['Name', workspace.name],
      ['Plan', workspace.plan],
    ])}\n\nIt is in use now ("use NAME" chooses another). Next: key create, domain add, sender add.`,
  };
}

async function list(options: GlobalOptions): Promise<CommandOutput> {
  const workspaces = await listWorkspaces(operator());
  const chosen = chosenWorkspace(options);
  return {
    json: { object: 'list', data: workspaces },
    text: table(
      ['id', 'name', 'in use'],
      workspaces.map(({ id, name, deleting }) => [
        id,
        deleting ? `${name} (being deleted)` : name,
        id === chosen || workspaces.length === 1,
      ]),
      'There is no workspace yet.',
    ),
  };
}

async function rename(options: WorkspaceOption, name = ''): Promise<CommandOutput> {
  const workspace = await renameWorkspace(await inWorkspace(options), { name });
  return { json: workspace, text: `${workspace.id} is now called ${printable(workspace.name)}.` };
}

async function language(options: WorkspaceOption, tag: string = defaultLanguage): Promise<CommandOutput> {
  const workspace = await setLanguage(await inWorkspace(options), { language: tag as Language });
  return { json: workspace, text: `The language of ${printable(workspace.name)} is now ${workspace.language}.` };
}

async function show(options: WorkspaceOption, id = options.workspace): Promise<CommandOutput> {
  const context = await inWorkspace({ ...options, ...(id && { workspace: id }) }, { evenIfEnded: true });
  const workspace = await showWorkspace(context);
  const { plan, used_this_month, monthly_quota, sending, confirmations, tracking, domains, senders, deletion } =
    workspace;
  const cap = workspace.frequency_cap;
  return {
    json: workspace,
    text: fields([
      ['Workspace', workspace.id],
      ['Name', workspace.name],
      ['Public id', workspace.public_id],
      ['Plan', `${plan}, ${used_this_month} of ${monthly_quota} used this month`],
      ['Language', workspace.language],
      [
        'Sign-ups',
        confirmations.paused_until === null
          ? 'are confirmed'
          : `confirmations paused until ${confirmations.paused_until}`,
      ],
      ['Sending', sending.suspended ? `suspended since ${sending.suspended_at}` : 'allowed'],
      ['Bounces', percent(sending.bounce_rate)],
      ['Complaints', percent(sending.complaint_rate)],
      ['Opens', tracking.opens ? 'tracked' : 'not tracked'],
      ['Clicks', tracking.clicks ? 'tracked' : 'not tracked'],
      ['Cap', cap && capText(cap)],
      ['Domains', domains.map(({ domain, verified }) => `${domain}${verified ? '' : ' (not verified)'}`).join(', ')],
      ['Senders', senders.map((sender) => `${sender.email}${sender.default ? ' (default)' : ''}`).join(', ')],
      ['Created', workspace.created_at],
      ...(deletion ? [['Being deleted', `${deletion.deleted} items, ${deletion.scanned} read`] as const] : []),
    ]),
  };
}

async function usage({ days, ...options }: WorkspaceOption & { days: number }): Promise<CommandOutput> {
  const shown = await showUsage(await inWorkspace(options), { days });
  const { quota, reputation } = shown;
  const rows = shown.days.map((day) => [day.date, day.sent, day.delivered, day.opened, day.bounced, day.complained]);
  const summary = fields([
    ['Quota', `${quota.used} of ${quota.limit} used, until ${quota.resets_at}`],
    ['Bounces', percent(reputation.bounce_rate)],
    ['Complaints', percent(reputation.complaint_rate)],
    ['Sending', reputation.suspended ? 'suspended' : 'allowed'],
  ]);
  return {
    json: shown,
    text: `${table(['date', 'sent', 'delivered', 'opened', 'bounced', 'complained'], rows, '')}\n\n${summary}`,
  };
}

export const useCommands: CommandGroup = (program) => {
  program
    .command('use')
    .description('choose the workspace for commands without --workspace')
    .argument('<workspace>', 'its name or its id')
    .action(action(use));
};

async function use(options: GlobalOptions, requested = ''): Promise<CommandOutput> {
  const { context, name } = await findWorkspace(operator(), { requested });
  chooseWorkspace(options, context.workspaceId);
  return {
    json: { object: 'workspace', id: context.workspaceId, name },
    text: `Commands without --workspace now use ${printable(name)} (${context.workspaceId}).`,
  };
}

export const planCommands: CommandGroup = (program) => {
  const group = program.command('plan').description('the monthly quota of a workspace');
  group
    .command('set')
    .description('change the plan, with immediate effect')
    .addArgument(new Argument('<plan>', 'monthly quota').choices(planNames))
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(set));
};

async function set(options: WorkspaceOption, name?: string): Promise<CommandOutput> {
  const plan = await setPlan(await inWorkspace(options), { plan: name as PlanName });
  return { json: plan, text: `The plan is ${plan.name}: ${plan.monthly_quota} emails a month.` };
}

type Switch = 'on' | 'off';
type TrackingFlags = WorkspaceOption & { opens?: Switch; clicks?: Switch };

export const trackingCommands: CommandGroup = (program) => {
  const group = program.command('tracking').description('open and click tracking');
  const set = group
    .command('set')
    .description('switch tracking for mail that is sent from now on')
    .addOption(new Option('--opens <switch>', 'track opens').choices(['on', 'off']))
    .addOption(new Option('--clicks <switch>', 'track clicks').choices(['on', 'off']))
    .option(...workspaceFlag)
    .hook('preAction', requireSwitch);
  set.action(action<TrackingFlags>(change));
};

function requireSwitch(command: Command): void {
  const { opens, clicks } = command.opts<TrackingFlags>();
  if (!opens && !clicks) command.error('error: give --opens on|off, --clicks on|off, or both');
}

async function change(options: TrackingFlags): Promise<CommandOutput> {
  const switches = { opens: isOn(options.opens), clicks: isOn(options.clicks) };
  const tracking = await setTracking(await inWorkspace(options), switches);
  const { opens, clicks } = tracking;
  return {
    json: tracking,
    text: `Opens are ${opens ? '' : 'not '}tracked, clicks are ${clicks ? '' : 'not '}tracked.`,
  };
}

const isOn = (value: Switch | undefined): boolean | undefined => value && value === 'on';
