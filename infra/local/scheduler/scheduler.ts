import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import { nowMilliseconds } from '../../../shared/platform/clock.ts';
import { closeServer, type Engine, listenLocally } from '../engine/engine.ts';
import { fireSchedules } from './internal/scheduleFiring.ts';
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  updateSchedule,
} from './internal/scheduleOperations.ts';
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
} from './internal/schedulerProtocol.ts';
import type { ScheduleDatabase } from './internal/schedules.ts';
import { openSchedules } from './internal/schedules.ts';

export interface SchedulerOptions {
  readonly databasePath: string;
  /** Sends the schedule's input to the target queue; retried when it rejects. */
  readonly sendToQueue: (queueArn: string, body: string, messageGroupId?: string) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  readonly port?: number;
  readonly logger?: Pick<Console, 'error'>;
}

/** Schedules that the clock sees at once: it looks again after the first. */
const longestList = 500;

/**
 * EventBridge Scheduler for one-time schedules with an SQS target: CreateSchedule, GetSchedule, UpdateSchedule,
 * DeleteSchedule and ListSchedules in the protocol of `@aws-sdk/client-scheduler`. A time that has passed fires at once.
 *
 * `PUT /_control/clock {"offset_seconds": 3600}` moves this engine's clock ahead of the real one until it stops.
 */
export async function startScheduler(options: SchedulerOptions): Promise<Engine> {
  const { now: realNow = nowMilliseconds, logger = console } = options;
  let offsetMilliseconds = 0;
  const moveClock = (milliseconds: number) => {
    offsetMilliseconds = milliseconds;
  };
  const now = () => realNow() + offsetMilliseconds;
  const schedules = openSchedules(options.databasePath);
  const firing = fireSchedules({ schedules, now, logger, deliver: (stored) => deliver(stored, options.sendToQueue) });
  const server = createServer((request, response) => {
    answer({ schedules, now, moveClock, look: firing.look }, request).then(
      (result) => reply(response, 200, result),
      (error) => replyError(response, error, logger),
    );
  });
  const endpoint = await listenLocally(server, options.port);
  return {
    endpoint,
    clocked: {
      pending: async () => ({
        busy: firing.isFiring() ? ['schedules'] : [],
        due: schedules.upcoming(longestList).map((at) => ({ at, kind: 'schedule' })),
        done: {},
      }),
      look: async () => firing.look(),
    },
    stop: async () => {
      await closeServer(server);
      await firing.stop();
      schedules.close();
    },
  };
}

async function deliver(stored: string, sendToQueue: SchedulerOptions['sendToQueue']) {
  const { Target, ActionAfterCompletion }: Definition = JSON.parse(stored);
  await sendToQueue(Target.Arn, Target.Input, Target.SqsParameters?.MessageGroupId);
  return { deleteAfterwards: ActionAfterCompletion === 'DELETE' };
}

/** The state that the protocol's operations work on. */
interface SchedulerContext {
  readonly schedules: ScheduleDatabase;
  /** Epoch milliseconds, with the offset of the control. */
  readonly now: () => number;
  readonly moveClock: (offsetMilliseconds: number) => void;
  /** Delivers what is due; called after every change that may have made something due. */
  readonly look: () => void;
}

async function answer(context: SchedulerContext, request: IncomingMessage): Promise<object> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (request.method === 'PUT' && url.pathname === '/_control/clock') return control(context, request);
  // A web page can post to any local port, but not with this header, which all AWS SDKs send.
  if (!request.headers.authorization) throw new SchedulerError(403, 'AccessDeniedException', 'The call is unsigned.');
  if (request.method === 'GET' && url.pathname === '/schedules') {
    const filter = parse(listSchema, Object.fromEntries(url.searchParams));
    requireDefaultGroup(filter.ScheduleGroup);
    return listSchedules(context.schedules, filter);
  }
  const name = /^\/schedules\/([^/]+)$/.exec(url.pathname)?.[1];
  if (name === undefined) throw new SchedulerError(404, 'UnknownOperationException', 'No such operation.');
  requireDefaultGroup(url.searchParams.get('groupName') ?? 'default');
  return onSchedule(context, request, parse(nameSchema, name));
}

async function control({ now, moveClock, look }: SchedulerContext, request: IncomingMessage): Promise<object> {
  const { offset_seconds } = await parseBody(request, clockSchema);
  moveClock(offset_seconds * 1000);
  look();
  return { offset_seconds, now: new Date(now()).toISOString() };
}

async function onSchedule(context: SchedulerContext, request: IncomingMessage, name: string): Promise<object> {
  const { schedules, now, look } = context;
  switch (request.method) {
    case 'POST':
    case 'PUT': {
      const write = request.method === 'POST' ? createSchedule : updateSchedule;
      const written = write(schedules, name, await parseBody(request, definitionSchema), now());
      look();
      return written;
    }
    case 'GET':
      return getSchedule(schedules, name);
    case 'DELETE':
      return deleteSchedule(schedules, name);
    default:
      throw new SchedulerError(405, 'UnknownOperationException', 'No such operation.');
  }
}

function requireDefaultGroup(group: string): void {
  if (group === 'default') return;
  throw new SchedulerError(404, 'ResourceNotFoundException', `Schedule group ${group} does not exist.`);
}
