import { InvalidArgumentError, Option } from 'commander';
import { eventTypes, type WebhookEventType } from '../../../shared/domain/webhook/webhook.ts';
import { resealWebhooks } from '../../../shared/services/serviceSecret.ts';
import {
  getDelivery,
  listDeliveries,
  replayDelivery,
  testWebhook,
} from '../../../shared/services/webhooks/deliveries.ts';
import { getWebhook, listWebhooks } from '../../../shared/services/webhooks/webhooks.ts';
import { listWorkspaces } from '../../../shared/services/workspaces/workspaces.ts';
import { action, type CommandGroup, inWorkspace, operator, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { commaList, countUpTo } from '../input.ts';
import { type CommandOutput, exitCodes, fields, table } from '../output.ts';
import { type ListenOptions, listen, requireLocalService } from './webhookListen.ts';

export const webhookCommands: CommandGroup = (program) => {
  const group = program.command('webhook').description('webhook subscriptions and their deliveries');
  group
    .command('list')
    .description('show the subscriptions of a workspace')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(list));
  group
    .command('show')
    .description('show a subscription with its secret')
    .argument('<id>', 'its identifier')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  group
    .command('test')
    .description('send a test event and wait for the response; exit code 1 if it is not 2xx')
    .argument('<id>', 'the identifier of the subscription')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(test));
  group
    .command('deliveries')
    .description('show the deliveries, newest first; or one with its body, headers and attempts')
    .argument('<id>', 'the identifier of the subscription')
    .argument('[delivery]', 'the identifier of a delivery')
    .option('--limit <number>', 'how many', countUpTo(100), 20)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { limit: number }>(deliveries));
  group
    .command('replay')
    .description('send a delivery again, byte for byte, and wait for the response')
    .argument('<id>', 'the identifier of the subscription')
    .argument('<delivery>', 'the identifier of the delivery')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(replay));
  group
    .command('listen')
    .description('print the events of the local service until Ctrl-C')
    .option('--forward-to <url>', 'also send each event to this URL, signed, and respond as it does')
    .addOption(
      new Option('--events <list>', `only these, separated by commas: ${eventTypes.join(', ')}`)
        .argParser(events)
        .default([...eventTypes], 'all'),
    )
    .option(...workspaceFlag)
    .hook('preAction', requireLocalService)
    .action(action<ListenOptions>(listen));
  group
    .command('reseal')
    .description('encrypt the webhook secrets of all workspaces with the current service secret, after a rotation')
    .action(action(reseal));
};

function events(text: string): WebhookEventType[] {
  const names = [...new Set(commaList(text))];
  const unknown = names.filter((name) => !eventTypes.includes(name as WebhookEventType));
  if (unknown.length === 0) return names as WebhookEventType[];
  throw new InvalidArgumentError(`There is no event ${unknown.join(', ')}. Choose from ${eventTypes.join(', ')}.`);
}

/** The names of a few types, else how many: the column is as wide as its longest cell. */
function typesText(types: readonly string[]): string {
  if (types.length === eventTypes.length) return 'all';
  return types.length <= 3 ? types.join(',') : `${types.length} types`;
}

async function list(options: WorkspaceOption): Promise<CommandOutput> {
  const { entries } = await listWebhooks(await inWorkspace(options), { limit: 100, after: undefined });
  return {
    json: { object: 'list', data: entries },
    text: table(
      ['id', 'name', 'url', 'events', 'enabled', 'failing since'],
      entries.map(({ id, name, url, events: types, enabled, failing_since }) => [
        ...[id, name, url, typesText(types), enabled],
        failing_since,
      ]),
      'There is no webhook subscription yet.',
    ),
  };
}

async function show(options: WorkspaceOption, id = ''): Promise<CommandOutput> {
  const webhook = await getWebhook(await inWorkspace(options), { id });
  return {
    json: webhook,
    text: fields([
      ['Webhook', webhook.id],
      ['Name', webhook.name],
      ['URL', webhook.url],
      ['Events', webhook.events.join(', ')],
      ['Enabled', webhook.enabled ? 'yes' : `no, ${webhook.disabled_reason ?? 'disabled by a request'}`],
      ['Failing since', webhook.failing_since ?? 'no'],
      ['Secret', webhook.secret],
      ['Created', webhook.created_at],
    ]),
  };
}

interface DeliveryResult {
  readonly status: string;
  readonly response_status?: number | null;
  readonly error?: string | null;
}

const summaryOf = ({ status, response_status, error }: DeliveryResult): string =>
  error ?? `${status}, response ${response_status}`;
const exitCodeOf = ({ status }: DeliveryResult): number => (status === 'delivered' ? 0 : exitCodes.failed);

async function test(options: WorkspaceOption, id = ''): Promise<CommandOutput> {
  const result = await testWebhook(await inWorkspace(options), { id });
  return { json: result, text: `${result.delivery_id}: ${summaryOf(result)}`, exitCode: exitCodeOf(result) };
}

async function deliveries(
  options: WorkspaceOption & { limit: number },
  id = '',
  deliveryId: string | undefined = undefined,
): Promise<CommandOutput> {
  const context = await inWorkspace(options);
  if (deliveryId) return deliveryOutput(await getDelivery(context, { id, deliveryId }));
  const { entries } = await listDeliveries(context, { id, limit: options.limit, after: undefined });
  return {
    json: { object: 'list', data: entries },
    text: table(
      ['id', 'event', 'status', 'attempts', 'response', 'created'],
      entries.map((one) => [one.id, one.event_type, one.status, one.attempts, one.response_status, one.created_at]),
      'There are no deliveries yet.',
    ),
  };
}

function deliveryOutput(delivery: Awaited<ReturnType<typeof getDelivery>>): CommandOutput {
  const attempts = table(
    ['at', 'response', 'ms', 'replay', 'error'],
    delivery.attempt_log.map((one) => [one.at, one.response_status, one.duration_ms, one.replay, one.error]),
    'There are no attempts yet.',
  );
  const head = fields([
    ['Delivery', delivery.id],
    ['Event', `${delivery.event_type} (${delivery.event_id})`],
    ['Status', delivery.status],
    ['Next attempt', delivery.next_attempt_at],
    ...Object.entries(delivery.headers),
  ]);
  return { json: delivery, text: [head, attempts, delivery.body].join('\n\n') };
}

async function replay(options: WorkspaceOption, id = '', deliveryId = ''): Promise<CommandOutput> {
  const result = await replayDelivery(await inWorkspace(options), { id, deliveryId });
  return { json: result, text: `${result.id}: ${summaryOf(result)}`, exitCode: exitCodeOf(result) };
}

async function reseal(): Promise<CommandOutput> {
  const context = operator();
  let webhooks = 0;
  for (const { id, deleting } of await listWorkspaces(context)) {
    if (deleting) continue;
    webhooks += await resealWebhooks({ ...context, workspaceId: id });
  }
  return {
    json: { object: 'reseal', webhooks },
    text: `Webhook subscriptions with a secret encrypted by the current service secret: ${webhooks}.`,
  };
}
