import { Argument, Option } from 'commander';
import { type PlanName, planNames } from '../../../../shared/domain/sending/plan.ts';
import { defaultLanguage, type Language, languageTags } from '../../../../shared/language/languages.ts';
import { createWorkspace } from '../../../../shared/services/workspaces/create.ts';
import { deleteWorkspace } from '../../../../shared/services/workspaces/delete.ts';
import { listWorkspaces } from '../../../../shared/services/workspaces/list.ts';
import { renameWorkspace } from '../../../../shared/services/workspaces/rename.ts';
import { setLanguage } from '../../../../shared/services/workspaces/setLanguage.ts';
import { showWorkspace } from '../../../../shared/services/workspaces/show.ts';
import { action, type GlobalOptions, type Noun, nameText, type WorkspaceOption, workspaceFlag } from '../../action.ts';
import { chooseWorkspace, chosenWorkspace } from '../../connect/chosen.ts';
import { inWorkspace, operator } from '../../context.ts';
import { fields, type Output, percent, printable, table } from '../../output.ts';

type CreateOptions = GlobalOptions & { readonly plan: PlanName; readonly language: Language };
type DeleteOptions = GlobalOptions & { readonly name: string };

export const workspaceNoun: Noun = (program) => {
  const noun = program.command('workspace').description('who sends: each has its own keys, domains and people');
  noun
    .command('create')
    .description('make a workspace')
    .argument('<name>', 'its name, as people know it', nameText)
    .addOption(new Option('--plan <plan>', 'monthly quota').choices(planNames).default('free'))
    .addOption(
      new Option('--language <language>', 'of its pages and messages').choices(languageTags).default(defaultLanguage),
    )
    .action(action<CreateOptions>(create, { makesFolder: true }));
  noun.command('list').description('show every workspace, and which one is in use').action(action(list));
  noun
    .command('rename')
    .description('give a workspace another name')
    .argument('<name>', 'its new name, as people know it', nameText)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(rename));
  noun
    .command('language')
    .description('change the language of its pages and messages')
    .addArgument(new Argument('<language>', 'the language').choices(languageTags))
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(language));
  noun
    .command('show')
    .description('show a workspace: settings, domains, senders, quota, reputation')
    .argument('[id]', 'its name or its id (default: the one in use)')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  noun
    .command('delete')
    .description('end a workspace for good, with all that it holds; "workspace show" tells how far that is')
    .argument('<id>', 'its identifier')
    .requiredOption('--name <name>', 'its name, to be sure that it is this one')
    .action(action<DeleteOptions>(remove));
};

async function remove({ name, ...options }: DeleteOptions, id = ''): Promise<Output> {
  const ended = await deleteWorkspace(await inWorkspace({ ...options, workspace: id }), { name });
  return {
    json: ended,
    text: `${ended.name} sends nothing any more, and its keys are revoked. What it holds is deleted in the background: "workspace show ${id}" tells how far that is. Its domains stay with SES.`,
  };
}

async function create(options: CreateOptions, name = ''): Promise<Output> {
  const { plan, language } = options;
  const workspace = await createWorkspace(operator(), { name, plan, language });
  chooseWorkspace(options, workspace.id);
  return {
    json: workspace,
    text: `${fields([
      ['Workspace', workspace.id],
      ['Name', workspace.name],
      ['Plan', workspace.plan],
    ])}\n\nIt is in use from now on ("use NAME" chooses another). Next: key create, domain add, sender add.`,
  };
}

async function list(options: GlobalOptions): Promise<Output> {
  const workspaces = await listWorkspaces(operator());
  const chosen = chosenWorkspace(options);
  return {
    json: { object: 'list', data: workspaces },
    text: table(
      ['id', 'name', 'in use'],
      workspaces.map(({ id, name }) => [id, name, id === chosen || workspaces.length === 1]),
      'There is no workspace yet.',
    ),
  };
}

async function rename(options: WorkspaceOption, name = ''): Promise<Output> {
  const workspace = await renameWorkspace(await inWorkspace(options), { name });
  return { json: workspace, text: `${workspace.id} is now called ${printable(workspace.name)}.` };
}

async function language(options: WorkspaceOption, tag: string = defaultLanguage): Promise<Output> {
  const workspace = await setLanguage(await inWorkspace(options), { language: tag as Language });
  return { json: workspace, text: `${printable(workspace.name)} speaks ${workspace.language} from now on.` };
}

async function show(options: WorkspaceOption, id = options.workspace): Promise<Output> {
  const workspace = await showWorkspace(await inWorkspace({ ...options, ...(id && { workspace: id }) }));
  const { plan, used_this_month, monthly_quota, sending, tracking, domains, senders, deletion } = workspace;
  return {
    json: workspace,
    text: fields([
      ['Workspace', workspace.id],
      ['Name', workspace.name],
      ['Public id', workspace.public_id],
      ['Plan', `${plan}, ${used_this_month} of ${monthly_quota} used this month`],
      ['Language', workspace.language],
      ['Sending', sending.suspended ? `suspended since ${sending.suspended_at}` : 'allowed'],
      ['Bounces', percent(sending.bounce_rate)],
      ['Complaints', percent(sending.complaint_rate)],
      ['Opens', tracking.opens ? 'tracked' : 'not tracked'],
      ['Clicks', tracking.clicks ? 'tracked' : 'not tracked'],
      ['Domains', domains.map(({ domain, verified }) => `${domain}${verified ? '' : ' (not verified)'}`).join(', ')],
      ['Senders', senders.map((sender) => `${sender.email}${sender.default ? ' (default)' : ''}`).join(', ')],
      ['Created', workspace.created_at],
      ...(deletion ? [['Being deleted', `${deletion.deleted} items, ${deletion.scanned} looked at`] as const] : []),
    ]),
  };
}
