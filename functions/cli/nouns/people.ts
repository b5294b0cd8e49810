import { type Command, Option } from 'commander';
import { ValidationError } from '../../../shared/contract/errors.ts';
import { issuesOf } from '../../../shared/contract/issues.ts';
import { listSubscribersRoute, upsertSubscriberRoute } from '../../../shared/contract/routes/subscribers.ts';
import { type SubscriberStatus, subscriberStatuses } from '../../../shared/domain/person/subscriber.ts';
import { deleteSubscriber } from '../../../shared/services/subscribers/delete.ts';
import { getSubscriber } from '../../../shared/services/subscribers/get.ts';
import { listSubscribers } from '../../../shared/services/subscribers/list.ts';
import { upsertSubscriber } from '../../../shared/services/subscribers/upsert.ts';
import { action, commaList, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace } from '../context.ts';
import { fields, type Output, table } from '../output.ts';

interface ListOptions extends WorkspaceOption {
  readonly q?: string;
  readonly status?: SubscriberStatus;
  readonly limit: string;
}

interface AddOptions extends WorkspaceOption {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly tags?: string[];
  readonly consentGiven: boolean;
}

/** The commands about one person, beside those about many. */
export function addPeopleCommands(noun: Command): void {
  noun
    .command('add')
    .description('add or update a person; who is new is asked to confirm first')
    .argument('<address>', 'their address')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--tags <list>', 'tags, with commas', commaList)
    .option('--consent-given', 'you answer for their consent: they are subscribed without being asked', false)
    .option(...workspaceFlag)
    .action(action<AddOptions>(add));
  noun
    .command('show')
    .description('show a person')
    .argument('<address>', 'their address')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(show));
  noun
    .command('list')
    .description('show people, newest first')
    .option('--q <text>', 'only those whose address, domain or name begins with it')
    .addOption(new Option('--status <status>', 'only subscribers of this status').choices(subscriberStatuses))
    .option('--limit <number>', 'how many, at most 100', '50')
    .option(...workspaceFlag)
    .action(action<ListOptions>(list));
  noun
    .command('delete')
    .description('unsubscribe a person and suppress the address, as the API does')
    .argument('<address>', 'their address')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(remove));
}

async function add(options: AddOptions, email = ''): Promise<Output> {
  const { firstName, lastName, tags, consentGiven } = options;
  const given = { email, firstName, lastName, tags, double_opt_in: !consentGiven };
  const input = upsertSubscriberRoute.request.body.safeParse(JSON.parse(JSON.stringify(given)), { reportInput: true });
  if (!input.success) throw new ValidationError(issuesOf(input.error));
  const { output } = await upsertSubscriber(await inWorkspace(options), input.data);
  return { json: output, text: `${output.email} is ${output.status}.` };
}

async function show(options: WorkspaceOption, email = ''): Promise<Output> {
  const person = await getSubscriber(await inWorkspace(options), { email });
  const entries = Object.entries(person).filter(([name]) => name !== 'object');
  return {
    json: person,
    text: fields(entries.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : value])),
  };
}

async function list(options: ListOptions): Promise<Output> {
  const { q, status, limit } = options;
  const given = { ...(q && { q }), ...(status && { status }), limit };
  const query = listSubscribersRoute.request.query.safeParse(given, { reportInput: true });
  if (!query.success) throw new ValidationError(issuesOf(query.error));
  const { entries, next } = await listSubscribers(await inWorkspace(options), { ...query.data, after: undefined });
  const lines = table(
    ['address', 'status', 'first name', 'last name', 'tags', 'created'],
    entries.map((one) => [one.email, one.status, one.firstName, one.lastName, one.tags.join(','), one.created_at]),
    'There is nobody.',
  );
  return {
    json: { object: 'list', data: entries, has_more: next !== null },
    text: next === null ? lines : `${lines}\n\nThere are more: subscriber export writes them all.`,
  };
}

async function remove(options: WorkspaceOption, email = ''): Promise<Output> {
  const deleted = await deleteSubscriber(await inWorkspace(options), { email });
  return { json: deleted, text: `${deleted.email} is unsubscribed and suppressed.` };
}
