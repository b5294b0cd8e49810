import type { Command } from 'commander';
import { checked } from '../../../shared/contract/fieldNames.ts';
import {
  simulateAutomationRequest,
  simulateDefinitionRequest,
} from '../../../shared/contract/schemas/automationSimulation.ts';
import { simulateAutomation, simulateDefinition } from '../../../shared/services/automations/simulateAutomation.ts';
import { action, inWorkspace, type WorkspaceOption } from '../command.ts';
import { jsonOf } from '../input.ts';
import { type CommandOutput, fields, table } from '../output.ts';

interface SimulateOptions extends WorkspaceOption {
  readonly population?: string;
  readonly email?: readonly string[];
  readonly replayDays?: string;
  readonly days: string;
  readonly from?: string;
  readonly at?: string;
  readonly zone?: string;
  readonly assume?: readonly string[];
  readonly opened?: boolean;
  readonly clicked?: boolean;
  readonly definition?: string;
}

export function simulateCommand(command: Command): void {
  command
    .argument('[id]', 'identifier of the automation; left out with --definition for one that is not stored')
    .option('--definition <file>', 'a JSON file with the steps to simulate, in place of those stored')
    .option('--population <name>', 'audience, open_runs, replay or emails (default: audience)')
    .option('--email <address...>', 'these people, each with their own path')
    .option('--replay-days <number>', 'days of recorded events to replay')
    .option('--days <number>', 'days to simulate', '14')
    .option('--from <time>', 'when it begins, with a time zone (default: now)')
    .option('--at <time>', 'the moment to count people at, with a time zone (default: the end)')
    .option('--zone <zone>', 'time zone of the dates', 'UTC')
    .option('--assume <event...>', 'events that arrive as soon as a run waits for them; no other event does')
    .option('--opened', 'assume that messages are opened')
    .option('--clicked', 'assume that links are clicked')
    .action(action<SimulateOptions>(simulate));
}

async function simulate(options: SimulateOptions, id?: string): Promise<CommandOutput> {
  const { email, assume, opened, clicked, definition } = options;
  const isAssumed = assume !== undefined || opened === true || clicked === true;
  const question = {
    population: options.population,
    ...{ days: wholeNumber(options.days), zone: options.zone, from: options.from, at: options.at, emails: email },
    replay_days: options.replayDays === undefined ? undefined : wholeNumber(options.replayDays),
    assume: isAssumed ? { events: assume, opened, clicked } : undefined,
    definition: definition === undefined ? undefined : jsonOf(definition),
  };
  const given = Object.fromEntries(Object.entries(question).filter(([, value]) => value !== undefined));
  if (id === undefined && definition === undefined) throw new Error('Name an automation, or a file with --definition.');
  const context = await inWorkspace(options);
  const result =
    id === undefined
      ? await simulateDefinition(context, checked(simulateDefinitionRequest, given))
      : await simulateAutomation(context, { id, ...checked(simulateAutomationRequest, given) });
  return { json: result, text: inWords(result, options.at) };
}

/** A number as it was written, for the schema to report. */
const wholeNumber = (text: string): number | string => (/^\d+$/.test(text) ? Number(text) : text);

type Simulation = Awaited<ReturnType<typeof simulateAutomation>>;

function inWords(
  { people, messages, sampled, at, timeline, excluded, paths }: Simulation,
  moment: string | undefined,
): string {
  const counts = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  const head = fields([
    ['People', sampled ? `about ${people} (from a sample)` : people],
    ['Messages', messages],
    [moment === undefined ? 'In it at the end' : `In it at ${moment}`, counts(at) || 'nobody'],
    ['Left out', counts(excluded) || 'nobody'],
  ]);
  const days = table(
    ['date', 'step', 'people', 'messages'],
    timeline.map((day) => [day.date, day.step, day.people, day.messages]),
    'Nothing happens in these days.',
  );
  const pathsInWords = paths?.map(({ email, excluded: reason, steps, ...run }) => {
    const end = reason ?? [run.status, run.reason].filter((word) => word !== null).join(', ');
    return `${fields([[email, end]])}\n${table(
      ['step', 'at', 'status', 'branch', 'reason'],
      steps.map((step) => [step.step, step.at, step.status, step.branch, step.reason]),
      'No run.',
    )}`;
  });
  return [head, days, ...(pathsInWords ?? [])].join('\n\n');
}
