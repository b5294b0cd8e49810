import { now } from '../../../shared/platform/clock.ts';
import { resumeSending } from '../../../shared/services/sending/resume.ts';
import { findWorkspace } from '../../../shared/services/workspaces/find.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import type { Output } from '../output.ts';

export const sendingNoun: Noun = (program) => {
  const noun = program.command('sending').description('suspensions');
  noun
    .command('resume')
    .description('lift a suspension and forgive the bounces and complaints until now')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(resume));
};

async function resume(options: WorkspaceOption): Promise<Output> {
  const { id, suspension } = await findWorkspace(options.workspace);
  if (suspension) await resumeSending(id, now());
  return {
    json: { object: 'sending', workspace_id: id, suspended: false, was_suspended: suspension !== null },
    text: suspension ? 'Sending is allowed again.' : 'Sending was not suspended: nothing changed.',
  };
}
