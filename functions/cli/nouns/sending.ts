import { resumeSending } from '../../../shared/services/sending/resume.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace } from '../context.ts';
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
  const sending = await resumeSending(await inWorkspace(options));
  return {
    json: sending,
    text: sending.was_suspended ? 'Sending is allowed again.' : 'Sending was not suspended: nothing changed.',
  };
}
