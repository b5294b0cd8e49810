import { capBounds } from '../../../shared/domain/sending/frequencyCap.ts';
import { removeFrequencyCap, setFrequencyCap, showFrequencyCap } from '../../../shared/services/frequencyCap.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { countUpTo } from '../input.ts';
import type { CommandOutput } from '../output.ts';

interface SetOptions extends WorkspaceOption {
  readonly messages: number;
  readonly days: number;
}

export const capCommands: CommandGroup = (program) => {
  const group = program
    .command('cap')
    .description('limit how many messages of automations and campaigns a person gets in a number of days');
  group
    .command('show')
    .description('show the frequency cap')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  group
    .command('set')
    .description('set or change the frequency cap, with immediate effect; it counts messages from then on')
    .requiredOption('--messages <count>', `to each person, 1 to ${capBounds.messages}`, countUpTo(capBounds.messages))
    .requiredOption('--days <count>', `in any so many days, 1 to ${capBounds.days}`, countUpTo(capBounds.days))
    .option(...workspaceFlag)
    .action(action<SetOptions>(set));
  group
    .command('remove')
    .description('remove the frequency cap: automations then send the messages that waited for it')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(remove));
};

type CapJson = Awaited<ReturnType<typeof showFrequencyCap>>;

/** `3 messages in 7 days`. */
export const capText = ({ messages, days }: Pick<CapJson, 'messages' | 'days'>): string | null =>
  messages === null || days === null ? null : `${counted(messages, 'message')} in ${counted(days, 'day')}`;

const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;

const outputOf = (cap: CapJson): CommandOutput => {
  const text = capText(cap);
  return {
    json: cap,
    text: text === null ? 'There is no frequency cap.' : `Automations and campaigns send a person at most ${text}.`,
  };
};

const show = async (options: WorkspaceOption): Promise<CommandOutput> =>
  outputOf(await showFrequencyCap(await inWorkspace(options)));
const remove = async (options: WorkspaceOption): Promise<CommandOutput> =>
  outputOf(await removeFrequencyCap(await inWorkspace(options)));
const set = async ({ messages, days, ...options }: SetOptions): Promise<CommandOutput> =>
  outputOf(await setFrequencyCap(await inWorkspace(options), { messages, days }));
