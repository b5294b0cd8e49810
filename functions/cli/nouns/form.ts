import { InvalidArgumentError } from 'commander';
import { parseWebOrigin } from '../../../shared/domain/network/webOrigin.ts';
import type { Workspace } from '../../../shared/domain/workspace/workspace.ts';
import { config } from '../../../shared/platform/config.ts';
import { findWorkspace } from '../../../shared/services/workspaces/find.ts';
import { setFormOrigins } from '../../../shared/services/workspaces/setFormOrigins.ts';
import { formUrl } from '../../../shared/services/workspaces/signUpForm.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { fields, type Output } from '../output.ts';

export const formNoun: Noun = (program) => {
  const noun = program.command('form').description('the public sign-up form, and the sites that may show it');
  noun
    .command('show')
    .description('show the address of the form')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  noun
    .command('allow')
    .description('let a site show the form in a frame')
    .argument('<origin>', 'such as https://www.example.com', originText)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(allow));
  noun
    .command('forbid')
    .description('no longer let a site show the form in a frame')
    .argument('<origin>', 'as it was allowed', originText)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(forbid));
};

function originText(text: string): string {
  const origin = parseWebOrigin(text);
  if (origin) return origin;
  throw new InvalidArgumentError('An origin is https:// and a host, without a path: https://www.example.com');
}

async function show(options: WorkspaceOption): Promise<Output> {
  const workspace = await findWorkspace(options.workspace);
  return told(workspace, workspace.formOrigins);
}

async function allow(options: WorkspaceOption, origin = ''): Promise<Output> {
  const workspace = await findWorkspace(options.workspace);
  return told(workspace, await setFormOrigins(workspace.id, [...workspace.formOrigins, origin]));
}

async function forbid(options: WorkspaceOption, origin = ''): Promise<Output> {
  const workspace = await findWorkspace(options.workspace);
  const others = workspace.formOrigins.filter((allowed) => allowed !== origin);
  return told(workspace, await setFormOrigins(workspace.id, others));
}

function told(workspace: Workspace, origins: readonly string[]): Output {
  const url = formUrl(config('PUBLIC_URL'), workspace);
  return {
    json: { object: 'form', workspace_id: workspace.id, url, origins },
    text: fields([
      ['Form', url],
      ['In frames of', origins.join(', ')],
    ]),
  };
}
