import { lowerThrottles, restoreThrottles, showThrottles } from '../../../shared/services/throttles.ts';
import { action, type CommandGroup, operator } from '../command.ts';
import { countUpTo } from '../input.ts';
import { type CommandOutput, table } from '../output.ts';

interface LowerOptions {
  readonly percent: number;
}

export const throttleCommands: CommandGroup = (program) => {
  const group = program
    .command('throttle')
    .description('how often API Gateway lets each method of a deployed stack be called');
  group.command('show').description('show the throttles that apply now').action(action(show));
  group
    .command('lower')
    .description('lower every throttle at once, while the service is flooded with requests; "restore" undoes it')
    .option('--percent <number>', 'to how much of the deployed throttles, 1 to 99', countUpTo(99), 10)
    .action(action<LowerOptions>(lower));
  group.command('restore').description('give every method its deployed throttle again').action(action(restore));
};

const stateTexts = {
  usual: 'Every method has its deployed throttle.',
  lowered: 'Every throttle is lowered; "throttle restore" undoes it.',
  mixed: 'Some throttles differ from the deployed ones; "throttle restore" undoes it.',
} as const;

function output(throttles: Awaited<ReturnType<typeof showThrottles>>): CommandOutput {
  return {
    json: throttles,
    text: `${table(
      ['method', 'rate', 'burst', 'deployed rate', 'deployed burst'],
      throttles.methods.map((one) => [one.method, one.per_second, one.burst, one.usual_per_second, one.usual_burst]),
      'The deployed API has no throttles.',
    )}\n\n${stateTexts[throttles.state]}`,
  };
}

const show = async (): Promise<CommandOutput> => output(await showThrottles(operator()));
const restore = async (): Promise<CommandOutput> => output(await restoreThrottles(operator()));
const lower = async ({ percent }: LowerOptions): Promise<CommandOutput> =>
  output(await lowerThrottles(operator(), { percent }));
