import type { IncomingMessage } from 'node:http';
import { createSchedule, deleteSchedule, getSchedule, listSchedules, updateSchedule } from './scheduleOperations.ts';
import {
  clockSchema,
  definitionSchema,
  listSchema,
  nameSchema,
  parse,
  parseBody,
  SchedulerError,
} from './schedulerProtocol.ts';
import type { Schedules } from './schedules.ts';

/** What the calls of the protocol work with. */
export interface SchedulerContext {
  readonly schedules: Schedules;
  /** Epoch milliseconds, with what the control has moved it ahead. */
  readonly now: () => number;
  readonly moveClock: (offsetMilliseconds: number) => void;
  /** Has what has come due delivered, after anything that may have made it so. */
  readonly look: () => void;
}

export async function answer(context: SchedulerContext, request: IncomingMessage): Promise<object> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (request.method === 'PUT' && url.pathname === '/_control/clock') return control(context, request);
  // A web page can post to any local port, but not with this header, which every AWS SDK sends.
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
