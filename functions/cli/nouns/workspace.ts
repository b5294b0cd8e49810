import { Option } from 'commander';
import { type PlanName, planNames } from '../../../shared/domain/sending/plan.ts';
import { defaultLanguage, type Language, languageTags } from '../../../shared/language/languages.ts';
import { now } from '../../../shared/platform/clock.ts';
import { createWorkspace } from '../../../shared/services/workspaces/create.ts';
import { findWorkspace } from '../../../shared/services/workspaces/find.ts';
import { standingOf } from '../../../shared/services/workspaces/show.ts';
import { listWorkspaces } from '../../../shared/store/workspace/workspaces.ts';
import { action, type Noun, nameText, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { fields, type Output, percent, table } from '../output.ts';

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
    .action(action<{ plan: PlanName; language: Language }>(create));
  noun.command('list').description('show every workspace').action(action(list));
  noun
    .command('show')
    .description('show a workspace: settings, domains, senders, quota, reputation')
    .argument('[id]', 'its identifier; may be left out when there is only one')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
};

async function create(options: { plan: PlanName; language: Language }, name = ''): Promise<Output> {
  const workspace = await createWorkspace({ name, plan: options.plan, language: options.language }, now());
  const { id, publicId, plan, language, createdAt } = workspace;
  return {
    json: { object: 'workspace', id, name: workspace.name, public_id: publicId, plan, language, created_at: createdAt },
    text: `${fields([
      ['Workspace', id],
      ['Name', workspace.name],
      ['Plan', plan],
    ])}\n\nNext: key create, domain add, sender add.`,
  };
}

async function list(): Promise<Output> {
  const workspaces = await listWorkspaces();
  return {
    json: { object: 'list', data: workspaces.map(({ id, name }) => ({ object: 'workspace', id, name })) },
    text: table(
      ['id', 'name'],
      workspaces.map(({ id, name }) => [id, name]),
      'There is no workspace yet.',
    ),
  };
}

async function show(options: WorkspaceOption, id?: string): Promise<Output> {
  const workspace = await findWorkspace(id ?? options.workspace);
  const { monthlyQuota, used, reputation } = await standingOf(workspace, now());
  const { suspension } = workspace;
  return {
    json: {
      object: 'workspace',
      id: workspace.id,
      name: workspace.name,
      public_id: workspace.publicId,
      plan: workspace.plan,
      language: workspace.language,
      monthly_quota: monthlyQuota,
      used_this_month: used,
      sending: {
        suspended: suspension !== null,
        suspended_at: suspension?.since ?? null,
        bounce_rate: reputation.bounceRate,
        complaint_rate: reputation.complaintRate,
      },
      tracking: { opens: workspace.trackOpens, clicks: workspace.trackClicks },
      domains: workspace.domains,
      senders: workspace.senders,
      created_at: workspace.createdAt,
    },
    text: fields([
      ['Workspace', workspace.id],
      ['Name', workspace.name],
      ['Public id', workspace.publicId],
      ['Plan', `${workspace.plan}, ${used} of ${monthlyQuota} used this month`],
      ['Language', workspace.language],
      ['Sending', suspension ? `suspended since ${suspension.since}` : 'allowed'],
      ['Bounces', percent(reputation.bounceRate)],
      ['Complaints', percent(reputation.complaintRate)],
      ['Opens', workspace.trackOpens ? 'tracked' : 'not tracked'],
      ['Clicks', workspace.trackClicks ? 'tracked' : 'not tracked'],
      ['Domains', workspace.domains.map((one) => `${one.domain}${one.verified ? '' : ' (not verified)'}`).join(', ')],
      ['Senders', workspace.senders.map((one) => `${one.email}${one.default ? ' (default)' : ''}`).join(', ')],
      ['Created', workspace.createdAt],
    ]),
  };
}
