import { createServer, type IncomingMessage } from 'node:http';
import { closeServer, type Engine, listenLocally } from '../engines/engine.ts';
import { fireSchedules } from './scheduleFiring.ts';
import {
  clockSchema,
  type Definition,
  definitionSchema,
  listSchema,
  nameSchema,
  parse,
  parseBody,
  reply,
  replyError,
  SchedulerError,
} from './schedulerProtocol.ts';
import { openSchedules, type ScheduleRow } from './schedules.ts';

const scheduleArnPrefix = 'arn:aws:scheduler:us-east-1:000000000000:schedule/default/';

export interface SchedulerOptions {
  readonly databasePath: string;
  /** Puts the schedule's input on the target queue; a rejection means that it is tried again. */
  readonly sendToQueue: (queueArn: string, body: string, messageGroupId?: string) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  readonly port?: number;
  readonly logger?: Pick<Console, 'error'>;
}

/**
 * EventBridge Scheduler for one-time schedules with an SQS target: CreateSchedule, GetSchedule, UpdateSchedule,
 * DeleteSchedule and ListSchedules in the protocol of `@aws-sdk/client-scheduler`. A time that has passed fires at once.
 *
 * `PUT /_control/clock {"offset_seconds": 3600}` moves this engine's clock ahead of the real one until it stops.
 */
export async function startScheduler(options: SchedulerOptions): Promise<Engine> {
  const { now: realNow = Date.now, logger = console } = options;
  let offsetMilliseconds = 0;
  const now = () => realNow() + offsetMilliseconds;
  const schedules = openSchedules(options.databasePath);
  const firing = fireSchedules({
    schedules,
    now,
    logger,
    deliver: async (stored) => {
      const definition: Definition = JSON.parse(stored);
      const { Arn, Input, SqsParameters } = definition.Target;
      await options.sendToQueue(Arn, Input, SqsParameters?.MessageGroupId);
      return { deleteAfterwards: definition.ActionAfterCompletion === 'DELETE' };
    },
  });

  function create(name: string, definition: Definition) {
    const existing = schedules.get(name);
    // The SDK sends one token with all attempts of a call, so that an attempt whose answer was lost is not a conflict.
    if (existing && existing.client_token !== (definition.ClientToken ?? null)) {
      throw new SchedulerError(409, 'ConflictException', `Schedule ${name} already exists.`);
    }
    if (existing) return;
    const moment = now();
    schedules.insert({
      name,
      definition: JSON.stringify(definition),
      client_token: definition.ClientToken ?? null,
      created_at: moment,
      modified_at: moment,
      next_attempt_at: definition.State === 'ENABLED' ? definition.dueAt : null,
    });
  }

  function update(name: string, definition: Definition) {
    const { modified_at } = find(name);
    schedules.replace({
      name,
      definition: JSON.stringify(definition),
      modified_at: Math.max(now(), modified_at + 1),
      next_attempt_at: definition.State === 'ENABLED' ? definition.dueAt : null,
    });
  }

  function find(name: string): ScheduleRow {
    const row = schedules.get(name);
    if (!row) throw new SchedulerError(404, 'ResourceNotFoundException', `Schedule ${name} does not exist.`);
    return row;
  }

  function list(query: URLSearchParams) {
    const filter = parse(listSchema, Object.fromEntries(query));
    requireDefaultGroup(filter.ScheduleGroup);
    const rows = schedules.list(filter.NextToken, filter.NamePrefix, filter.MaxResults);
    const described = rows.map(summarise).filter(({ State }) => filter.State === undefined || State === filter.State);
    return { Schedules: described, ...(rows.length === filter.MaxResults && { NextToken: rows.at(-1)?.name }) };
  }

  async function answer(request: IncomingMessage): Promise<object> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method === 'PUT' && url.pathname === '/_control/clock') {
      offsetMilliseconds = (await parseBody(request, clockSchema)).offset_seconds * 1000;
      firing.look();
      return { offset_seconds: offsetMilliseconds / 1000, now: new Date(now()).toISOString() };
    }
    // A web page can post to any local port, but not with this header, which every AWS SDK sends.
    if (!request.headers.authorization) throw new SchedulerError(403, 'AccessDeniedException', 'The call is unsigned.');
    if (request.method === 'GET' && url.pathname === '/schedules') return list(url.searchParams);
    const name = /^\/schedules\/([^/]+)$/.exec(url.pathname)?.[1];
    if (name === undefined) throw new SchedulerError(404, 'UnknownOperationException', 'No such operation.');
    requireDefaultGroup(url.searchParams.get('groupName') ?? 'default');
    return onSchedule(request, parse(nameSchema, name));
  }

  async function onSchedule(request: IncomingMessage, name: string): Promise<object> {
    switch (request.method) {
      case 'POST':
        create(name, await parseBody(request, definitionSchema));
        firing.look();
        return { ScheduleArn: scheduleArnPrefix + name };
      case 'PUT':
        update(name, await parseBody(request, definitionSchema));
        firing.look();
        return { ScheduleArn: scheduleArnPrefix + name };
      case 'GET':
        return describe(find(name));
      case 'DELETE':
        schedules.delete(find(name).name);
        return {};
      default:
        throw new SchedulerError(405, 'UnknownOperationException', 'No such operation.');
    }
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (result) => reply(response, 200, result),
      (error) => replyError(response, error, logger),
    );
  });
  const endpoint = await listenLocally(server, options.port);
  return {
    endpoint,
    stop: async () => {
      await closeServer(server);
      await firing.stop();
      schedules.close();
    },
  };
}

function describe(row: ScheduleRow) {
  const { dueAt: _, ClientToken: __, ...definition }: Definition = JSON.parse(row.definition);
  return { ...definition, ...identity(row) };
}

function summarise(row: ScheduleRow) {
  const { GroupName, State, Target }: Definition = JSON.parse(row.definition);
  return { ...identity(row), GroupName, State, Target: { Arn: Target.Arn } };
}

/** The protocol writes times as epoch seconds. */
function identity(row: ScheduleRow) {
  return {
    Name: row.name,
    Arn: scheduleArnPrefix + row.name,
    CreationDate: row.created_at / 1000,
    LastModificationDate: row.modified_at / 1000,
  };
}

function requireDefaultGroup(group: string): void {
  if (group === 'default') return;
  throw new SchedulerError(404, 'ResourceNotFoundException', `Schedule group ${group} does not exist.`);
}
