import { type Command, Option } from 'commander';
import { findWorkspace } from '../../../shared/services/workspaces/find.ts';
import { updateSettings } from '../../../shared/store/workspace/workspaces.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import type { Output } from '../output.ts';

type Switch = 'on' | 'off';
type TrackingOptions = WorkspaceOption & { opens?: Switch; clicks?: Switch };

export const trackingNoun: Noun = (program) => {
  const noun = program.command('tracking').description('whether SES tells of opens and clicks');
  const set = noun
    .command('set')
    .description('switch tracking for mail that is sent from now on')
    .addOption(new Option('--opens <switch>', 'tell of opens').choices(['on', 'off']))
    .addOption(new Option('--clicks <switch>', 'tell of clicks').choices(['on', 'off']))
    .option(...workspaceFlag)
    .hook('preAction', requireSwitch);
  set.action(action<TrackingOptions>(setTracking));
};

function requireSwitch(command: Command): void {
  const { opens, clicks } = command.opts<TrackingOptions>();
  if (!opens && !clicks) command.error('error: give --opens on|off, --clicks on|off, or both');
}

async function setTracking(options: TrackingOptions): Promise<Output> {
  const { id, trackOpens, trackClicks } = await findWorkspace(options.workspace);
  const opens = options.opens ? options.opens === 'on' : trackOpens;
  const clicks = options.clicks ? options.clicks === 'on' : trackClicks;
  await updateSettings(id, { trackOpens: opens, trackClicks: clicks });
  return {
    json: { object: 'tracking', workspace_id: id, opens, clicks },
    text: `Opens are ${opens ? '' : 'not '}tracked, clicks are ${clicks ? '' : 'not '}tracked.`,
  };
}
