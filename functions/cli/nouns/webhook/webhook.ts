import { InvalidArgumentError, Option } from 'commander';
import { type EventType, eventTypes } from '../../../../shared/domain/webhook/eventType.ts';
import { getDelivery } from '../../../../shared/services/deliveries/get.ts';
import { listDeliveries } from '../../../../shared/services/deliveries/list.ts';
import { replayDelivery } from '../../../../shared/services/deliveries/replay.ts';
import { testWebhook } from '../../../../shared/services/deliveries/test.ts';
import { getWebhook } from '../../../../shared/services/webhooks/get.ts';
import { listWebhooks } from '../../../../shared/services/webhooks/list.ts';
import { resealWebhooks } from '../../../../shared/services/webhooks/reseal.ts';
import { listWorkspaces } from '../../../../shared/services/workspaces/list.ts';
import { action, commaList, type Noun, type WorkspaceOption, workspaceFlag } from '../../action.ts';
import { inWorkspace, operator } from '../../context.ts';
import { exitCodes } from '../../failure.ts';
import { fields, type Output, table } from '../../output.ts';
import { type ListenOptions, listen, requireLocalService } from './listen.ts';

export const webhookNoun: Noun = (program) => {
  const noun = program.command('webhook').description('webhook subscriptions, and what was delivered to them');
  noun
    .command('list')
    .description('show the subscriptions of a workspace')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(list));
  noun
    .command('show')
    .description('show a subscription with its secret')
    .argument('<id>', 'its identifier')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  noun
    .command('test')
    .description('post a test event and wait for the answer; ends with 1 when it is not 2xx')
    .argument('<id>', 'the identifier of the subscription')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(test));
  noun
    .command('deliveries')
    .description('show what was delivered, newest first; or one delivery with its body, headers and attempts')
    .argument('<id>', 'the identifier of the subscription')
    .argument('[delivery]', 'the identifier of a delivery')
    .option('--limit <number>', 'how many', count, 20)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { limit: number }>(deliveries));
  noun
    .command('replay')
    .description('post a delivery once more, byte for byte, and wait for the answer')
    .argument('<id>', 'the identifier of the subscription')
    .argument('<delivery>', 'the identifier of the delivery')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(replay));
  noun
    .command('listen')
    .description('print events of the local service as they come, until Ctrl-C')
    .option('--forward-to <url>', 'post each to this URL too, signed, and answer what it answers')
    .addOption(
      new Option('--events <list>', `only these, with commas: ${eventTypes.join(', ')}`)
        .argParser(events)
        .default([...eventTypes], 'all'),
    )
    .option(...workspaceFlag)
    .hook('preAction', requireLocalService)
    .action(action<ListenOptions>(listen));
  noun
    .command('reseal')
    .description('seal the secrets of all workspaces under the current service secret, after a rotation of it')
    .action(action(reseal));
};

function count(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 100) return Number(text);
  throw new InvalidArgumentError('Give a number from 1 to 100.');
}

function events(text: string): EventType[] {
  const names = [...new Set(commaList(text))];
  const unknown = names.filter((name) => !eventTypes.includes(name as EventType));
  if (unknown.length === 0) return names as EventType[];
  throw new InvalidArgumentError(`There is no event ${unknown.join(', ')}. There are: ${eventTypes.join(', ')}.`);
}

async function list(options: WorkspaceOption): Promise<Output> {
  const { entries } = await listWebhooks(await inWorkspace(options), { limit: 100, after: undefined });
  return {
    json: { object: 'list', data: entries },
    text: table(
      ['id', 'name', 'url', 'events', 'enabled'],
      entries.map(({ id, name, url, events: types, enabled }) => [id, name, url, types.join(','), enabled]),
      'There is no webhook subscription yet.',
    ),
  };
}

async function show(options: WorkspaceOption, id = ''): Promise<Output> {
  const webhook = await getWebhook(await inWorkspace(options), { id });
  return {
    json: webhook,
    text: fields([
      ['Webhook', webhook.id],
      ['Name', webhook.name],
      ['URL', webhook.url],
      ['Events', webhook.events.join(', ')],
      ['Enabled', webhook.enabled ? 'yes' : `no, ${webhook.disabled_reason ?? 'by a call'}`],
      ['Secret', webhook.secret],
      ['Created', webhook.created_at],
    ]),
  };
}

interface Tried {
  readonly status: string;
  readonly response_status?: number | null;
  readonly error?: string | null;
}

const toldOf = ({ status, response_status, error }: Tried): string => error ?? `${status}, answered ${response_status}`;
const exitCodeOf = ({ status }: Tried): number => (status === 'delivered' ? 0 : exitCodes.failed);

async function test(options: WorkspaceOption, id = ''): Promise<Output> {
  const result = await testWebhook(await inWorkspace(options), { id });
  return { json: result, text: `${result.delivery_id}: ${toldOf(result)}`, exitCode: exitCodeOf(result) };
}

async function deliveries(
  options: WorkspaceOption & { limit: number },
  id = '',
  deliveryId: string | undefined = undefined,
): Promise<Output> {
  const context = await inWorkspace(options);
  if (deliveryId) return delivery(await getDelivery(context, { id, deliveryId }));
  const { entries } = await listDeliveries(context, { id, limit: options.limit, after: undefined });
  return {
    json: { object: 'list', data: entries },
    text: table(
      ['id', 'event', 'status', 'attempts', 'answered', 'created'],
      entries.map((one) => [one.id, one.event_type, one.status, one.attempts, one.response_status, one.created_at]),
      'Nothing was delivered yet.',
    ),
  };
}

function delivery(found: Awaited<ReturnType<typeof getDelivery>>): Output {
  const attempts = table(
    ['at', 'answered', 'ms', 'replay', 'error'],
    found.attempt_log.map((one) => [one.at, one.response_status, one.duration_ms, one.replay, one.error]),
    'No attempt yet.',
  );
  const head = fields([
    ['Delivery', found.id],
    ['Event', `${found.event_type} (${found.event_id})`],
    ['Status', found.status],
    ['Next attempt', found.next_attempt_at],
    ...Object.entries(found.headers),
  ]);
  return { json: found, text: [head, attempts, found.body].join('\n\n') };
}

async function replay(options: WorkspaceOption, id = '', deliveryId = ''): Promise<Output> {
  const result = await replayDelivery(await inWorkspace(options), { id, deliveryId });
  return { json: result, text: `${result.id}: ${toldOf(result)}`, exitCode: exitCodeOf(result) };
}

async function reseal(): Promise<Output> {
  const context = operator();
  let webhooks = 0;
  for (const { id } of await listWorkspaces(context)) {
    webhooks += await resealWebhooks({ ...context, workspaceId: id });
  }
  return {
    json: { object: 'reseal', webhooks },
    text: `The secrets of ${webhooks} webhook subscriptions are sealed under the current service secret.`,
  };
}
