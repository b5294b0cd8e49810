import { type Command, Option } from 'commander';
import { setTracking } from '../../../shared/services/workspaces/setTracking.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace } from '../context.ts';
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
  set.action(action<TrackingOptions>(change));
};

function requireSwitch(command: Command): void {
  const { opens, clicks } = command.opts<TrackingOptions>();
  if (!opens && !clicks) command.error('error: give --opens on|off, --clicks on|off, or both');
}

async function change(options: TrackingOptions): Promise<Output> {
  const wanted = { opens: isOn(options.opens), clicks: isOn(options.clicks) };
  const tracking = await setTracking(await inWorkspace(options), wanted);
  const { opens, clicks } = tracking;
  return {
    json: tracking,
    text: `Opens are ${opens ? '' : 'not '}tracked, clicks are ${clicks ? '' : 'not '}tracked.`,
  };
}

const isOn = (wanted: Switch | undefined): boolean | undefined => wanted && wanted === 'on';
