import { checked } from '../../../shared/contract/fieldNames.ts';
import { personEventRequest } from '../../../shared/contract/schemas/personEvent.ts';
import { listEvents } from '../../../shared/services/personEvents/listEvents.ts';
import { recordEvent } from '../../../shared/services/personEvents/recordEvents.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { addressText, countUpTo, jsonArgument } from '../input.ts';
import { type CommandOutput, table } from '../output.ts';

type SendOptions = WorkspaceOption & {
  /** Every command takes `--data`, the folder. */
  readonly payload?: unknown;
  readonly externalId?: string;
  readonly timestamp?: string;
};
type ListOptions = WorkspaceOption & { readonly name?: string; readonly limit: number };

export const eventCommands: CommandGroup = (program) => {
  const group = program.command('event').description('what subscribers do in your application');
  group
    .command('send')
    .description('record an event of a subscriber')
    .argument('<name>', 'what happened, such as order_placed')
    .argument('<address>', 'the subscriber', addressText)
    .option('--payload <json>', 'anything about it, as a JSON object', jsonArgument)
    .option('--external-id <id>', 'your own id of it: recorded once for each person')
    .option('--timestamp <time>', 'when it happened, such as 2026-11-21T10:30:00Z (default: now)')
    .option(...workspaceFlag)
    .action(action<SendOptions>(send));
  group
    .command('list')
    .description('show the events of a subscriber, last recorded first')
    .argument('<address>', 'the subscriber', addressText)
    .option('--name <name>', 'only events of this name')
    .option('--limit <count>', 'how many', countUpTo(100), 50)
    .option(...workspaceFlag)
    .action(action<ListOptions>(list));
};

async function send(options: SendOptions, name = '', email = ''): Promise<CommandOutput> {
  const { payload: data, externalId: external_id, timestamp } = options;
  const given = checked(personEventRequest, { name, email, data, external_id, timestamp });
  const event = await recordEvent(await inWorkspace(options), given);
  const text = event.recorded
    ? `${event.replayed ? 'Recorded before' : 'Recorded'}: ${event.id}`
    : `Nothing was recorded: ${email} is not a subscriber.`;
  return { json: event, text };
}

async function list({ name, limit, ...options }: ListOptions, email = ''): Promise<CommandOutput> {
  const { entries, next } = await listEvents(await inWorkspace(options), { email, name, limit, after: undefined });
  const lines = table(
    ['event', 'recorded', 'happened', 'data'],
    entries.map((one) => [one.name, one.created_at ?? '', one.timestamp, JSON.stringify(one.data)]),
    'No events are kept.',
  );
  return {
    json: { object: 'list', data: entries, has_more: next !== null },
    text: next === null ? lines : `${lines}\n\nThere are more: GET /api/v1/events returns them in pages.`,
  };
}
